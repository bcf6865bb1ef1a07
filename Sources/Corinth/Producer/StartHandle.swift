public import CCorinth

/// What a start's user gets if a start handler was given an observer that is still of use: it holds the observer.
///
/// When nobody holds this any more, the observer goes, unless the handler has kept it; and with it the start, which is
/// interrupted.
@usableFromInline
final class StartHandle: Disposable, @unchecked Sendable {  // Its field is written before others know of this.
    @usableFromInline let start: any Disposable

    /// Lets go of the observer. Written by the thread that starts, before it lets go of this.
    @safe @exclusivity(unchecked)
    @usableFromInline var held: (any Disposable)?

    @inlinable
    init(_ start: any Disposable) {
        self.start = start
    }

    deinit { held?.dispose() }

    @usableFromInline
    var isDisposed: Bool { start.isDisposed }

    @usableFromInline
    func dispose() { start.dispose() }
}

/// Who holds the observer that a start handler is given.
///
/// The input of the start does, until the start ends. So whoever holds on to a start and can end it keeps it alive: an operator,
/// an action, a binding. But of a start that a user has called for, the user's handle is to decide: the thread notes which one
/// that is, and what there is to let go of. That goes for the operators, too, that only stand between a source and the user, and
/// not for those that start others on their own account.
@usableFromInline
enum StartHolding {
    /// What a thread has noted of the start around the one that it is in.
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

    /// From here to ``end(_:)`` this thread is in a start that a user has called for.
    @inlinable @inline(__always)
    static func begin(_ run: ProducerRun) -> Outer {
        let thread = ThreadState.current
        let outer = Outer(thread)
        unsafe thread.state.pointee.starting = run.address
        unsafe thread.state.pointee.held = nil
        return outer
    }

    /// - Returns: What the user's handle has to dispose of when it goes, so that the observer does.
    @inlinable @inline(__always)
    static func end(_ outer: Outer) -> (any Disposable)? {
        let state = unsafe ThreadState.current.state
        let held = unsafe state.pointee.held
        unsafe state.pointee.starting = outer.starting
        unsafe state.pointee.held = outer.held
        return unsafe held == nil ? nil : take(held)
    }

    @usableFromInline
    static func take(_ held: UnsafeMutableRawPointer?) -> (any Disposable)? {
        // Retained by ``hold(_:until:in:)``.
        unsafe held.map { unsafe Unmanaged<CompositeEntry>.fromOpaque($0).takeRetainedValue() }
    }

    /// What the user holds.
    @usableFromInline
    @inline(never)
    static func handle(of run: ProducerRun, _ held: UnsafeMutableRawPointer?) -> any Disposable {
        let handle = StartHandle(run)
        handle.held = unsafe take(held)
        return handle
    }

    /// What is upstream of an operator has a run of its own, and is part of the same start.
    @inlinable @inline(__always)
    static func goOn(from run: ProducerRun, to upstream: ProducerRun) {
        let state = unsafe ThreadState.current.state
        if unsafe state.pointee.starting == run.address { unsafe state.pointee.starting = upstream.address }
    }

    /// The source that the user has started is through. Another one takes its place, which the operator holds.
    @inlinable @inline(__always)
    static func goOnWithoutUser(from run: ProducerRun) {
        let state = unsafe ThreadState.current.state
        if unsafe state.pointee.starting == run.address { unsafe state.pointee.starting = nil }
    }

    /// Holds an observer until the start has ended.
    @usableFromInline
    @inline(never)
    static func hold(_ observer: AnyObject, until resources: CompositeDisposable, in run: ProducerRun) {
        let entry = CompositeEntry(HeldObserver(observer), in: resources)
        guard resources.insert(entry) else { return }
        let state = unsafe ThreadState.current.state
        guard unsafe state.pointee.starting == run.address, unsafe state.pointee.held == nil else { return }
        unsafe state.pointee.held = Unmanaged.passRetained(entry).toOpaque()
    }

    private final class HeldObserver: Disposable, @unchecked Sendable {  // It holds, and touches nothing.
        private let observer: AnyObject

        init(_ observer: AnyObject) { self.observer = observer }

        var isDisposed: Bool { false }

        func dispose() {}
    }
}

extension ProducerRun {
    /// The run of what is upstream of an operator which stands between a source and the user.
    @inlinable
    convenience init(upstreamOf run: ProducerRun) {
        self.init()
        StartHolding.goOn(from: run, to: self)
    }
}
