import Dispatch
import Foundation

@testable import Corinth

/// A timer service whose time is the test's, and whose queues are lists that the test runs.
final class VirtualTimers: @unchecked Sendable {  // The lock guards all but the service.
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
        // One that is never used, until there is something to make the real one with.
        service = TimerService(clock: { .beginning }, alarm: { _ in }, submit: { _, _ in })
        service = TimerService(
            clock: { [weak self] in TimePoint(nanoseconds: self?.now ?? 0) },
            alarm: { [weak self] in self?.setAlarm($0.nanoseconds) },
            submit: { [weak self] _, first in self?.append(first) })
    }

    private func with<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }

    /// What time it is.
    var now: UInt64 {
        get { with { $0.now } }
        set { with { $0.now = newValue } }
    }

    /// What the alarm is set to, if it hasn't rung.
    var alarm: UInt64? { with { $0.alarm } }

    /// How often it was set.
    var alarmsSet: Int { with { $0.alarmsSet } }

    /// How many batches wait for the queue to run them.
    var batchCount: Int { with { $0.batches.count } }

    private func setAlarm(_ time: UInt64) {
        with {
            $0.alarm = time
            $0.alarmsSet += 1
        }
    }

    private func append(_ first: TimerEntry) { with { $0.batches.append(first) } }

    /// Lets the time come, and the alarm ring as often as it has to. Runs nothing.
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

    /// Runs what was handed to queues.
    func runBatches() {
        while let first = with({ $0.batches.isEmpty ? nil : $0.batches.removeFirst() }) { first.runAll() }
    }

    /// Lets the time come, and runs what is due.
    func run(to time: UInt64) {
        advance(to: time)
        runBatches()
    }
}
