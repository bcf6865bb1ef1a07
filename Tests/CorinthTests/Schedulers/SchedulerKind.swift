import Corinth
import CorinthTesting
import Dispatch
import Testing

/// All schedulers, for laws that hold for each of them.
enum SchedulerKind: String, CaseIterable, CustomTestStringConvertible {
    case queue, qualityOfService, targeted, onConcurrentQueue, main, pooled, user, thread, parkingThread, clock, test

    static let dated = allCases.filter { $0 != .user }

    /// Schedulers whose time advances by itself.
    static let timed = dated.filter { $0 != .test }

    var testDescription: String { rawValue }

    func make() -> any Scheduler { self == .user ? UIScheduler() : makeDated() }

    func makeDated() -> any DateScheduler {
        switch self {
        case .queue: QueueScheduler(name: "law")
        case .qualityOfService: QueueScheduler(qos: .userInitiated)
        case .targeted: QueueScheduler(targeting: DispatchQueue(label: "target", attributes: .concurrent))
        case .onConcurrentQueue: QueueScheduler(queue: DispatchQueue(label: "concurrent", attributes: .concurrent))
        case .main: QueueScheduler.main
        case .thread: ThreadScheduler(waiting: .spinThenYield, capacity: 64)
        case .parkingThread: ThreadScheduler(waiting: .park, producers: .single)
        case .clock: ClockScheduler(ContinuousClock(), on: QueueScheduler(name: "law"))
        case .pooled: QueueSchedulerPool(count: 2, name: "law").next
        case .test: TestScheduler()
        case .user: preconditionFailure("a UI scheduler doesn't know the time")
        }
    }
}

extension Scheduler {
    /// Returns when everything that was scheduled earlier has run.
    func finish() async {
        if let test = self as? TestScheduler {
            test.step()
            return
        }
        await withCheckedContinuation { continuation in
            // The call comes from another thread. On the main thread, a UI scheduler could run the action before earlier ones.
            Thread.run { self.schedule { continuation.resume() } }
        }
    }

    /// Runs `body` as an action of this scheduler. Returns when it and the actions that it has scheduled have run.
    func runInside(_ body: sending @escaping () -> Void) async {
        schedule(body)
        await finish()
        await finish()
    }
}

extension DateScheduler {
    /// Waits until a condition holds, while time advances.
    func eventually(_ condition: () -> Bool) async -> Bool {
        guard let test = self as? TestScheduler else { return await Stress.eventually(condition) }
        for _ in 0..<10_000 {
            if condition() { return true }
            test.step(by: .milliseconds(1))
        }
        return false
    }
}

extension TestScheduler {
    /// Advances without letting tasks run.
    func step(by interval: DispatchTimeInterval = .nanoseconds(1)) { advance(by: interval) }
}

private enum Thread {
    static func run(_ body: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: body) }
}
