import Dispatch
import Foundation

@testable import Corinth

/// A timer service in virtual time. Its queues are lists, and the test runs them.
final class VirtualTimers: @unchecked Sendable {  // The lock guards all fields but the service.
    private struct State {
        var now: UInt64
        var alarm: UInt64?
        var alarmsSet = 0
        var batches: [TimerEntry] = []
    }

    private let lock = NSLock()
    private var state: State
    private(set) var service: TimerService

    init(now: UInt64 = 1_000_000_000) {
        state = State(now: now)
        // A placeholder that is never used, because the real service captures `self`.
        service = TimerService(clock: { .beginning }, alarm: { _ in }, submit: { _, _ in })
        service = TimerService(
            clock: { [weak self] in TimePoint(nanoseconds: self?.now ?? 0) },
            alarm: { [weak self] in self?.setAlarm($0.nanoseconds) },
            submit: { [weak self] _, first in self?.append(first) })
    }

    private func with<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }

    /// The current time.
    var now: UInt64 {
        get { with { $0.now } }
        set { with { $0.now = newValue } }
    }

    /// The time that the alarm is set to; nil after it has fired or was cancelled.
    var alarm: UInt64? { with { $0.alarm } }

    /// How many times the alarm was set.
    var alarmsSet: Int { with { $0.alarmsSet } }

    /// How many batches wait to run.
    var batchCount: Int { with { $0.batches.count } }

    private func setAlarm(_ time: UInt64) {
        with {
            $0.alarm = time < TimePoint.never.nanoseconds ? time : nil
            $0.alarmsSet += 1
        }
    }

    private func append(_ first: TimerEntry) { with { $0.batches.append(first) } }

    /// Advances the time and fires the alarm as often as needed. Runs no batch.
    func advance(to time: UInt64) {
        now = time
        while ringsNow() { service.wake() }
    }

    private func ringsNow() -> Bool {
        with {
            guard let alarm = $0.alarm, alarm <= $0.now else { return false }
            $0.alarm = nil
            return true
        }
    }

    /// Runs the batches that were submitted to queues.
    func runBatches() {
        while let first = with({ $0.batches.isEmpty ? nil : $0.batches.removeFirst() }) { first.runAll() }
    }

    /// Advances the time and runs what is due.
    func run(to time: UInt64) {
        advance(to: time)
        runBatches()
    }
}
