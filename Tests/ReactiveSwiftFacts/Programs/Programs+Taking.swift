import ReactiveSwift

/// Parts of a stream, and its values in one.
extension Programs {
    mutating func addTaking() {
        add("take-last-first-while-skip") { log in
            let numbers = NumberProducer([1, 2, 3, 4])
            numbers.take(last: 2).start(log.events("last"))
            numbers.take(first: 0).on(started: { log("s") }).start(log.events("first0"))
            numbers.take(last: 0).start(log.events("last0"))
            numbers.take(while: { $0 < 3 }).start(log.events("while"))
            numbers.take(until: { $0 > 2 }).start(log.events("untilp"))
            numbers.skip(first: 3).start(log.events("skip"))
            numbers.skip(while: { $0 < 3 }).start(log.events("skipw"))
            numbers.concat(error: Failure()).take(last: 1).start(log.events("lastE"))
            numbers.collect(count: 3).start(log.events("c3"))
            numbers.collect { buffer, next in buffer.count == 1 && next == 3 }.start(log.events("cp"))
            numbers.collect { buffer in buffer.reduce(0) { $0 + $1 } >= 3 }.start(log.events("cb"))
            numbers.reduce(into: 0) { $0 += $1 }.start(log.events("red"))
            numbers.scan(into: [Int]()) { $0.append($1) }.start(log.events("scan"))
            numbers.scanMap(0) { ($0 + $1, $0 * $1) }.start(log.events("scanMap"))
            NumberProducer.empty.reduce(7) { $0 + $1 }.start(log.events("redE"))
            numbers.combinePrevious().start(log.events("cp"))
            numbers.combinePrevious(0).start(log.events("cp0"))
            typealias Flag = SignalProducer<Bool, Never>
            Flag.all([Flag]()).start(log.events("all"))
            Flag.any([Flag]()).start(log.events("any"))
            Flag.all([Flag(value: true), Flag(value: false)]).start(log.events("all2"))
            Flag(value: true).and(Flag(value: false)).start(log.events("and"))
        }
        add("b2-take-while-until-order") { log in
            let (output, input) = Infallible.pipe(disposable: log.disposable("src disposed"))
            output.take(while: { $0 < 2 }).on(completed: { log("c") }, disposed: { log("d") }).observe(log.events("w"))
            output.skip(first: 1).observe(log.events("sk"))
            for value in 1...3 { input.send(value: value) }
            input.sendCompleted()
        }
        add("bag-atomic") { log in
            let bag = Bag<Int>()
            let token = bag.insert(1)
            bag.insert(2)
            bag.insert(3)
            bag.remove(using: token)
            bag.insert(4)
            log("\(Array(bag)) \(bag.count) \(bag.first ?? -1)")
            let copy = bag
            copy.insert(9)
            log("\(Array(bag)) \(Array(copy))")
            let atomic = Atomic(1)
            let old = atomic.swap(2)
            let modified = atomic.modify { (value: inout Int) -> Int in
                value += 1
                return value
            }
            log("\(old) \(modified) \(atomic.withValue { $0 }) \(atomic.value)")
            log("\(bag.map { $0 * 2 })")
        }
    }
}
