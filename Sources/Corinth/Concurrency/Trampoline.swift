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

    /// Lets go of what has ended inside so many others that it may be the last to hold on to them: a release would release the
    /// next, and so on, as deep as they are. It is kept until nobody else holds it, and then goes by itself.
    @inlinable @inline(__always)
    static func release(_ ended: AnyObject) {
        if ThreadState.current.depth >= bound / 4 { postponeRelease(of: ended) }
    }

    /// Whether there is room for a release that may release much else in turn, one inside the other. If so, the caller releases
    /// what it has between this and ``endRelease()``, and else has it put off: see ``postpone(_:)``.
    ///
    /// Far fewer may nest than of starts: each may be the first of ``RecipeDepth/distance`` that release each other.
    static func beginRelease() -> Bool {
        let thread = ThreadState.current
        if thread.depth >= bound / 16 { return false }
        thread.depth &+= 1
        return true
    }

    static func endRelease() {
        let thread = ThreadState.current
        thread.depth &-= 1
        if thread.depth == 0, thread.hasDeferred { runDeferred() }
    }

    /// Where a thread was before it went on as if nothing were nested.
    @frozen
    @usableFromInline
    @safe struct Outside {
        @usableFromInline let depth: UInt64
        @usableFromInline let disposing: UInt64
        @usableFromInline let deferred: UnsafeMutableRawPointer?
        @usableFromInline let starting: UnsafeMutableRawPointer?
        @usableFromInline let held: UnsafeMutableRawPointer?

        @inlinable @inline(__always)
        init(_ thread: ThreadState) {
            depth = thread.depth
            unsafe starting = unsafe thread.state.pointee.starting
            unsafe held = unsafe thread.state.pointee.held
            disposing = unsafe thread.state.pointee.disposing
            unsafe deferred = unsafe thread.state.pointee.deferred
        }
    }

    /// Goes on as if nothing were nested, until ``goBack(_:)``: for calls of the library's users, who expect that what is
    /// done at once has been done when the call returns.
    ///
    /// Two calls and no closure, which would keep the compiler from specialising what runs between them.
    ///
    /// - Parameter run: The start that is called for, if it is one: see ``StartHolding``.
    @inlinable @inline(__always)
    static func stepOutside(into run: ProducerRun? = nil) -> Outside {
        let thread = ThreadState.current
        let outside = Outside(thread)
        unsafe thread.state.pointee.starting = run.map { unsafe $0.address }
        unsafe thread.state.pointee.held = nil
        thread.depth = 0
        unsafe thread.state.pointee.disposing = 0
        unsafe thread.state.pointee.deferred = nil
        return outside
    }

    /// - Returns: What the handle of the start is to hold: for ``StartHolding/handle(of:_:)``.
    @inlinable @inline(__always)
    @discardableResult
    static func goBack(_ outside: Outside) -> UnsafeMutableRawPointer? {
        let thread = ThreadState.current
        let held = unsafe thread.state.pointee.held
        unsafe thread.state.pointee.starting = outside.starting
        unsafe thread.state.pointee.held = outside.held
        thread.depth = outside.depth
        unsafe thread.state.pointee.disposing = outside.disposing
        unsafe thread.state.pointee.deferred = outside.deferred
        return unsafe held
    }

    /// ``run(on:with:_:)`` for a disposal: at once, if it isn't part of another one.
    @inlinable @inline(__always)
    static func dispose<State, Input>(of state: State, with input: Input, _ work: @escaping (State, Input) -> Void) {
        let thread = ThreadState.current
        if unsafe thread.state.pointee.disposing != 0 {
            run(on: state, with: input, work)
            return
        }
        let outside = stepOutside()
        unsafe thread.state.pointee.disposing = 1
        run(on: state, with: input, work)
        unsafe goBack(outside)
    }

    /// What waits on one thread.
    private final class Deferred {
        var work = Fifo<() -> Void>()

        /// What has ended. Of a disposal, those who are later hold on to those before; of a completion, the other way round.
        var ended: [AnyObject] = []

        /// How many may have gathered until all are looked at.
        private var most = 256

        /// Lets go of what nobody else holds.
        func release() {
            while !ended.isEmpty, isKnownUniquelyReferenced(&ended[ended.count - 1]) { ended.removeLast() }
            if ended.count < most { return }
            var kept: [AnyObject] = []
            for index in ended.indices where !isKnownUniquelyReferenced(&ended[index]) { kept.append(ended[index]) }
            ended = kept
            most = max(256, 2 * kept.count)
        }
    }

    /// The calling thread's.
    private static var deferred: Deferred {
        let state = unsafe ThreadState.current.state
        // The thread's own: what is in there was put there below, and is taken out by ``runDeferred()``.
        if let known = unsafe state.pointee.deferred {
            return unsafe Unmanaged<Deferred>.fromOpaque(known).takeUnretainedValue()
        }
        let made = Deferred()
        unsafe state.pointee.deferred = Unmanaged.passRetained(made).toOpaque()
        return made
    }

    @usableFromInline
    @inline(never)
    static func postpone(_ work: @escaping () -> Void) { deferred.work.append(work) }

    @usableFromInline
    @inline(never)
    static func postponeRelease(of ended: AnyObject) { deferred.ended.append(ended) }

    /// Runs what waits, and what comes up meanwhile.
    @usableFromInline
    @inline(never)
    static func runDeferred() {
        let thread = ThreadState.current
        guard let pointer = unsafe thread.state.pointee.deferred else { return }
        let deferred = unsafe Unmanaged<Deferred>.fromOpaque(pointer).takeUnretainedValue()
        // Counted as one that is nested, so that what runs here doesn't begin a loop of its own.
        thread.depth = 1
        repeat {
            while let work = deferred.work.popFirst() {
                work()
                deferred.release()
            }
            deferred.release()
            // What others still hold goes when they let go of it. That may run code of the user's.
            deferred.ended = []
        } while !deferred.work.isEmpty
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
