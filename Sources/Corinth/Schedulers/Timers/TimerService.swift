internal import Dispatch
internal import Foundation

/// Delayed actions of queue schedulers on one system timer, or of a ``ClockScheduler`` on its clock.
///
/// A process has a few shared services, each for some of the queues. All actions of a queue are in the same service, so they
/// run in order. A thread that is preempted while it holds a wheel only delays the queues of that wheel.
///
/// The holder of the flag owns the wheel: a thread that adds or removes an entry, for a few memory writes; or the thread that
/// submits due entries, for a limited number of steps. No user code runs and no action is released meanwhile. Due entries are
/// submitted to their queues afterwards. The cancelling thread releases a cancelled action.
///
/// All times are on the monotonic clock. Setting the time of day doesn't affect waiting actions.
final class TimerService: @unchecked Sendable {  // The flag guards the wheel.
    /// How many steps one wake-up makes. At most this many actions run on a queue before others run.
    static let wakeUpLimit = 1024

    /// How many steps are made with the flag held: about a microsecond of work or less.
    private static let stepsPerHold = 32

    /// The shared services: one for each processor, up to 16.
    private static let shared: [TimerService] = {
        let count = max(1, min(ProcessInfo.processInfo.processorCount, 16))
        return (0..<count).map { onDispatch(name: "corinth.timers.\($0)") }
    }()

    /// The shared service of a queue. It is never deallocated.
    static func shared(for queue: DispatchQueue) -> TimerService {
        // The upper bits of a product with 2^64 divided by the golden ratio: they distribute consecutive addresses (Knuth,
        // The Art of Computer Programming, volume 3, section 6.4).
        let hash = UInt64(UInt(bitPattern: ObjectIdentifier(queue))) &* 0x9E37_79B9_7F4A_7C15
        return shared[Int(((hash >> 32) * UInt64(shared.count)) >> 32)]
    }

    private var flagStorage: UInt64 = 0

    /// Guarded by the flag.
    private let wheel: TimerWheel

    /// The time for which the alarm is set or is about to be set. Guarded by the flag.
    @safe @exclusivity(unchecked) private var armed = TimePoint.never

    private let clock: @Sendable () -> TimePoint
    private let alarm: @Sendable (TimePoint) -> Void
    private let submit: @Sendable (DispatchQueue?, TimerEntry) -> Void

    /// - Parameters:
    ///   - clock: Returns the time.
    ///   - alarm: Arranges a call of ``wake()`` at a time, in place of the previous one; soon, if the time has passed; none for
    ///     ``TimePoint/never``. Called by any thread.
    ///   - submit: Calls ``TimerEntry/runAll()`` on the queue of the entries.
    init(
        clock: @escaping @Sendable () -> TimePoint, alarm: @escaping @Sendable (TimePoint) -> Void,
        submit: @escaping @Sendable (DispatchQueue?, TimerEntry) -> Void
    ) {
        self.clock = clock
        self.alarm = alarm
        self.submit = submit
        wheel = TimerWheel(start: clock())
        assert(flag.word.isStored(in: &flagStorage))
    }

    /// Creates a service on a system timer.
    private static func onDispatch(name: String) -> TimerService {
        let queue = DispatchQueue(label: name, qos: .userInteractive)
        let source = DispatchSource.makeTimerSource(queue: queue)
        // Dispatch allows any thread to set a timer.
        nonisolated(unsafe) let timer = source
        let service = TimerService(
            clock: { .now },
            alarm: { unsafe timer.schedule(deadline: DispatchTime($0)) },
            submit: { queue, first in queue?.async { SerialContext.runOfQueue(first.runAll) } })
        source.setEventHandler { service.wake() }
        source.activate()
        return service
    }

    private var flag: OwnerFlag { OwnerFlag(of: self, at: 0) }

    /// The time.
    var now: TimePoint { clock() }

    /// How many entries wait for their time. For tests: no other thread may hold the flag.
    var pendingCount: Int { wheel.count }

    /// Schedules an entry to run when it is due.
    func add(_ entry: TimerEntry) {
        flag.acquire()
        PlainAccess.write(wheel)
        // If it was disposed of meanwhile, the disposal removes it after this, or has already tried to: then this critical
        // section comes later and sees that it is over.
        let isAdded = !entry.isDisposed
        let isFirst = isAdded && entry.deadline < armed
        let deadline = entry.deadline
        if isAdded { wheel.insert(entry) }
        if isFirst { armed = deadline }
        flag.release()
        if isFirst { setAlarm(for: deadline) }
    }

    /// Removes an entry that is over, if it is in the wheel. The caller retains it.
    func remove(_ entry: TimerEntry) {
        flag.acquire()
        PlainAccess.write(wheel)
        wheel.remove(entry)
        flag.release()
    }

    /// Cancels the alarm if no entry waits. Without it, an alarm for removed entries rings once, to no effect.
    func cancelIdleAlarm() {
        flag.acquire()
        PlainAccess.write(wheel)
        let isIdle = wheel.count == 0 && armed < .never
        if isIdle { armed = .never }
        flag.release()
        guard isIdle else { return }
        alarm(.never)
        // Another thread may have set the alarm for a new entry meanwhile: see `setAlarm(for:)`.
        setAlarm(for: armedNow())
    }

    /// Submits due entries to their queues. Called by one thread at a time, so the earliest due is submitted first.
    func wake() {
        let now = clock()
        var batch = Batch()
        for _ in 0..<TimerService.wakeUpLimit / TimerService.stepsPerHold {
            let (due, isThrough) = unsafe takeDue(until: now)
            var rest = unsafe due
            while let entry = unsafe rest?.takeRetainedValue() {
                unsafe rest = entry.next
                entry.next = nil
                if let full = batch.append(entry) { submit(full.queue, full) }
            }
            if isThrough { break }
        }
        if let first = batch.first { submit(first.queue, first) }
        // After the last critical section, in which `armed` was set. If work is left, the alarm is set to a past time, so the
        // next wake-up comes soon.
        rearm()
    }

    /// The due entries, linked by `next`, earliest first; and whether these are all. Makes a limited number of steps.
    private func takeDue(until now: TimePoint) -> (due: Unmanaged<TimerEntry>?, isThrough: Bool) {
        var first: Unmanaged<TimerEntry>?
        var last: TimerEntry?
        var isThrough = false
        flag.acquire()
        PlainAccess.write(wheel)
        steps: for _ in 0..<TimerService.stepsPerHold {
            switch wheel.step(until: now) {
            case .idle:
                isThrough = true
                break steps
            case .moved: break
            case .due(let entry):
                // It is out of the wheel: this thread owns `next`.
                let added = unsafe Unmanaged.passRetained(entry)
                if let last { last.next = unsafe added } else { unsafe first = added }
                last = entry
            }
        }
        flag.release()
        return unsafe (first, isThrough)
    }

    private func rearm() {
        flag.acquire()
        PlainAccess.write(wheel)
        let earliest = wheel.earliest ?? .never
        armed = earliest
        flag.release()
        setAlarm(for: earliest)
    }

    /// Sets the alarm to the time in `armed`, after the flag is released.
    ///
    /// Another thread may change `armed` and set the alarm before this thread sets it, to a time that is then wrong. So each
    /// thread checks once more. The thread that sets the alarm last finds it right, or sets it again. A thread that changes
    /// `armed` after this check sets the alarm later still. So no time is missed.
    private func setAlarm(for moment: TimePoint) {
        var moment = moment
        while moment < .never {
            alarm(moment)
            let latest = armedNow()
            if latest == moment { return }
            moment = latest
        }
    }

    private func armedNow() -> TimePoint {
        flag.acquire()
        PlainAccess.write(wheel)
        let moment = armed
        flag.release()
        return moment
    }

    /// Entries of one queue, linked by `next`.
    private struct Batch {
        private(set) var first: TimerEntry?
        private var last: TimerEntry?

        /// Appends an entry. An entry of another queue begins a new batch, and the old one is returned.
        mutating func append(_ entry: TimerEntry) -> TimerEntry? {
            defer { last = entry }
            if let last, last.queue === entry.queue {
                last.next = unsafe .passRetained(entry)
                return nil
            }
            defer { first = entry }
            return first
        }
    }
}

extension DispatchTime {
    /// The same moment, or a little later.
    fileprivate init(_ moment: TimePoint) {
        let now = TimePoint.now
        self = .now() + .nanoseconds(moment > now ? Int(moment.nanoseconds - now.nanoseconds) : 0)
    }
}
