internal import Dispatch

/// An action that waits for its time, then for its queue, once or again and again; and what cancels it.
///
/// Its word says who may touch the action:
///
///     waiting ── run ──▶ running ─────▶ waiting …    if it is repeated
///        │                  │
///        └── dispose ──▶ over ◀── dispose ┘
///
/// Whoever moves the word away from waiting owns the action. While it runs, a disposal only says so, and the queue that runs
/// it lets go of it afterwards. One that runs once is over when it begins.
@safe
final class TimerEntry: Disposable, @unchecked Sendable {  // The word is atomic, and says who may touch the rest.
    enum Phase {
        static var waiting: UInt64 { 0 }
        static var running: UInt64 { 1 }
        static var over: UInt64 { 2 }
    }

    private var phaseStorage: UInt64 = Phase.waiting

    /// As said above.
    @safe @exclusivity(unchecked) private var action: (() -> Void)?

    let queue: DispatchQueue

    /// Outlives this: those of the process never go. Counted references to it would be what all threads write to.
    private unowned(unsafe) let service: TimerService

    /// When it is due, leeway included. Owned by the service while it waits, by the queue while it runs.
    @safe @exclusivity(unchecked) private(set) var deadline: TimePoint

    /// Its neighbours in a slot of the wheel, and the number of the slot; -1 if it is in none. Owned by the service.
    /// `next` also links those that are handed to a queue together, and is the queue's then.
    @safe @exclusivity(unchecked) var next: Unmanaged<TimerEntry>?
    @safe @exclusivity(unchecked) var previous: Unmanaged<TimerEntry>?
    @safe @exclusivity(unchecked) var slot: Int32 = -1

    /// What it needs if it is repeated; apart, so that timeouts are small.
    private let repetition: Repetition?

    private final class Repetition {
        /// When it would be due without leeway. Owned as `deadline`.
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

    /// One that runs once.
    init(
        _ action: @escaping () -> Void, at date: TimePoint, on queue: DispatchQueue, by service: TimerService? = nil
    ) {
        self.action = action
        self.queue = queue
        unsafe self.service = service ?? .shared(for: queue)
        deadline = date
        next = nil
        previous = nil
        repetition = nil
    }

    /// One that is repeated.
    ///
    /// - Parameters:
    ///   - interval: In nanoseconds.
    ///   - leeway: In nanoseconds.
    init(
        _ action: @escaping () -> Void, at date: TimePoint, every interval: UInt64, leeway: UInt64,
        on queue: DispatchQueue, by service: TimerService? = nil
    ) {
        self.action = action
        self.queue = queue
        unsafe self.service = service ?? .shared(for: queue)
        deadline = date.rounded(within: leeway)
        next = nil
        previous = nil
        repetition = Repetition(date: date, interval: max(interval, 1), leeway: leeway)
    }

    private var phase: AtomicWord { AtomicWord(of: self) }

    // acquire: whoever sees it also sees what was done before. Pairs with the exchange that ends it.
    var isDisposed: Bool { phase.load(.acquire) == Phase.over }

    /// Begins to wait.
    func start() { unsafe service.add(self) }

    /// Makes it not run any more, and lets go of the action: at once, unless it is running.
    func dispose() {
        // acquireRelease: what led here is seen by whoever finds it over; the action, which comes from the thread that made
        // this or ran it last, is seen here. Pairs with `run()` and `runAgain(_:)`.
        guard phase.exchange(Phase.over, .acquireRelease) == Phase.waiting else { return }
        let action = takeAction()
        unsafe service.remove(self)
        // Released here, with nothing held.
        _ = consume action
    }

    private func takeAction() -> (() -> Void)? {
        PlainAccess.write(self)
        return action.take()
    }

    /// Runs what is due, on the queue: this, and those that are linked behind it.
    func runAll() {
        var rest = unsafe Optional(Unmanaged.passRetained(self))
        while let entry = unsafe rest?.takeRetainedValue() {
            unsafe rest = entry.next
            entry.next = nil
            if let repetition = entry.repetition { entry.runAgain(repetition) } else { entry.run() }
        }
    }

    private func run() {
        // acquireRelease: as in `dispose()`.
        guard phase.exchange(Phase.over, .acquireRelease) == Phase.waiting else { return }
        takeAction()?()
    }

    private func runAgain(_ repetition: Repetition) {
        // acquire: sees what the run before has left.
        guard phase.compareExchange(Phase.waiting, Phase.running, .acquire).won else { return }
        PlainAccess.write(self)
        // Times that passed before this run are made up for by it; those that pass during it, by the next.
        repetition.date = repetition.date.next(after: unsafe service.now, every: repetition.interval)
        deadline = repetition.date.rounded(within: repetition.leeway)
        action?()
        PlainAccess.write(self)
        // release: what the run has done, for the next one, and for the disposal that takes the action. acquire: if it was
        // disposed of, sees what led to that. Pairs with the exchange in `dispose()`.
        if phase.compareExchange(Phase.running, Phase.waiting, .acquireRelease).won {
            unsafe service.add(self)
        } else {
            _ = takeAction()
        }
    }
}
