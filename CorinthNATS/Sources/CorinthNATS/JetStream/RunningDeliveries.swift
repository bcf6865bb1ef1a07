#if NATS
internal import Corinth
internal import Foundation
internal import Synchronization

/// The deliveries whose handlers run. Each is extended every third of the consumer's `ackWait`, or more often: one timer is for all, while
/// there are any, because a timer of its own for each costs as much as all else.
final class RunningDeliveries: Sendable {
    /// Of the end of the handler, its deadline and a disposal, the first one counts.
    struct Run: Sendable {
        private final class Mark: Sendable { let isSettled = Synchronization.Atomic(false) }

        fileprivate let delivery: NATSDelivery
        fileprivate let all: RunningDeliveries
        private let mark = Mark()

        fileprivate init(_ delivery: NATSDelivery, in all: RunningDeliveries) {
            self.delivery = delivery
            self.all = all
        }

        /// Returns whether this is the first one. Then it isn't extended any more.
        func settles() -> Bool {
            // relaxed: only decides who settles.
            if mark.isSettled.exchange(true, ordering: .relaxed) { return false }
            all.end(delivery)
            return true
        }
    }

    private struct State: Sendable {
        var deliveries: [ObjectIdentifier: NATSDelivery] = [:]
        var isTicking = false
    }

    private let timers: QueueScheduler
    private let third: Double
    private let state = Guarded(State())
    private let timer = SerialDisposable()

    init(_ timers: QueueScheduler, extendedWithin ackWait: Duration) {
        self.timers = timers
        third = max(ackWait.seconds / 3, 0.001)
    }

    deinit { timer.dispose() }

    func begin(_ delivery: NATSDelivery) -> Run {
        let isFirst = state.withLock { state in
            state.deliveries[ObjectIdentifier(delivery)] = delivery
            defer { state.isTicking = true }
            return !state.isTicking
        }
        if isFirst { wait() }
        return Run(delivery, in: self)
    }

    private func end(_ delivery: NATSDelivery) {
        state.withLock { state in _ = state.deliveries.removeValue(forKey: ObjectIdentifier(delivery)) }
    }

    private func wait() {
        timer.inner = timers.schedule(after: timers.currentDate.addingTimeInterval(third)) { [weak self] in
            self?.tick()
        }
    }

    private func tick() {
        let deliveries = state.withLock { state in
            state.isTicking = !state.deliveries.isEmpty
            return Array(state.deliveries.values)
        }
        for delivery in deliveries { delivery.extend() }
        if !deliveries.isEmpty { wait() }
    }
}
#endif
