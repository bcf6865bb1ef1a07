internal import Dispatch
internal import Foundation

/// The delayed work of queue schedulers, on one timer of the system's.
///
/// The process has a few, each for some of the queues. One queue's work is all in one of them, so that it comes in order. A thread
/// that the system interrupts while it has a wheel delays only the queues of that wheel.
///
/// Whoever holds the flag has the wheel: a thread that adds an entry or takes one out, for some writes to memory; or the one
/// that hands over what is due, for so many steps at a time. Nothing else happens meanwhile: no code of users runs, and no
/// action is released. What is due is handed to its queue afterwards, and what is cancelled is let go of by whoever cancels.
///
/// It is the monotonic clock's time that counts. Setting the time of day changes nothing for what waits.
final class TimerService: @unchecked Sendable {  // The flag guards the wheel.
    /// How many steps a turn has. As many actions at most follow one another on a queue without letting others have their
    /// turn.
    static let turn = 1024

    /// How many steps are made with the flag held: less than a microsecond's work or so.
    private static let stepsPerHold = 32

    /// The process's own: as many as there are processors, up to 16.
    private static let shared: [TimerService] = {
        let count = max(1, min(ProcessInfo.processInfo.processorCount, 16))
        return (0..<count).map { onDispatch(name: "corinth.timers.\($0)") }
    }()

    /// The one of the process's own that a queue's work is on. It never goes.
    static func shared(for queue: DispatchQueue) -> TimerService {
        // The upper bits of a product by 2^64 divided by the golden ratio: addresses that follow one another are spread (Knuth,
        // The Art of Computer Programming, volume 3, section 6.4).
        let hash = UInt64(UInt(bitPattern: ObjectIdentifier(queue))) &* 0x9E37_79B9_7F4A_7C15
        return shared[Int(((hash >> 32) * UInt64(shared.count)) >> 32)]
    }

    private var flagStorage: UInt64 = 0

    /// Guarded by the flag.
    private let wheel: TimerWheel

    /// For when the alarm is set, or is about to be. Guarded by the flag.
    @safe @exclusivity(unchecked) private var armed = TimePoint.never

    private let clock: @Sendable () -> TimePoint
    private let alarm: @Sendable (TimePoint) -> Void
    private let submit: @Sendable (DispatchQueue, TimerEntry) -> Void

    /// - Parameters:
    ///   - clock: The time.
    ///   - alarm: Has ``wake()`` called at a time, instead of the one that it was set for before; soon, if it has passed. Any
    ///     thread calls it.
    ///   - submit: Has ``TimerEntry/runAll()`` called on a queue.
    init(
        clock: @escaping @Sendable () -> TimePoint, alarm: @escaping @Sendable (TimePoint) -> Void,
        submit: @escaping @Sendable (DispatchQueue, TimerEntry) -> Void
    ) {
        self.clock = clock
        self.alarm = alarm
        self.submit = submit
        wheel = TimerWheel(start: clock())
    }

    /// One on a timer of the system's.
    private static func onDispatch(name: String) -> TimerService {
        let queue = DispatchQueue(label: name, qos: .userInteractive)
        let source = DispatchSource.makeTimerSource(queue: queue)
        // Dispatch lets any thread set a timer.
        nonisolated(unsafe) let timer = source
        let service = TimerService(
            clock: { .now },
            alarm: { unsafe timer.schedule(deadline: DispatchTime($0)) },
            submit: { queue, first in queue.async { first.runAll() } })
        source.setEventHandler { service.wake() }
        source.activate()
        return service
    }

    private var flag: OwnerFlag { OwnerFlag(of: self, at: 0) }

    /// The time.
    var now: TimePoint { clock() }

    /// How many entries wait for their time. For tests: nobody else may hold the flag.
    var pendingCount: Int { wheel.count }

    /// Has an entry run when it is due.
    func add(_ entry: TimerEntry) {
        flag.acquire()
        PlainAccess.write(wheel)
        // If it was disposed of meanwhile, the disposal takes it out after this, or has looked for it already: then this hold,
        // which comes later, sees that it is over.
        let isAdded = !entry.isDisposed
        let isFirst = isAdded && entry.deadline < armed
        let deadline = entry.deadline
        if isAdded { wheel.insert(entry) }
        if isFirst { armed = deadline }
        flag.release()
        if isFirst { setAlarm(for: deadline) }
    }

    /// Takes out an entry that is over, if it is in. The caller holds it.
    func remove(_ entry: TimerEntry) {
        flag.acquire()
        PlainAccess.write(wheel)
        wheel.remove(entry)
        flag.release()
    }

    /// Hands what is due to its queues. Called by one thread at a time, so that what is due first is handed over first.
    func wake() {
        let now = clock()
        var batch = Batch()
        for _ in 0..<TimerService.turn / TimerService.stepsPerHold {
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
        // After the last hold, in which `armed` was set: if there is more to do now, to a time that has passed, so that the
        // next turn comes soon.
        rearm()
    }

    /// What is due, linked by `next`, the first first; and whether that is all. So many steps at most.
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
                // It is out of the wheel: `next` is this thread's.
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

    /// Sets the alarm to the time that `armed` was set to, with the flag given back.
    ///
    /// Another thread may change `armed`, and set the alarm, before this one comes to it, which would then set it to the wrong
    /// time. So each looks once more. Whoever sets the alarm last finds that it is right, or sets it again; and whoever changes
    /// `armed` after that look sets it later still. A time that is never set again is missed by nobody.
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

        /// Puts an entry behind the others. If it is of another queue, it begins a new batch, and this is the old one.
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
