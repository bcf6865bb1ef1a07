internal import Dispatch

/// Delayed actions of queue schedulers on one system timer, or of a ``ClockScheduler`` on its clock.
///
/// A process has a few shared services, each for some of the queues. All actions of a queue are in the same service, so they
/// run in order.
///
/// The holder of the flag owns the wheel: a thread that changes it, for a few memory writes; or the thread that submits due
/// entries, for a limited number of steps. Whoever finds the flag held leaves its change to the holder. No user code runs and no
/// action is released meanwhile. Due entries are submitted to their queues afterwards. The cancelling thread releases a
/// cancelled action.
///
/// All times are on the monotonic clock. Setting the time of day doesn't affect waiting actions.
final class TimerService: @unchecked Sendable {  // The flag guards the wheel.
    /// How many steps one wake-up makes. At most this many actions run on a queue before others run.
    static let wakeUpLimit = 1024

    /// How many changes may be queued. Whoever comes then waits: otherwise a flood would take memory without a bound while the
    /// holder of the flag doesn't run.
    private static let mostQueued: UInt64 = 1024

    /// How many steps are made with the flag held: about a microsecond of work or less.
    private static let stepsPerHold = 32

    /// The shared services: one for each processor that this process may use, up to 16.
    private static let shared: [TimerService] = {
        return (0..<min(Processors.count, 16)).map { onDispatch(name: "corinth.timers.\($0)") }
    }()

    /// The shared service of a queue. It is never deallocated.
    static func shared(for queue: DispatchQueue) -> TimerService {
        // The upper bits of a product with 2^64 divided by the golden ratio: they distribute consecutive addresses (Knuth,
        // The Art of Computer Programming, volume 3, section 6.4).
        let hash = UInt64(UInt(bitPattern: ObjectIdentifier(queue))) &* 0x9E37_79B9_7F4A_7C15
        return shared[Int(((hash >> 32) * UInt64(shared.count)) >> 32)]
    }

    private let flag = OwnerFlag()
    private let changes = AtomicStack()

    /// How many changes are queued, or about to be.
    private let queued = AtomicWord()

    /// What the flag guards.
    @safe private struct Waiting: ~Copyable {
        var wheel: TimerWheel

        /// The time for which the alarm is set or is about to be set.
        var armed = TimePoint.never
    }

    @safe @exclusivity(unchecked) private var waiting: Waiting

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
        waiting = Waiting(wheel: TimerWheel(start: clock()))
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
            submit: { queue, first in
                guard let queue else { return }
                let context = QueueContext.of(queue)
                context.order.raise()
                context.post(ScheduledAction(first.runAll), to: queue)
            })
        source.setEventHandler { service.wake() }
        source.activate()
        return service
    }

    /// The time.
    var now: TimePoint { clock() }

    /// How many entries wait for their time. For tests: no other thread may hold the flag.
    var pendingCount: Int { waiting.wheel.count }

    /// Schedules an entry that waits, to run when it is due. Removes one that is over, if it is in the wheel.
    func update(_ entry: TimerEntry) { change(.entry(entry)) }

    /// Cancels the alarm if no entry waits. Without it, an alarm for removed entries rings once, to no effect.
    func cancelIdleAlarm() { change(.idle) }

    // MARK: Changes

    private enum Change {
        /// An entry waits, or is over. Which of them is seen when the change is made, so that the order of a disposal and the
        /// entry's own start doesn't matter.
        case entry(TimerEntry)
        /// Nothing may wait any more.
        case idle
        /// The alarm was set to this time.
        case alarm(TimePoint)
        /// The alarm has rung.
        case rung
    }

    private final class QueuedChange: StackNode {
        let change: Change
        var below: UInt64 = 0

        init(_ change: Change) { self.change = change }
    }

    /// Makes a change: at once or, while another thread holds the flag, by that thread. So nobody waits for a thread that was
    /// preempted meanwhile, unless a thousand changes wait for it already. Then sets the alarm, if its time has changed.
    private func change(_ change: Change) { setAlarm(to: begin(change)) }

    /// Sets the alarm, without the flag. Then checks whether the time is still the same. So of all threads, the one that sets the
    /// alarm last finds it right, or sets it again.
    private func setAlarm(to moment: TimePoint?) {
        var next = moment
        while let moment = next {
            alarm(moment)
            next = begin(.alarm(moment))
        }
    }

    /// - Returns: The time to which the alarm is to be set; nil if it stays.
    private func begin(_ change: Change) -> TimePoint? {
        if let held = flag.tryAcquire() { return leave(held, after: change) }
        // relaxed: a count.
        if queued.fetchAdd(1, .relaxed) < TimerService.mostQueued {
            changes.push(QueuedChange(change))
            guard let held = flag.tryAcquireOrTell() else { return nil }
            return leave(held)
        }
        queued.fetchSubtract(1, .relaxed)
        return leave(flag.acquire(), after: change)
    }

    /// Makes the queued changes and then this one, and releases the flag. Repeats it if others were queued meanwhile.
    ///
    /// - Returns: As ``begin(_:)``.
    private func leave(_ held: consuming Held, after change: Change? = nil, settingAlarm: Bool = false) -> TimePoint? {
        var held = held
        var change = change
        var setsAlarm = settingAlarm
        while true {
            PlainAccess.write(self)
            makeQueuedChanges(&setsAlarm)
            if let change = change.take() { make(change, &setsAlarm) }
            let moment = waiting.armed
            guard flag.releaseTold(held), !changes.isEmpty, let again = flag.tryAcquireOrTell() else {
                return setsAlarm ? moment : nil
            }
            held = again
        }
    }

    private func makeQueuedChanges(_ setsAlarm: inout Bool) {
        if changes.isEmpty { return }
        var rest = changes.takeAllInOrder(QueuedChange.self)
        var count: UInt64 = 0
        while let node = rest {
            rest = node.takeBelow()
            make(node.change, &setsAlarm)
            count += 1
        }
        queued.fetchSubtract(count, .relaxed)
    }

    private func make(_ change: Change, _ setsAlarm: inout Bool) {
        switch change {
        case .entry(let entry):
            if entry.isDisposed { return waiting.wheel.remove(entry) }
            waiting.wheel.insert(entry)
            guard entry.deadline < waiting.armed else { return }
            waiting.armed = entry.deadline
        case .idle:
            guard waiting.wheel.count == 0, waiting.armed < .never else { return }
            waiting.armed = .never
        // Another thread may have changed the time before this thread set the alarm, and set the alarm first.
        case .alarm(let moment): if moment == waiting.armed { return }
        case .rung:
            waiting.armed = waiting.wheel.earliest ?? .never
            if waiting.armed == .never { return }
        }
        setsAlarm = true
    }

    // MARK: Waking

    /// Submits due entries to their queues. Called by one thread at a time, so the earliest due is submitted first.
    func wake() {
        let now = clock()
        var batch = Batch()
        for _ in 0..<TimerService.wakeUpLimit / TimerService.stepsPerHold {
            let (due, isThrough) = unsafe takeDue(until: now)
            var rest = unsafe due
            while let entry = unsafe rest?.takeRetainedValue() {
                unsafe rest = entry.neighbours.next
                entry.neighbours = Neighbours()
                if let full = batch.append(entry) { submit(full.queue, full) }
            }
            if isThrough { break }
        }
        if let first = batch.first { submit(first.queue, first) }
        // If work is left, the alarm is set to a past time, so the next wake-up comes soon.
        change(.rung)
    }

    /// The due entries, earliest first; and whether these are all. Makes a limited number of steps.
    private func takeDue(until now: TimePoint) -> (due: Unmanaged<TimerEntry>?, isThrough: Bool) {
        var due = IntrusiveList<TimerEntry>()
        var (isThrough, setsAlarm) = (false, false)
        let held = flag.acquire()
        PlainAccess.write(self)
        // Otherwise later entries could be due before these, if the thread that is to make these changes was preempted.
        makeQueuedChanges(&setsAlarm)
        steps: for _ in 0..<TimerService.stepsPerHold {
            switch waiting.wheel.step(until: now) {
            case .idle:
                isThrough = true
                break steps
            case .moved: break
            case .due(let entry):
                // It is out of the wheel: this thread owns its neighbours.
                unsafe due.append(.passRetained(entry))
            }
        }
        setAlarm(to: leave(held, settingAlarm: setsAlarm))
        return (due.first, isThrough)
    }

    /// Entries of one queue, each the next of the one before.
    private struct Batch {
        private(set) var first: TimerEntry?
        private var last: TimerEntry?

        /// Appends an entry. An entry of another queue begins a new batch, and the old one is returned.
        mutating func append(_ entry: TimerEntry) -> TimerEntry? {
            defer { last = entry }
            if let last, last.queue === entry.queue {
                last.neighbours.next = unsafe .passRetained(entry)
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
