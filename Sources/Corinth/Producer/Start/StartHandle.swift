public import CCorinth

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
    /// The thread's record of the enclosing start.
    @frozen
    @usableFromInline
    @safe struct Outer {
        @usableFromInline let starting: UnsafeMutableRawPointer?
        @usableFromInline let held: UnsafeMutableRawPointer?

        @inlinable @inline(__always)
        init(_ thread: ThreadState) {
            unsafe starting = unsafe thread.state.pointee.starting
            unsafe held = unsafe thread.state.pointee.held
        }
    }

    /// Records that this thread is in a start that the user makes, until ``end(_:)``.
    @inlinable @inline(__always)
    static func begin(_ run: ProducerRun) -> Outer {
        let thread = ThreadState.current
        let outer = Outer(thread)
        unsafe thread.state.pointee.starting = run.address
        unsafe thread.state.pointee.held = nil
        return outer
    }

    /// - Returns: The composite that keeps the observer. The user's handle has the observer released when it is itself released.
    @inlinable @inline(__always)
    static func end(_ outer: Outer) -> CompositeDisposable? {
        let state = unsafe ThreadState.current.state
        let held = unsafe state.pointee.held
        unsafe state.pointee.starting = outer.starting
        unsafe state.pointee.held = outer.held
        return unsafe held == nil ? nil : take(held)
    }

    @usableFromInline
    static func take(_ held: UnsafeMutableRawPointer?) -> CompositeDisposable? {
        // Retained by ``hold(_:until:in:)``.
        unsafe held.map { unsafe Unmanaged<CompositeDisposable>.fromOpaque($0).takeRetainedValue() }
    }

    /// The user's handle of a start.
    @usableFromInline
    @inline(never)
    static func handle(of run: ProducerRun, _ held: UnsafeMutableRawPointer?) -> any Disposable {
        let handle = StartHandle(run)
        handle.held = unsafe take(held)
        return handle
    }

    /// Records the run of an operator's upstream, which is part of the same start.
    @inlinable @inline(__always)
    static func continueStart(from run: ProducerRun, to upstream: ProducerRun) {
        let state = unsafe ThreadState.current.state
        if unsafe state.pointee.starting == run.address { unsafe state.pointee.starting = upstream.address }
    }

    /// Ends the record when the source that the user started has ended. The operator holds the source that replaces it.
    @inlinable @inline(__always)
    static func continueWithoutUser(from run: ProducerRun) {
        let state = unsafe ThreadState.current.state
        if unsafe state.pointee.starting == run.address { unsafe state.pointee.starting = nil }
    }

    /// Holds an observer until the start has ended.
    @usableFromInline
    @inline(never)
    static func hold(_ observer: AnyObject, until resources: CompositeDisposable, in run: ProducerRun) {
        guard resources.keep(observer) else { return }
        let state = unsafe ThreadState.current.state
        guard unsafe state.pointee.starting == run.address, unsafe state.pointee.held == nil else { return }
        unsafe state.pointee.held = Unmanaged.passRetained(resources).toOpaque()
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
