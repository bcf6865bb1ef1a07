public import CCorinth

/// Runs nested starts and terminations of producers on a bounded stack.
///
/// At most ``bound`` of them nest on a thread. Deeper ones are queued, in FIFO order, until the outermost has returned. So
/// recursion of producers of any depth takes constant stack (law P4).
@usableFromInline
enum Trampoline {
    /// How many may nest on one thread.
    @inlinable static var bound: UInt64 { 64 }

    /// Runs `work` on its state: at once, unless the nesting has reached the bound.
    ///
    /// - Parameter work: A closure without captures, so nothing is allocated unless it is queued.
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

    /// Releases an object that ended in a deep nesting. A direct release could release the next object and so on, one inside
    /// the other. The object is kept until it has no other reference, and is then released on its own.
    @inlinable @inline(__always)
    static func release(_ ended: AnyObject) {
        if ThreadState.current.depth >= bound / 4 { postponeRelease(of: ended) }
    }

    /// Whether the nesting permits a release that may release many other objects in turn. If true, the caller releases
    /// between this call and ``endRelease()``. Otherwise it defers the release: see ``postpone(_:)``.
    ///
    /// Far fewer releases than starts may nest: each may be the first of ``RecipeDepth/distance`` that release each other.
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

    /// A thread's nesting before ``stepOutside(into:)``.
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

    /// Continues as if nothing were nested, until ``goBack(_:)``. For calls from user code: when such a call returns, its
    /// synchronous work is done.
    ///
    /// Two calls instead of a closure: a closure would prevent the compiler from specialising the code between them.
    ///
    /// - Parameter start: The address of the start, if the call is one: see `StartHolding`.
    @inlinable @inline(__always)
    @safe static func stepOutside(into start: UnsafeMutableRawPointer? = nil) -> Outside {
        let thread = ThreadState.current
        let outside = Outside(thread)
        unsafe thread.state.pointee.starting = start
        unsafe thread.state.pointee.held = nil
        thread.depth = 0
        unsafe thread.state.pointee.disposing = 0
        unsafe thread.state.pointee.deferred = nil
        return outside
    }

    /// - Returns: What the handle of the start holds: for ``StartHolding/handle(of:_:)``.
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

    /// ``run(on:with:_:)`` for a disposal. It runs at once unless it is part of another disposal.
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

    /// The deferred work of one thread.
    private final class Deferred {
        var work = Deque<() -> Void>()

        /// Objects that have ended. In a disposal, later objects retain earlier ones; in a completion, the reverse.
        var ended: [AnyObject] = []

        /// How many objects may accumulate before all are checked.
        private var most = 256

        /// Releases objects that have no other reference.
        func release() {
            while !ended.isEmpty, isKnownUniquelyReferenced(&ended[ended.count - 1]) { ended.removeLast() }
            if ended.count < most { return }
            var kept: [AnyObject] = []
            for index in ended.indices where !isKnownUniquelyReferenced(&ended[index]) { kept.append(ended[index]) }
            ended = kept
            most = max(256, 2 * kept.count)
        }
    }

    /// The calling thread's deferred work.
    private static var deferred: Deferred {
        let state = unsafe ThreadState.current.state
        // Safe: the pointer belongs to this thread. It is stored below and removed by ``runDeferred()``.
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

    /// Runs the deferred work, and the work deferred meanwhile.
    @usableFromInline
    @inline(never)
    static func runDeferred() {
        let thread = ThreadState.current
        guard let pointer = unsafe thread.state.pointee.deferred else { return }
        let deferred = unsafe Unmanaged<Deferred>.fromOpaque(pointer).takeUnretainedValue()
        // A depth of 1, so that work that runs here doesn't begin its own loop.
        thread.depth = 1
        repeat {
            while let work = deferred.work.popFirst() {
                work()
                deferred.release()
            }
            deferred.release()
            // Objects with other references are released later by those. This may run user code.
            deferred.ended = []
        } while !deferred.work.isEmpty
        thread.depth = 0
        unsafe thread.state.pointee.deferred = nil
        unsafe Unmanaged<Deferred>.fromOpaque(pointer).release()
    }
}

extension ThreadState {
    /// How many starts and terminations of producers are nested on this thread.
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
