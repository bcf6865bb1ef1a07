/// The handle that a start returns to its user if the start handler's observer can still send. It holds the observer.
///
/// Releasing the last reference to this handle releases the observer, unless the handler has kept it. The start is then
/// interrupted.
@usableFromInline
class StartHandle: Disposable, @unchecked Sendable {  // Only `deinit` reads `held`.
    @usableFromInline final let run: ProducerRun

    /// Keeps the observer. Written by the starting thread while it holds a reference to this handle.
    @safe @exclusivity(unchecked)
    @usableFromInline final var held: CompositeDisposable?

    @inlinable
    init(_ run: ProducerRun) {
        self.run = run
    }

    deinit { held?.releaseKept() }

    @usableFromInline
    var isDisposed: Bool { run.isDisposed }

    @usableFromInline
    func dispose() { run.dispose() }
}

/// The handle of a start as a signal, which knows whether it was disposed of itself: the run may have ended otherwise.
@usableFromInline
final class SignalStartHandle: StartHandle, EndingDisposable, @unchecked Sendable {  // See the superclass.
    private let flag = AtomicFlag()
    private let begun = AtomicFlag()

    @usableFromInline
    override init(_ run: ProducerRun) {
        super.init(run)
    }

    /// Whether the caller is to begin the start: true once.
    @usableFromInline
    func begins() -> Bool {
        // relaxed: whoever begins the start publishes what it has done.
        begun.tryRaise(.relaxed)
    }

    var hasEnded: Bool { run.isDisposed }

    // acquire: sees the writes made before the disposal. Pairs with `dispose()`.
    @usableFromInline
    override var isDisposed: Bool { flag.isRaised(.acquire) }

    @usableFromInline
    override func dispose() {
        // release: see `isDisposed`.
        if flag.tryRaise(.acquireRelease) { run.dispose() }
    }
}

/// The handle of all starts that end before they return, and that hold nothing.
@usableFromInline
final class EndedStart: Disposable {
    @usableFromInline static let handle = EndedStart()

    @usableFromInline
    var isDisposed: Bool { true }

    @usableFromInline
    func dispose() {}
}

/// Keeps the observer of a start handler alive.
///
/// The start's input holds the observer until the start ends. So everything that holds a start and can end it keeps it
/// alive: an operator, an action, a binding. For a start that the user makes, the user's handle decides instead. The thread
/// therefore records that start's run, and the composite that keeps the observer. This includes operators between a source
/// and the user, but not operators that start other producers themselves.
@usableFromInline
enum StartHolding {
    /// Records that this thread is in a start that the user makes, until ``end(_:)``.
    ///
    /// - Returns: The enclosing start.
    @inlinable @inline(__always)
    static func begin(_ run: ProducerRun) -> StartRecord {
        let thread = ThreadState.current
        let outer = thread.start
        thread.start = StartRecord(of: run)
        return outer
    }

    /// - Returns: The composite that keeps the observer. The user's handle has the observer released when it is itself released.
    @inlinable @inline(__always)
    static func end(_ outer: StartRecord) -> CompositeDisposable? {
        let thread = ThreadState.current
        let start = thread.start
        thread.start = outer
        return start.holds ? start.takeHeld() : nil
    }

    /// The user's handle of a start.
    @usableFromInline
    @inline(never)
    static func handle(of run: ProducerRun, holding start: StartRecord) -> any Disposable {
        let handle = StartHandle(run)
        handle.held = start.takeHeld()
        return handle
    }

    /// Records the run of an operator's upstream, which is part of the same start.
    @inlinable @inline(__always)
    static func continueStart(from run: ProducerRun, to upstream: ProducerRun) {
        let thread = ThreadState.current
        if thread.start == StartRecord(of: run) { thread.start = StartRecord(of: upstream) }
    }

    /// Ends the record when the source that the user started has ended. The operator holds the source that replaces it.
    @inlinable @inline(__always)
    static func continueWithoutUser(from run: ProducerRun) {
        let thread = ThreadState.current
        if thread.start == StartRecord(of: run) { thread.start = .none }
    }

    /// Holds an observer until the start has ended.
    @usableFromInline
    @inline(never)
    static func hold(_ observer: AnyObject, until resources: CompositeDisposable, in run: ProducerRun) {
        guard resources.keep(observer) else { return }
        let thread = ThreadState.current
        if thread.start == StartRecord(of: run) { thread.start = StartRecord(holding: resources) }
    }
}

extension StartRecord {
    @inlinable @inline(__always)
    init(of run: ProducerRun) { self.init(bits: unsafe UInt(bitPattern: run.address)) }

    /// From here on, the record belongs to no run.
    init(holding resources: CompositeDisposable) {
        self.init(bits: TaggedReference.word(retaining: resources, tag: 1))
    }

    /// What the start holds. Called once.
    @usableFromInline
    func takeHeld() -> CompositeDisposable? {
        let held: Unmanaged<CompositeDisposable>? = unsafe TaggedReference.object(of: bits, tagged: 1)
        return unsafe held?.takeRetainedValue()
    }
}

extension ProducerRun {
    /// The run upstream of an operator between a source and the user.
    @inlinable
    convenience init(upstreamOf run: ProducerRun) {
        self.init()
        #if DEBUG && !Exploration
            blocks = run.blocks
        #endif
        StartHolding.continueStart(from: run, to: self)
    }
}
