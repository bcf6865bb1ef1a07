public import CCorinth

/// The calling thread's own state, in thread-local memory.
@frozen
@usableFromInline
@safe struct ThreadState {
    @usableFromInline let state: UnsafeMutablePointer<ccorinth_thread_state>

    @inlinable @inline(__always)
    static var current: ThreadState { unsafe ThreadState(ccorinth_thread_current()) }

    @inlinable @inline(__always)
    init(_ state: UnsafeMutablePointer<ccorinth_thread_state>) {
        unsafe self.state = unsafe state
    }

    /// This thread's number in bits 4 to 60; the others are 0. No other thread ever has the same.
    @inlinable
    var token: UInt64 {
        @inline(__always)
        get {
            let known = bias
            return known == BiasedWord.biased ? makeToken() : known ^ BiasedWord.biased
        }
    }

    @usableFromInline
    @inline(never)
    func makeToken() -> UInt64 {
        let token = ccorinth_new_thread_number() << 4
        bias = token | BiasedWord.biased
        return token
    }

    /// A word that is biased to this thread, without its generation: see ``BiasedWord``. Without the thread's number until
    /// ``token`` was first read.
    @inlinable @inline(__always)
    var bias: UInt64 {
        get { unsafe state.pointee.bias }
        nonmutating set { unsafe state.pointee.bias = newValue }
    }

    // MARK: Strands

    /// What this thread owns, in one word, so that entering and leaving a strand is an addition each:
    /// - bit 0: something is due when it has left a strand, see `DueWork`, or a leader's count. It doesn't wait while it owns anything.
    /// - bit 1: whether a termination or a disposal, called by user code, is in progress on it: see ``ending(_:)``.
    /// - from bit 2: what it holds otherwise, see ``beginHolding()``. More of it than there is room for counts as a strand.
    /// - from bit 12: how many strands it owns.
    /// - from bit 31: a count that changes when it leaves a strand. So another thread that sees the same count twice, and a strand,
    ///   knows that this thread has been in the same delivery meanwhile, unless that is a drain: see ``progress`` and `sampler.c`.
    @inlinable @inline(__always)
    var owned: UInt64 {
        get { unsafe state.pointee.owned }
        nonmutating set { unsafe state.pointee.owned = newValue }
    }

    @inlinable @inline(__always)
    static var ending: UInt64 { 2 }

    @inlinable @inline(__always)
    static var oneHeld: UInt64 { 4 }

    @inlinable @inline(__always)
    static var oneStrand: UInt64 { 1 << 12 }

    @inlinable @inline(__always)
    static var oneDelivery: UInt64 { 1 << 31 }

    /// Whether this thread owns nothing.
    @inlinable
    var ownsNone: Bool {
        @inline(__always)
        get { owned & (ThreadState.oneDelivery - ThreadState.oneHeld) == 0 }
    }

    /// Whether this thread may wait for a permit, or run nodes of other threads: it owns nothing, and ends nothing.
    @inlinable
    var mayWait: Bool {
        @inline(__always)
        get { owned & (ThreadState.oneDelivery - ThreadState.ending) == 0 }
    }

    /// Whether this thread has something to do that it can't do while it owns anything.
    @inlinable
    var hasDue: Bool {
        @inline(__always)
        get { owned & 1 != 0 }
    }

    /// The same, if it owns nothing now.
    @inlinable
    var isDue: Bool {
        @inline(__always)
        get { hasDue && ownsNone }
    }

    /// Notes whether something is due when this thread owns nothing.
    func note(isDue: Bool) { owned = owned & ~1 | (isDue ? 1 : 0) }

    /// This thread owns one more strand.
    @inlinable @inline(__always)
    func beginOwning() { owned &+= ThreadState.oneStrand }

    /// This thread owns one strand less.
    @inlinable @inline(__always)
    func endOwning() { owned &+= ThreadState.oneDelivery - ThreadState.oneStrand }

    /// This thread has delivered a value in a drain that has no ``progress``.
    @inlinable @inline(__always)
    func countDelivery() { owned &+= ThreadState.oneDelivery }

    /// What changes with each value of the innermost drain on this thread.
    @inlinable @inline(__always)
    @safe var progress: UnsafePointer<UInt64>? {
        get { unsafe state.pointee.progress }
        nonmutating set { unsafe state.pointee.progress = newValue }
    }

    /// This thread holds one thing more that isn't a strand: see ``beginHolding()``.
    @inlinable @inline(__always)
    func hold() { owned &+= ThreadState.oneHeld }

    /// It holds one less.
    @inlinable @inline(__always)
    func letGo() { owned &-= ThreadState.oneHeld }

    /// From here to ``endHolding(_:)`` this thread waits for no permit, as if it owned a strand. It holds something for which a
    /// strand's owner might wait.
    @inlinable @inline(__always)
    static func beginHolding() -> Holding {
        current.hold()
        return Holding()
    }

    /// Ends ``beginHolding()``. The caller then calls `Strand.waitForDeferred()`.
    @inlinable @inline(__always)
    static func endHolding(_ holding: consuming Holding) {
        holding.end()
        current.letGo()
    }

    /// Whether this thread has exceeded a bound, for which it waits later: see `DueWork`.
    @inlinable @inline(__always)
    var hasDeferredWait: Bool { unsafe state.pointee.due & 1 != 0 }

    // MARK: Terminations and disposals

    /// Whether terminations and disposals called by user code are in progress on this thread.
    @inlinable
    var isEnding: Bool {
        @inline(__always)
        get { owned & ThreadState.ending != 0 }
    }

    /// Runs a termination or a disposal. Meanwhile this thread doesn't wait, and it doesn't run nodes of other threads.
    @inlinable @inline(__always)
    static func ending<Result>(_ body: () -> Result) -> Result {
        let thread = current
        let outside = thread.owned & ThreadState.ending
        thread.owned |= ThreadState.ending
        let result = body()
        thread.owned ^= ThreadState.ending ^ outside
        return result
    }
}

/// The duty to wait for no permit.
@frozen
@usableFromInline
enum Unwaiting {}

@usableFromInline typealias Holding = Token<Unwaiting>
