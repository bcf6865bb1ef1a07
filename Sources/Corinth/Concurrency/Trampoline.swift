public import CCorinth

/// Runs starts and ends of producers that come up inside one another on a bounded stack.
///
/// Up to ``bound`` of them nest on a thread. What comes up beyond that waits, in order, until the outermost has returned. So
/// recursion of producers, however deep, takes constant stack (law P4).
@usableFromInline
enum Trampoline {
    /// How many may nest on one thread.
    @inlinable static var bound: UInt64 { 64 }

    /// Runs `work` on its state: at once, unless too much is nested already.
    ///
    /// - Parameter work: A closure without captures, so that nothing is allocated unless it has to wait.
    @inlinable @inline(__always)
    static func run<State, Input>(on state: State, with input: Input, _ work: @escaping (State, Input) -> Void) {
        let thread = ThreadState.current
        if thread.depth >= bound {
            postpone { work(state, input) }
            return
        }
        thread.depth &+= 1
        work(state, input)
        thread.depth &-= 1
        if thread.depth == 0, thread.hasDeferred { runDeferred() }
    }

    /// Where a thread was before it went on as if nothing were nested.
    @frozen
    @usableFromInline
    @safe struct Outside {
        @usableFromInline let depth: UInt64
        @usableFromInline let deferred: UnsafeMutableRawPointer?

        @inlinable @inline(__always)
        init(depth: UInt64, deferred: UnsafeMutableRawPointer?) {
            self.depth = depth
            unsafe self.deferred = unsafe deferred
        }
    }

    /// Goes on as if nothing were nested, until ``goBack(_:)``: for calls of the library's users, who expect that what is
    /// done at once has been done when the call returns.
    ///
    /// Two calls and no closure, which would keep the compiler from specialising what runs between them.
    @inlinable @inline(__always)
    static func stepOutside() -> Outside {
        let thread = ThreadState.current
        let outside = unsafe Outside(depth: thread.depth, deferred: thread.state.pointee.deferred)
        thread.depth = 0
        unsafe thread.state.pointee.deferred = nil
        return outside
    }

    @inlinable @inline(__always)
    static func goBack(_ outside: Outside) {
        let thread = ThreadState.current
        thread.depth = outside.depth
        unsafe thread.state.pointee.deferred = outside.deferred
    }

    /// What waits on one thread.
    private final class Deferred {
        var work = Fifo<() -> Void>()
    }

    @usableFromInline
    @inline(never)
    static func postpone(_ work: @escaping () -> Void) {
        let state = unsafe ThreadState.current.state
        // The thread's own: what is in there was put there by ``postpone(_:)``, and is taken out below.
        if let deferred = unsafe state.pointee.deferred {
            unsafe Unmanaged<Deferred>.fromOpaque(deferred).takeUnretainedValue().work.append(work)
        } else {
            let deferred = Deferred()
            deferred.work.append(work)
            unsafe state.pointee.deferred = Unmanaged.passRetained(deferred).toOpaque()
        }
    }

    /// Runs what waits, and what comes up meanwhile.
    @usableFromInline
    @inline(never)
    static func runDeferred() {
        let thread = ThreadState.current
        guard let pointer = unsafe thread.state.pointee.deferred else { return }
        let deferred = unsafe Unmanaged<Deferred>.fromOpaque(pointer).takeUnretainedValue()
        // Counted as one that is nested, so that what runs here doesn't begin a loop of its own.
        thread.depth = 1
        while let work = deferred.work.popFirst() { work() }
        thread.depth = 0
        unsafe thread.state.pointee.deferred = nil
        unsafe Unmanaged<Deferred>.fromOpaque(pointer).release()
    }
}

extension ThreadState {
    /// How many starts and ends of producers are nested on this thread.
    @inlinable @inline(__always)
    var depth: UInt64 {
        get { unsafe state.pointee.depth }
        nonmutating set { unsafe state.pointee.depth = newValue }
    }

    @inlinable
    var hasDeferred: Bool {
        @inline(__always)
        get { unsafe state.pointee.deferred != nil }
    }
}
