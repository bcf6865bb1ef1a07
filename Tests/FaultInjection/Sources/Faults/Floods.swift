import CFaults
import Corinth
import Dispatch
import Foundation

/// Several threads do one thing as often as they can. Everything returns, and nothing accumulates.
enum Floods {
    typealias Pipe = (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)

    /// What the threads do, and what there must be in the end.
    struct Flood {
        /// Gets the number of the thread, and how often the thread has done it.
        let call: @Sendable (Int, Int) -> Void
        /// How many effects there were, if each call must have one.
        let effects: (() -> Int)?

        init(_ call: @escaping @Sendable (Int, Int) -> Void, effects: (() -> Int)? = nil) {
            self.call = call
            self.effects = effects
        }
    }

    /// - Parameters:
    ///   - count: How often each thread does it.
    ///   - most: How many bytes may be in use at a time.
    /// - Returns: What went wrong.
    static func flood(_ name: String, threads: Int, count: Int, most: Int, _ make: () -> Flood) -> String? {
        let isDone = Counter()
        do {
            let flood = make()
            for number in 0..<100 { flood.call(0, number) }
            faults_begin_counting()
            let call = flood.call
            let all = FaultThread.group(threads) { index in
                for number in 0..<count { call(index, number) }
                isDone.add()
            }
            guard eventually(within: 60, { all.allSatisfy(\.isFinished) }) else {
                return "\(name): \(isDone.value) of \(threads) threads are done"
            }
            for thread in all { thread.join() }
            let expected = 100 + threads * count
            if let effects = flood.effects, !eventually({ effects() == expected }) {
                return "\(name): \(effects()) of \(expected) calls had an effect"
            }
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
        wakes(scale: scale)
        shared()
    }

    /// Floods with one number of threads.
    struct Group {
        let threads: Int
        let scale: Int
        private(set) var faults: [String] = []
        private(set) var count = 0

        init(threads: Int, scale: Int) {
            self.threads = threads
            self.scale = scale
        }

        mutating func run(_ name: String, _ operations: Int, most: Int = 16 << 20, _ make: () -> Flood) {
            count += 1
            let times = max(1, operations * scale / threads)
            let fault = flood("\(name) × \(threads)", threads: threads, count: times, most: most, make)
            if let fault { faults.append(fault) }
        }
    }

    static func operations(scale: Int) {
        let groups = [4, 32].map { threads in
            var group = Group(threads: threads, scale: scale)
            group.addSends()
            group.addValues()
            group.addStarts()
            group.addSchedulers()
            return group
        }
        let (faults, count) = (groups.flatMap(\.faults), groups.reduce(0) { $0 + $1.count })
        Report.row(
            "X2c",
            "floods of one operation on 4 and on 32 threads return, lose nothing, use less than 16 MiB, and leave nothing",
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

    /// Threads fill an inbox. A place that becomes free wakes the thread whose turn it is, not all of them.
    static func wakes(scale: Int) {
        var seen: [String] = []
        var isKept = true
        for threads in [64, 512] {
            let pipe: Pipe = Signal.pipe()
            let count = max(1, 400_000 * scale / threads)
            pipe.output.observeValues { _ in
                for _ in 0..<20 { _ = faults_now() }
            }
            let sleeps = Counter()
            let all = FaultThread.group(threads) { _ in
                let begun = faults_context_switches()
                for number in 0..<count { pipe.input.send(value: number) }
                sleeps.add(Int(faults_context_switches() - begun))
            }
            isKept = eventually(within: 60) { all.allSatisfy(\.isFinished) } && isKept
            isKept = isKept && sleeps.value < threads * count
            seen.append("\(sleeps.value) sleeps in \(threads * count) sends of \(threads) threads")
        }
        Report.row(
            "X2a", "threads that fill an inbox sleep less than once per send", Report.isNaive ? nil : isKept,
            seen.joined(separator: "; "))
    }

    /// A start costs the same however many starts share a producer, and so does its end.
    static func shared() {
        func bytesPerStart(_ count: Int) -> Int {
            let pipe: Pipe = Signal.pipe()
            let shared = pipe.output.producer.share()
            let seen = Counter()
            var starts = [shared.startWithValues { _ in seen.add() }]
            starts.reserveCapacity(count)
            faults_begin_counting()
            let begun = faults_allocated_bytes()
            for _ in 1..<count { starts.append(shared.startWithValues { _ in seen.add() }) }
            pipe.input.send(value: 1)
            for start in starts { start.dispose() }
            return seen.value == count ? Int(faults_allocated_bytes() - begun) / count : .max
        }
        let (few, many) = (bytesPerStart(1_000), bytesPerStart(32_000))
        Report.row(
            "P1", "a start that shares a producer allocates the same beside 1,000 others and beside 32,000",
            Report.isNaive ? nil : many <= few * 11 / 10,
            "\(few) and \(many) bytes")
    }
}

extension Floods.Group {
    fileprivate mutating func addSends() {
        run("send", 200_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            let seen = Counter()
            pipe.output.observeValues { _ in seen.add() }
            return Floods.Flood {
                pipe.input.send(value: $1)
            } effects: {
                seen.value
            }
        }
        run("send to a slow observer", 100_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            let seen = Counter()
            pipe.output.observeValues { value in
                if value % 16 == 0 { usleep(50) }
                seen.add()
            }
            return Floods.Flood {
                pipe.input.send(value: $1)
            } effects: {
                seen.value
            }
        }
        run("observe and dispose", 200_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            return Floods.Flood { _, _ in
                pipe.output.observeValues { _ in }?.dispose()
                withExtendedLifetime(pipe.input) {}
            }
        }
        run("observe and dispose beside sends", 50_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            let result = pipe.output.map { $0 }
            return Floods.Flood { thread, number in
                if thread == 0 { pipe.input.send(value: number) } else { result.observeValues { _ in }?.dispose() }
            }
        }
        run("take until", 50_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            return Floods.Flood { _, number in
                let (end, toEnd) = Signal<(), Never>.pipe()
                pipe.output.take(until: end).observeValues { _ in }
                toEnd.send(value: ())
                if number % 64 == 0 { pipe.input.send(value: number) }
            }
        }
    }

    fileprivate mutating func addValues() {
        run("set a property", 100_000) {
            let property = MutableProperty(0)
            let seen = Counter()
            property.signal.observeValues { _ in seen.add() }
            return Floods.Flood {
                property.value = $1
            } effects: {
                seen.value
            }
        }
        run("modify a property", 200_000) {
            let property = MutableProperty(0)
            return Floods.Flood { _, _ in
                property.modify { $0 += 1 }
            } effects: {
                property.value
            }
        }
        run("modify an atomic", 200_000) {
            let atomic = Atomic(0)
            return Floods.Flood { _, _ in
                atomic.modify { $0 += 1 }
            } effects: {
                atomic.value
            }
        }
        run("bag", 100_000) {
            let bag = Bag([1, 2, 3])
            return Floods.Flood { thread, number in
                if thread % 2 == 0 {
                    let token = bag.insert(number)
                    bag.remove(using: token)
                } else {
                    _ = bag.map { $0 }.count + Array(bag).count
                }
            }
        }
        run("composite", 1_000_000) {
            let composite = CompositeDisposable()
            return Floods.Flood { _, _ in composite.add {}?.dispose() }
        }
        run("action", 50_000) {
            let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
            return Floods.Flood { action.apply($1).start() }
        }
    }

    fileprivate mutating func addStarts() {
        run("start a producer", 50_000) {
            let seen = Counter()
            let producer = SignalProducer<Int, Never>([1]).map { $0 + 1 }.on(value: { _ in seen.add() })
            return Floods.Flood { _, _ in
                producer.start()
            } effects: {
                seen.value
            }
        }
        run("start a producer that replays", 50_000) {
            let producer = SignalProducer<Int, Never>([1, 2, 3]).concat(.never).replayLazily(upTo: 1)
            let running = producer.start()
            let seen = Counter()
            return Floods.Flood { _, _ in
                withExtendedLifetime(running) { producer.startWithValues { _ in seen.add() }.dispose() }
            } effects: {
                seen.value
            }
        }
        run("start the producer of a property", 50_000) {
            let property = MutableProperty(0)
            return Floods.Flood { _, _ in property.producer.startWithValues { _ in }.dispose() }
        }
        run("combineLatest", 100_000) {
            let (left, right): (Floods.Pipe, Floods.Pipe) = (Signal.pipe(), Signal.pipe())
            let seen = Counter()
            left.output.combineLatest(with: right.output).observeValues { _ in seen.add() }
            left.input.send(value: 0)
            right.input.send(value: 0)
            return Floods.Flood {
                ($0 % 2 == 0 ? left : right).input.send(value: $1)
            } effects: {
                seen.value - 1
            }
        }
        run("flatMap(.merge)", 50_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            let seen = Counter()
            pipe.output.flatMap(.merge) { SignalProducer<Int, Never>(value: $0) }.observeValues { _ in seen.add() }
            return Floods.Flood {
                pipe.input.send(value: $1)
            } effects: {
                seen.value
            }
        }
    }

    fileprivate mutating func addSchedulers() {
        run("schedule and cancel", 100_000) {
            let queue = QueueScheduler(name: "timers")
            return Floods.Flood { _, _ in queue.schedule(after: Date(timeIntervalSinceNow: 10)) {}?.dispose() }
        }
        run("hop, observe and dispose", 10_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            let queue = QueueScheduler(name: "hop")
            return Floods.Flood { thread, number in
                let observation = pipe.output.observe(on: queue).observeValues { _ in }
                if thread == 0 { pipe.input.send(value: number) }
                observation?.dispose()
            }
        }
        // Actions of a scheduler have no bound.
        run("schedule", 100_000, most: 64 << 20) {
            let queue = QueueScheduler(name: "actions")
            let seen = Counter()
            return Floods.Flood { _, _ in
                queue.schedule { seen.add() }
            } effects: {
                seen.value
            }
        }
        run("flatMap(.latest) on a queue", 20_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            let queue = QueueScheduler(name: "inner")
            pipe.output.flatMap(.latest) { SignalProducer<Int, Never>(value: $0).start(on: queue) }.observeValues {
                _ in
            }
            return Floods.Flood { pipe.input.send(value: $1) }
        }
        run("debounce and throttle", 50_000) {
            let pipe: Floods.Pipe = Signal.pipe()
            let queue = QueueScheduler(name: "timers")
            pipe.output.debounce(0.01, on: queue).observeValues { _ in }
            pipe.output.throttle(0.01, on: queue).observeValues { _ in }
            return Floods.Flood { pipe.input.send(value: $1) }
        }
    }
}
