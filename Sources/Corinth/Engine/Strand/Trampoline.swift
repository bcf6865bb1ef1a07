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
        guard enter(thread, below: bound) else { return postpone { work(state, input) } }
        work(state, input)
        leave(thread)
    }

    /// Nests one more, unless `limit` do.
    ///
    /// Not always inlined, like ``leave(_:)``: unoptimised, that would make the frames larger that nest.
    @inlinable
    static func enter(_ thread: ThreadState, below limit: UInt64) -> Bool {
        let nesting = thread.nesting
        if !nesting.isBelow(limit) { return enterDeep(below: limit) }
        thread.nesting = nesting.deeper
        return true
    }

    @inlinable
    static func leave(_ thread: ThreadState) {
        let nesting = thread.nesting
        if nesting.hasDeferred { leaveDeep() } else { thread.nesting = nesting.shallower }
    }

    /// Nests one more if fewer than `limit` do, although the word doesn't say so.
    @usableFromInline
    @inline(never)
    static func enterDeep(below limit: UInt64) -> Bool {
        guard let deferred = ThreadState.current.nesting.deferred, deferred.depth < limit else { return false }
        deferred.depth += 1
        return true
    }

    @usableFromInline
    @inline(never)
    static func leaveDeep() {
        guard let deferred = ThreadState.current.nesting.deferred else { return }
        deferred.depth -= 1
        if deferred.depth == 0 { run(deferred) }
    }

    /// Releases an object that ended in a deep nesting. A direct release could release the next object and so on, one inside
    /// the other. The object is kept until it has no other reference, and is then released on its own.
    @inlinable @inline(__always)
    static func release(_ ended: AnyObject) {
        if !ThreadState.current.nesting.isBelow(bound / 4) { postponeRelease(of: ended) }
    }

    /// Whether the nesting permits a release that may release many other objects in turn. If true, the caller releases
    /// between this call and ``endRelease()``. Otherwise it defers the release: see ``postpone(_:)``.
    ///
    /// Far fewer releases than starts may nest: each may be the first of ``RecipeDepth/distance`` that release each other.
    static func beginRelease() -> Bool {
        enter(.current, below: bound / 16)
    }

    static func endRelease() { leave(.current) }

    /// What a thread did before ``stepOutside(into:)``.
    @frozen
    @usableFromInline
    struct Outside {
        @usableFromInline let nesting: Nesting
        @usableFromInline let start: StartRecord

        @inlinable @inline(__always)
        init(_ thread: ThreadState) {
            nesting = thread.nesting
            start = thread.start
        }
    }

    /// Continues as if nothing were nested, until ``goBack(_:)``. For calls from user code: when such a call returns, its
    /// synchronous work is done.
    ///
    /// Two calls instead of a closure: a closure would prevent the compiler from specialising the code between them.
    ///
    /// - Parameter start: The start, if the call is one.
    @inlinable @inline(__always)
    static func stepOutside(into start: StartRecord = .none) -> Outside {
        let thread = ThreadState.current
        let outside = Outside(thread)
        thread.start = start
        thread.nesting = .none
        return outside
    }

    /// - Returns: What has become of the start.
    @inlinable @inline(__always)
    @discardableResult
    static func goBack(_ outside: Outside) -> StartRecord {
        let thread = ThreadState.current
        let start = thread.start
        thread.start = outside.start
        thread.nesting = outside.nesting
        return start
    }

    /// ``run(on:with:_:)`` for a disposal. It runs at once unless it is part of another disposal.
    @inlinable @inline(__always)
    static func dispose<State, Input>(of state: State, with input: Input, _ work: @escaping (State, Input) -> Void) {
        let thread = ThreadState.current
        if thread.nesting.isDisposal {
            run(on: state, with: input, work)
            return
        }
        let outside = stepOutside()
        thread.nesting = .disposal
        run(on: state, with: input, work)
        goBack(outside)
    }

    /// The deferred work of one thread, and the nesting that it waits for.
    @usableFromInline
    final class Deferred {
        fileprivate var depth: UInt64
        fileprivate let isDisposal: Bool

        fileprivate init(in nesting: Nesting) {
            depth = nesting.depth
            isDisposal = nesting.isDisposal
        }

        fileprivate var work = Deque<() -> Void>()

        /// Objects that have ended. In a disposal, later objects retain earlier ones; in a completion, the reverse.
        fileprivate var ended: [AnyObject] = []

        /// How many objects may accumulate before all are checked.
        private var most = 256

        /// Releases objects that have no other reference.
        fileprivate func release() {
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
        let thread = ThreadState.current
        if let known = thread.nesting.deferred { return known }
        let made = Deferred(in: thread.nesting)
        thread.nesting = Nesting(deferring: made)
        return made
    }

    @usableFromInline
    @inline(never)
    static func postpone(_ work: @escaping () -> Void) { deferred.work.append(work) }

    @usableFromInline
    @inline(never)
    static func postponeRelease(of ended: AnyObject) {
        if ThreadState.current.nesting.depth >= bound / 4 { deferred.ended.append(ended) }
    }

    /// Runs the deferred work, and the work deferred meanwhile.
    private static func run(_ deferred: Deferred) {
        // So that work that runs here doesn't begin its own loop.
        deferred.depth = 1
        repeat {
            while let work = deferred.work.popFirst() {
                work()
                deferred.release()
            }
            deferred.release()
            // Objects with other references are released later by those. This may run user code.
            deferred.ended = []
        } while !deferred.work.isEmpty
        let thread = ThreadState.current
        let nesting = thread.nesting
        thread.nesting = deferred.isDisposal ? .disposal : .none
        nesting.release()
    }
}

/// How many starts and terminations of producers are nested on a thread, and whether they are part of a disposal; or, once
/// something waits for their end, the address of that, which then says both.
///
///      63 ……… 2                        1        0
///     | depth                        | disposal | 0 |
///     | address of the deferred work                1 |
@frozen
@usableFromInline
struct Nesting {
    @usableFromInline let bits: UInt

    @inlinable @inline(__always)
    init(bits: UInt) { self.bits = bits }

    @inlinable @inline(__always)
    static var none: Nesting { Nesting(bits: 0) }

    /// A disposal in which nothing is nested yet.
    @inlinable @inline(__always)
    static var disposal: Nesting { Nesting(bits: 2) }

    /// Retains the work until ``release()``.
    init(deferring work: Trampoline.Deferred) {
        self.init(bits: TaggedReference.word(retaining: work, tag: 1))
    }

    func release() { unsafe reference?.release() }

    @inlinable
    var hasDeferred: Bool {
        @inline(__always)
        get { bits & 1 != 0 }
    }

    private var reference: Unmanaged<Trampoline.Deferred>? { unsafe TaggedReference.object(of: bits, tagged: 1) }

    // Safe: it is retained while the word says so, and the word belongs to the calling thread.
    var deferred: Trampoline.Deferred? { unsafe reference?.takeUnretainedValue() }

    /// Whether the word shows that fewer than `limit` are nested. If it doesn't, they may be fewer, too.
    @inlinable @inline(__always)
    func isBelow(_ limit: UInt64) -> Bool { bits < UInt(limit) &<< 2 }

    /// One more, or one less, in a word without deferred work.
    @inlinable
    var deeper: Nesting {
        @inline(__always)
        get { Nesting(bits: bits &+ 4) }
    }

    @inlinable
    var shallower: Nesting {
        @inline(__always)
        get { Nesting(bits: bits &- 4) }
    }

    var depth: UInt64 { deferred?.depth ?? UInt64(bits &>> 2) }

    @inlinable
    var isDisposal: Bool {
        @inline(__always)
        get { hasDeferred ? deferredIsDisposal : bits & 2 != 0 }
    }

    @usableFromInline var deferredIsDisposal: Bool { deferred?.isDisposal ?? false }
}

extension ThreadState {
    @inlinable @inline(__always)
    var nesting: Nesting {
        get { unsafe Nesting(bits: state.pointee.nesting) }
        nonmutating set { unsafe state.pointee.nesting = newValue.bits }
    }
}
