import CFaults
import Corinth
import Dispatch
import Foundation

/// A machine with one processor, threads of low priority, many threads, and small stacks.
enum Machine {
    struct Item: Sendable {
        let sender: Int
        let number: Int
    }

    /// Many threads send through every kind of hop. Returns how many values arrived out of order, and how many of how many.
    static func traffic(senders: Int, values: Int, before: @escaping @Sendable (Int) -> Void = { _ in }) -> (
        disorder: Int, arrived: Int, of: Int
    ) {
        let (output, input) = Signal<Item, Never>.pipe()
        let pool = QueueSchedulerPool(count: 3, name: "pool")
        let thread = ThreadScheduler(name: "thread")
        let queue = QueueScheduler(name: "queue")
        let (arrived, disorder) = (Counter(), Counter())
        func check(_ stream: Signal<Item, Never>) {
            let last = Atomic([Int](repeating: -1, count: senders))
            stream.observeValues { item in
                last.modify {
                    if $0[item.sender] + 1 != item.number { disorder.add() }
                    $0[item.sender] = item.number
                }
                arrived.add()
            }
        }
        check(output)
        check(output.observe(on: queue, bufferingPolicy: .blocking(capacity: 64)))
        check(output.observe(on: thread))
        check(output.observe(on: pool, by: \.sender) { $0 })
        check(output.observe(on: queue).observe(on: thread, bufferingPolicy: .blocking(capacity: 16)))
        let threads = FaultThread.group(senders) { index in
            before(index)
            for number in 0..<values { input.send(value: Item(sender: index, number: number)) }
        }
        for thread in threads { thread.join() }
        let expected = 5 * senders * values
        _ = eventually { arrived.value == expected }
        input.sendCompleted()
        thread.stop()
        pool.shutDown(.draining) {}
        return (disorder.value, arrived.value, expected)
    }

    private static func row(_ promise: String, _ result: (disorder: Int, arrived: Int, of: Int)) {
        Report.row(
            "E4, C3, X2b", promise, result.disorder == 0 && result.arrived == result.of,
            "\(result.arrived) of \(result.of) arrived, \(result.disorder) out of order")
    }

    /// The process may start no further thread, as at `RLIMIT_NPROC` or `pids.max`, and eight threads that exist send to one
    /// signal. At first the library has no thread of its own; later it has some, which others keep busy.
    static func noThreads() {
        let gate = DispatchSemaphore(value: 0)
        for (what, capacity, values) in [
            ("a small inbox", 8, 2_000), ("an inbox of the usual size", 16_384, 20_000),
            ("a small inbox, with threads of the library that stand", 8, 2_000),
        ] {
            // On mutexes, the library has no threads: whoever comes waits for the callback that stands.
            if what.hasSuffix("stand") {
                if Report.isNaive { continue }
                standThreads(gate)
            }
            let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: capacity)
            let (delivered, ready, ended) = (Counter(), Counter(), Counter())
            let go = Atomic(false)
            output.observeValues { value in
                if value % 8 == 0, capacity == 8 { usleep(300) }
                delivered.add()
            }
            let threads = FaultThread.group(8) { _ in
                ready.add()
                while !go.value { usleep(1_000) }
                for value in 0..<values { input.send(value: value) }
                ended.add()
            }
            _ = eventually { ready.value == threads.count }
            faults_forbid_threads(true)
            go.value = true
            let isThrough = eventually { ended.value == threads.count && delivered.value == threads.count * values }
            faults_forbid_threads(false)
            Report.row(
                "X2b", "no thread can be started: all that is sent to \(what) arrives", isThrough,
                "\(ended.value) of \(threads.count) senders are through, \(delivered.value) values arrived")
        }
        for _ in 0..<64 { gate.signal() }
    }

    /// Lets threads of the library stand in callbacks.
    private static func standThreads(_ gate: DispatchSemaphore) {
        let standing = Counter()
        for _ in 0..<4 {
            let (output, input) = Signal<Int, Never>.pipe()
            let isFirst = Atomic(true)
            output.observeValues { value in
                if value == 0 {
                    // What others send meanwhile is more than one thread delivers for them.
                    for thread in FaultThread.group(1, { _ in for value in 1...600 { input.send(value: value) } }) {
                        thread.join()
                    }
                } else if value > 256, isFirst.swap(false) {
                    standing.add()
                    gate.wait()
                }
            }
            input.send(value: 0)
        }
        _ = eventually { standing.value == 4 }
    }

    static func oneProcessor() {
        guard faults_use_one_processor() else {
            return Report.row("X2b", "there is one processor", false, "it can't be chosen")
        }
        row("on one processor, every value arrives, each sender's in order", traffic(senders: 8, values: 5_000))
    }

    /// Busy threads take the processor from those that are nice.
    static func nice() {
        guard faults_use_one_processor() else {
            return Report.row("X2b", "there is one processor", false, "it can't be chosen")
        }
        let isOver = Atomic(false)
        let busy = FaultThread.group(2) { _ in while !isOver.value {} }
        let isNice = Atomic(true)
        let result = traffic(senders: 8, values: 500) { index in
            if index % 2 == 0, !faults_be_nice(19) { isNice.value = false }
        }
        isOver.value = true
        for thread in busy { thread.join() }
        row(
            "beside busy threads, with half of the senders at nice 19 on one processor, every value arrives\(isNice.value ? "" : " (nice refused)")",
            result)
    }

    static func manyThreads(_ count: Int) {
        let (output, input) = Signal<Int, Never>.pipe()
        let property = MutableProperty(0)
        let total = Atomic(0)
        let (seen, present) = (Counter(), Counter())
        output.observeValues { _ in seen.add() }
        let threads = (0..<count).compactMap { _ in
            FaultThread(stack: 128 << 10) {
                present.add()
                faults_wait_at_gate()
                for number in 0..<10 {
                    input.send(value: number)
                    property.modify { $0 += 1 }
                    total.modify { $0 += 1 }
                }
            }
        }
        _ = eventually { present.value == threads.count }
        faults_open_gate()
        for thread in threads { thread.join() }
        let expected = threads.count * 10
        let isComplete = eventually { seen.value == expected }
        Report.row(
            "E4, X2b", "\(count) threads with stacks of 128 KiB send, set and modify: nothing is lost",
            threads.count < count ? nil : isComplete && property.value == expected && total.value == expected,
            "\(threads.count) threads at once; \(seen.value) values, \(property.value) changes, \(total.value) modifications of \(expected)"
        )
    }

    static func smallStack() {
        let done = Atomic<[String]>([])
        let thread = FaultThread(stack: 128 << 10) {
            func note(_ name: String, _ isRight: Bool) { done.modify { $0.append(isRight ? name : "NOT " + name) } }
            var (chain, input) = Signal<Int, Never>.pipe()
            for _ in 0..<300 { chain = chain.map { $0 + 1 } }
            let last = Atomic(0)
            chain.observeValues { last.value = $0 }
            input.send(value: 0)
            note("a chain of 300", last.value == 300)
            var producer = SignalProducer<Int, Never>(value: 0)
            for _ in 0..<150 { producer = producer.map { $0 + 1 } }
            producer.startWithValues { last.value = $0 }
            note("a producer of 150", last.value == 150)
            @Sendable func pages(from number: Int) -> SignalProducer<Int, Never> {
                SignalProducer(value: number).flatMap(.concat) { page in
                    let items = SignalProducer<Int, Never>([page])
                    guard page < 50_000 else { return items }
                    return items.concat(SignalProducer(value: page + 1).flatMap(.concat, pages))
                }
            }
            pages(from: 0).startWithValues { last.value = $0 }
            note("a recursion of 50,000", last.value == 50_000)
            let (echo, toEcho) = Signal<Int, Never>.pipe()
            echo.observeValues {
                last.value = $0
                if $0 < 100_000 { toEcho.send(value: $0 + 1) }
            }
            toEcho.send(value: 0)
            note("100,000 sends from inside", last.value == 100_000)
            let property = MutableProperty(0)
            var derived = Property(property)
            for _ in 0..<80 { derived = derived.map { $0 + 1 } }
            property.value = 20
            note("a property of 80", derived.value == 100)
            let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
            action.values.observeValues { last.value = $0 }
            action.apply(7).start()
            note("an action", last.value == 7)
            let composite = CompositeDisposable()
            for _ in 0..<20_000 { composite.add(AnyDisposable {}) }
            composite.dispose()
            note("20,000 disposals", composite.isDisposed)
        }
        thread?.join()
        let notes = done.value
        Report.row(
            "P4", "recursion, chains and disposals on a stack of 128 KiB",
            notes.count == 7 && !notes.contains { $0.hasPrefix("NOT") },
            notes.joined(separator: ", "))
    }
}
