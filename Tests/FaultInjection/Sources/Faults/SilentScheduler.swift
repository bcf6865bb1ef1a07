import Corinth
import Dispatch
import Foundation

/// A scheduler that never runs anything.
enum SilentScheduler {
    /// Drops each action.
    final class Deaf: Scheduler {
        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { nil }
    }

    /// Keeps each action, and runs none.
    final class Lazy: Scheduler {
        private let actions = Bag<() -> Void>()
        private let tokens = Atomic<[Bag<() -> Void>.Token]>([])

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
            nonisolated(unsafe) let action = action
            let token = actions.insert { unsafe action() }
            tokens.modify { $0.append(token) }
            return AnyDisposable { self.actions.remove(using: token) }
        }

        /// Drops the actions.
        func clear() { while let token = tokens.modify({ $0.popLast() }) { actions.remove(using: token) } }
    }

    /// Counts itself.
    final class Value: Sendable {
        let alive: Counter

        init(_ alive: Counter) {
            self.alive = alive
            alive.add()
        }

        deinit { alive.add(-1) }
    }

    static func all() {
        bounds()
        senders()
        stalls()
        releases()
        elsewhere()
    }

    static func bounds() {
        let statistics = BufferStatistics()
        let (output, input) = Signal<Int, Never>.pipe()
        output.observe(on: Lazy(), bufferingPolicy: .dropOldest(capacity: 100), statistics: statistics).observeValues {
            _ in
        }
        for number in 0..<10_000 { input.send(value: number) }
        Report.row(
            "X2", "a hop that drops values keeps its bound", statistics.waiting == 100 && statistics.dropped == 9_900,
            "\(statistics.waiting) of 10,000 wait, \(statistics.dropped) dropped")
    }

    static func senders() {
        let queue = DispatchQueue(label: "silent")
        queue.suspend()
        let statistics = BufferStatistics()
        let (output, input) = Signal<Int, Never>.pipe()
        let scheduler = QueueScheduler(queue: queue)
        let observation =
            output
            .observe(
                on: scheduler, bufferingPolicy: .blocking(capacity: 100, stallTimeout: .never), statistics: statistics
            )
            .observeValues { _ in }
        let returned = Counter()
        let sender = FaultThread {
            for number in 0..<1_000 {
                input.send(value: number)
                returned.add()
            }
        }
        let isFull = eventually { returned.value >= 100 }
        usleep(200_000)  // it must not go on
        let during = returned.value
        Report.row(
            "X2", "without a stall timeout, the sender of a full hop waits",
            Report.isNaive ? nil : isFull && during == 100,
            "\(during) of 1,000 sends returned, \(statistics.waiting) wait")
        observation?.dispose()
        input.sendInterrupted()
        let goesOn = eventually { sender?.isFinished == true }
        Report.row(
            "X2", "when the stream has ended, a sender that waits goes on", goesOn,
            "\(returned.value) of 1,000 sends returned")
        queue.resume()
    }

    static func stalls() {
        let queue = DispatchQueue(label: "silent")
        queue.suspend()
        let (output, input) = Signal<Int, Never>.pipe()
        let scheduler = QueueScheduler(queue: queue)
        output.observe(on: scheduler, bufferingPolicy: .blocking(capacity: 100, stallTimeout: .milliseconds(5)))
            .observeValues { _ in }
        let returned = Counter()
        let sender = FaultThread {
            for number in 0..<1_000 {
                input.send(value: number)
                returned.add()
            }
        }
        let goesOn = eventually { sender?.isFinished == true }
        Report.row(
            "X2", "with a stall timeout, one more capacity is admitted each time it passes",
            Report.isNaive ? nil : goesOn,
            "\(returned.value) of 1,000 sends returned")
        input.sendInterrupted()
        queue.resume()
    }

    static func releases() {
        var (left, made) = (0, 0)
        for scheduler in [Deaf(), Lazy()] as [any Scheduler] {
            let alive = Counter()
            let (output, input) = Signal<Value, Never>.pipe()
            let observation = output.observe(on: scheduler).observeValues { _ in }
            for _ in 0..<1_000 { input.send(value: Value(alive)) }
            observation?.dispose()
            input.sendInterrupted()
            do {
                let value = Value(alive)
                SignalProducer<Value, Never>(value: value).start(on: scheduler).start().dispose()
                SignalProducer<Value, Never> { observer, _ in observer.send(value: value) }.observe(on: scheduler)
                    .start().dispose()
            }
            made += 1_001
            (scheduler as? Lazy)?.clear()
            _ = eventually(within: 5) { alive.value == 0 }
            left += alive.value
        }
        Report.row(
            "Embedding",
            "what is queued is released when the stream has ended and the scheduler has dropped its actions", left == 0,
            "\(left) of \(made) values are alive")
    }

    /// One thread scheduler is stuck, with a full ring. Stall timeouts elsewhere in the process pass as usual.
    static func elsewhere() {
        let stuck = ThreadScheduler(name: "stuck", capacity: 2)
        let isReleased = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "silent")
        queue.suspend()
        let silent = QueueScheduler(queue: queue)
        let policy = BufferingPolicy<Never>.blocking(capacity: 1, stallTimeout: .milliseconds(20))
        let (first, toFirst) = Signal<Int, Never>.pipe()
        first.observe(on: stuck).observe(on: silent, bufferingPolicy: policy).observeValues { _ in }
        for number in 0..<5 { toFirst.send(value: number) }
        stuck.schedule { isReleased.wait() }
        let filler = FaultThread { for _ in 0..<4 { stuck.schedule {} } }
        usleep(50_000)
        let before = BufferStatistics()
        let victim = QueueScheduler(name: "victim")
        let (second, toSecond) = Signal<Int, Never>.pipe()
        second.observe(on: victim, bufferingPolicy: .unbounded, statistics: before)
            .observe(on: silent, bufferingPolicy: policy).observeValues { _ in }
        for number in 0..<20 { toSecond.send(value: number) }
        let goesOn = eventually { before.waiting == 0 }
        Report.row(
            "X2", "a scheduler that is stuck holds up no stall timeout elsewhere", Report.isNaive ? nil : goesOn,
            "\(before.delivered) of 20 values went past the bound")
        isReleased.signal()
        toFirst.sendInterrupted()
        toSecond.sendInterrupted()
        _ = eventually { filler?.isFinished == true }
        stuck.stop()
        queue.resume()
    }
}
