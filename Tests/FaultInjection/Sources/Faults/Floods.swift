import CFaults
import Corinth
import Dispatch
import Foundation

/// Several threads do one thing as often as they can. Everything returns, and nothing accumulates.
enum Floods {
    typealias Pipe = (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)

    /// - Parameters:
    ///   - count: How often each thread does it.
    ///   - most: How many bytes may be in use at a time.
    static func flood(_ name: String, threads: Int, count: Int, most: Int, _ make: () -> @Sendable (Int, Int) -> Void)
        -> String?
    {
        let isDone = Counter()
        do {
            let body = make()
            for number in 0..<100 { body(0, number) }
            faults_begin_counting()
            let all = FaultThread.group(threads) { index in
                for number in 0..<count { body(index, number) }
                isDone.add()
            }
            guard eventually(within: 60, { all.allSatisfy(\.isFinished) }) else {
                return "\(name): \(isDone.value) of \(threads) threads are done"
            }
            for thread in all { thread.join() }
        }
        // Other threads may still deliver, or take back what was disposed of.
        let isFree = eventually(within: 10) { faults_live_bytes() < 1 << 20 }
        let (peak, left) = (faults_most_bytes(), faults_live_bytes())
        return isFree && peak < most ? nil : "\(name): at most \(peak >> 10) KiB in use, \(left >> 10) KiB left"
    }

    static func all(scale: Int) {
        operations(scale: scale)
        churn()
        inTurn()
    }

    static func operations(scale: Int) {
        var faults: [String] = []
        var count = 0
        for threads in [4, 32] {
            func run(
                _ name: String, _ operations: Int, most: Int = 16 << 20, _ make: () -> @Sendable (Int, Int) -> Void
            ) {
                count += 1
                if let fault = flood(
                    "\(name) × \(threads)", threads: threads, count: max(1, operations * scale / threads), most: most,
                    make)
                {
                    faults.append(fault)
                }
            }
            run("send", 200_000) {
                let pipe: Pipe = Signal.pipe()
                pipe.output.observeValues { _ in }
                return { pipe.input.send(value: $1) }
            }
            run("observe and dispose", 200_000) {
                let pipe: Pipe = Signal.pipe()
                return { _, _ in
                    pipe.output.observeValues { _ in }?.dispose()
                    withExtendedLifetime(pipe.input) {}
                }
            }
            run("observe and dispose beside sends", 50_000) {
                let pipe: Pipe = Signal.pipe()
                let result = pipe.output.map { $0 }
                return { thread, number in
                    if thread == 0 { pipe.input.send(value: number) } else { result.observeValues { _ in }?.dispose() }
                }
            }
            run("set a property", 100_000) {
                let property = MutableProperty(0)
                property.signal.observeValues { _ in }
                return { property.value = $1 }
            }
            run("start the producer of a property", 50_000) {
                let property = MutableProperty(0)
                return { _, _ in property.producer.startWithValues { _ in }.dispose() }
            }
            run("composite", 1_000_000) {
                let composite = CompositeDisposable()
                return { _, _ in composite.add {}?.dispose() }
            }
            run("schedule and cancel", 100_000) {
                let queue = QueueScheduler(name: "timers")
                return { _, _ in queue.schedule(after: Date(timeIntervalSinceNow: 10)) {}?.dispose() }
            }
            run("hop, observe and dispose", 10_000) {
                let pipe: Pipe = Signal.pipe()
                let queue = QueueScheduler(name: "hop")
                return { thread, number in
                    let observation = pipe.output.observe(on: queue).observeValues { _ in }
                    if thread == 0 { pipe.input.send(value: number) }
                    observation?.dispose()
                }
            }
            run("take until", 50_000) {
                let pipe: Pipe = Signal.pipe()
                return { _, number in
                    let (end, toEnd) = Signal<(), Never>.pipe()
                    pipe.output.take(until: end).observeValues { _ in }
                    toEnd.send(value: ())
                    if number % 64 == 0 { pipe.input.send(value: number) }
                }
            }
            run("flatMap(.latest) on a queue", 20_000) {
                let pipe: Pipe = Signal.pipe()
                let queue = QueueScheduler(name: "inner")
                pipe.output.flatMap(.latest) { SignalProducer<Int, Never>(value: $0).start(on: queue) }.observeValues {
                    _ in
                }
                return { pipe.input.send(value: $1) }
            }
            run("debounce and throttle", 50_000) {
                let pipe: Pipe = Signal.pipe()
                let queue = QueueScheduler(name: "timers")
                pipe.output.debounce(0.01, on: queue).observeValues { _ in }
                pipe.output.throttle(0.01, on: queue).observeValues { _ in }
                return { pipe.input.send(value: $1) }
            }
            run("action", 50_000) {
                let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
                return { action.apply($1).start() }
            }
            run("bag", 100_000) {
                let bag = Bag([1, 2, 3])
                return { thread, number in
                    if thread % 2 == 0 {
                        let token = bag.insert(number)
                        bag.remove(using: token)
                    } else {
                        _ = bag.map { $0 }.count + Array(bag).count
                    }
                }
            }
        }
        Report.row(
            "X2c", "floods of one operation on 4 and on 32 threads return, use less than 16 MiB, and leave nothing",
            Report.isNaive ? nil : faults.isEmpty,
            faults.isEmpty ? "\(count) of \(count) floods" : faults.joined(separator: "; "))
    }

    /// Observers come and go at what a window or a group sends, while another thread sends: nothing is lost.
    static func churn() {
        var results: [String] = []
        for (name, make) in [
            ("window", { $0.window(count: 3).flatten(.merge) }),
            (
                "observe(on:) at once",
                { $0.observe(on: ImmediateScheduler(), bufferingPolicy: .unbounded, statistics: BufferStatistics()) }
            ),
            ("map", { $0.map { $0 } }),
        ] as [(String, (Signal<Int, Never>) -> Signal<Int, Never>)] {
            let pipe: Pipe = Signal.pipe()
            let output = make(pipe.output)
            let seen = Counter()
            output.observeValues { _ in seen.add() }
            let isOver = Atomic(false)
            let churn = FaultThread { while !isOver.value { output.observeValues { _ in }?.dispose() } }
            for number in 0..<60_000 { pipe.input.send(value: number) }
            isOver.value = true
            churn?.join()
            if !eventually({ seen.value == 60_000 }) { results.append("\(name): \(seen.value) of 60,000") }
        }
        Report.row(
            "X2c", "observers that come and go at a derived signal lose no value of another", results.isEmpty,
            results.isEmpty ? "3 of 3 signals, 60,000 values each" : results.joined(separator: "; "))
    }

    /// A sender that finds places while it looks for them again and again doesn't keep out a hop that has stopped.
    static func inTurn() {
        let (first, last) = (QueueScheduler(name: "first"), QueueScheduler(name: "last"))
        let flood: Pipe = Signal.pipe()
        let few: Pipe = Signal.pipe()
        let (fromHop, fromThread) = (Counter(), Counter())
        Signal.merge([flood.output, few.output.observe(on: first)])
            .observe(on: last, bufferingPolicy: .blocking(capacity: 1_024, stallTimeout: .never))
            .observeValues { value in
                if value < 0 { fromHop.add() } else { fromThread.add() }
                for _ in 0..<10 { _ = faults_now() }
            }
        let isOver = Atomic(false)
        let sender = FaultThread { while !isOver.value { flood.input.send(value: 1) } }
        _ = eventually { fromThread.value > 10_000 }
        for number in 1...1_000 { few.input.send(value: -number) }
        let haveCome = eventually { fromHop.value == 1_000 }
        let during = fromHop.value
        isOver.value = true
        _ = eventually { sender?.isFinished == true }
        flood.input.sendInterrupted()
        few.input.sendInterrupted()
        Report.row(
            "X2a", "a stopped hop is served while a thread floods the same buffer", Report.isNaive ? nil : haveCome,
            "\(during) of 1,000 values arrived")
    }
}
