internal import CCorinth
internal import Dispatch

/// An action that waits for its time and then for its queue, once or repeatedly. It is also the disposable that cancels the
/// action.
///
/// Its word decides who owns the action: see ``TimerPhase``.
@safe
final class TimerEntry: Disposable, Listed, @unchecked Sendable {  // The word is atomic, and decides who owns the rest.
    private let phase = AtomicState<TimerPhase>(.waiting)

    /// Owned as ``TimerPhase`` says.
    @safe @exclusivity(unchecked) private var action: (() -> Void)?

    /// Runs the action. nil if all entries of the service run in one place.
    let queue: DispatchQueue?

    /// Outlives all use of this entry: the shared services are never deallocated, and a ``ClockScheduler`` disposes of an
    /// entry only while it retains its service. All threads would write to a reference count.
    private unowned(unsafe) let service: TimerService

    /// When it is due, leeway included. Owned by the service while it waits, by the queue while it runs.
    @safe @exclusivity(unchecked) private(set) var deadline: TimePoint

    /// Its neighbours in a slot of the wheel, and the index of the slot; -1 if it is in none. Owned by the service. The next
    /// one is also the next of those that are submitted to a queue together, and is then owned by the queue.
    @safe @exclusivity(unchecked) var neighbours = Neighbours<TimerEntry>()
    @safe @exclusivity(unchecked) var slot: Int32 = -1

    /// The state of a repeated timer. A separate object, so that single timers are small.
    private let repetition: Repetition?

    private final class Repetition {
        /// When it would be due without leeway. Owned like `deadline`.
        @safe @exclusivity(unchecked) var date: TimePoint

        /// In nanoseconds, at least 1.
        let interval: UInt64

        /// In nanoseconds.
        let leeway: UInt64

        init(date: TimePoint, interval: UInt64, leeway: UInt64) {
            self.date = date
            self.interval = interval
            self.leeway = leeway
        }
    }

    /// Creates a timer that runs once.
    init(
        _ action: @escaping () -> Void, at date: TimePoint, on queue: DispatchQueue? = nil, by service: TimerService
    ) {
        self.action = action
        self.queue = queue
        unsafe self.service = service
        deadline = date
        repetition = nil
    }

    /// Creates a repeated timer.
    ///
    /// - Parameters:
    ///   - interval: In nanoseconds.
    ///   - leeway: In nanoseconds.
    init(
        _ action: @escaping () -> Void, at date: TimePoint, every interval: UInt64, leeway: UInt64,
        on queue: DispatchQueue? = nil, by service: TimerService
    ) {
        self.action = action
        self.queue = queue
        unsafe self.service = service
        deadline = date.rounded(within: leeway)
        repetition = Repetition(date: date, interval: max(interval, 1), leeway: leeway)
    }

    // acquire: sees the writes before the end. Pairs with the exchange that ends it.
    var isDisposed: Bool { phase.load(.acquire) == .over }

    /// Starts waiting.
    func start() {
        // Not when the alarm is set: in the child of a fork, the thread that would do that may be gone. That of a ``ClockScheduler``
        // has no queue.
        if queue != nil { ccorinth_note_queue_use() }
        unsafe service.update(self)
    }

    /// Cancels the timer and releases the action: at once, unless it is running.
    func dispose() {
        // acquireRelease: a thread that finds it over sees the writes made before; this thread sees the action of the thread
        // that made the timer or ran it last. Pairs with `run()` and `runAgain(_:)`.
        guard phase.exchange(.over, .acquireRelease) == .waiting else { return }
        let action = takeAction()
        unsafe service.update(self)
        // Released here, with no lock held.
        _ = consume action
    }

    /// Ends a timer whose wheel is gone, and releases the action.
    func drop() {
        // acquireRelease: as in `dispose()`.
        if phase.exchange(.over, .acquireRelease) == .waiting { _ = takeAction() }
    }

    private func takeAction() -> (() -> Void)? {
        PlainAccess.write(self)
        return action.take()
    }

    /// Runs the due actions on the queue: this one and the entries linked behind it.
    func runAll() {
        var rest = unsafe Optional(Unmanaged.passRetained(self))
        while let entry = unsafe rest?.takeRetainedValue() {
            unsafe rest = entry.neighbours.next
            entry.neighbours = Neighbours()
            if let repetition = entry.repetition { entry.runAgain(repetition) } else { entry.run() }
        }
    }

    private func run() {
        // acquireRelease: as in `dispose()`.
        guard phase.exchange(.over, .acquireRelease) == .waiting else { return }
        takeAction()?()
    }

    private func runAgain(_ repetition: Repetition) {
        // acquire: sees the writes of the previous run.
        guard phase.tryUpdate(from: .waiting, .acquire, { $0.beginning(isRepeated: true) }).won else { return }
        PlainAccess.write(self)
        // This run makes up for times that passed before it; the next run for times that pass during it.
        repetition.date = repetition.date.next(after: unsafe service.now, every: repetition.interval)
        deadline = repetition.date.rounded(within: repetition.leeway)
        action?()
        PlainAccess.write(self)
        // release: publishes the run's writes to the next run, and to the disposal that takes the action. acquire: sees the
        // writes before a disposal. Pairs with the exchange in `dispose()`.
        if phase.tryUpdate(from: .running, .acquireRelease, { $0.finishing() }).won {
            unsafe service.update(self)
        } else {
            _ = takeAction()
        }
    }
}
