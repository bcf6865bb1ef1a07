/// An ``AtomicWord`` that holds a ``WordState``. Each operation on it is a transition of the state.
///
/// The orders and the sites of the operations are those of ``AtomicWord``.
@frozen
@usableFromInline
struct AtomicState<State: WordState>: ~Copyable, Sendable {
    @usableFromInline let word: AtomicWord

    @inlinable @inline(__always)
    init(_ state: State) {
        word = AtomicWord(state.bits)
    }

    @inlinable @inline(__always)
    func load(_ order: LoadOrder, site: StaticString = #function) -> State {
        State(bits: word.load(order, site: site))
    }

    /// Makes a transition that leads to `next` from every state that is possible here.
    @inlinable @inline(__always)
    func store(_ next: State, _ order: StoreOrder, site: StaticString = #function) {
        word.store(next.bits, order, site: site)
    }

    /// Makes a transition that leads to `next` from every state, and returns the old state.
    @inlinable @inline(__always)
    func exchange(_ next: State, _ order: UpdateOrder, site: StaticString = #function) -> State {
        State(bits: word.exchange(next.bits, order, site: site))
    }

    /// Makes a transition that adds `step` to the bits of every state that is possible here. This is one operation and can't
    /// fail. A debug build checks that the sum equals the result of `transition`.
    ///
    /// - Returns: The old state and the new state.
    @inlinable @inline(__always)
    @discardableResult
    func fetchAdd(
        _ step: State, _ order: UpdateOrder, site: StaticString = #function, _ transition: (State) -> State?
    ) -> (old: State, new: State?) {
        let old = State(bits: word.fetchAdd(step.bits, order, site: site))
        let new = transition(old)
        #if !Exploration
            // A seeded bug may lead to an otherwise impossible state.
            assert(new?.bits == old.bits &+ step.bits, "adding \(step) to \(old) isn't a transition of this state")
        #endif
        return (old, new)
    }

    /// The same, with a transition that subtracts `step`.
    @inlinable @inline(__always)
    @discardableResult
    func fetchSubtract(
        _ step: State, _ order: UpdateOrder, site: StaticString = #function, _ transition: (State) -> State?
    ) -> (old: State, new: State?) {
        fetchAdd(State(bits: 0 &- step.bits), order, site: site, transition)
    }

    /// Makes a transition from one state, if it is the current one. This is one compare-exchange, without a load before it.
    ///
    /// - Parameters:
    ///   - order: The order of the exchange. A failed exchange only loads.
    ///   - transition: Returns the next state of `expected`; nil leaves the word unchanged.
    /// - Returns: Whether the transition was made, and the old state.
    @inlinable @inline(__always)
    func tryUpdate(
        from expected: State, _ order: UpdateOrder, site: StaticString = #function, _ transition: (State) -> State?
    ) -> (won: Bool, seen: State) {
        guard let next = transition(expected) else { return (false, expected) }
        let result = word.compareExchange(expected.bits, next.bits, order, site: site)
        return (result.won, State(bits: result.seen))
    }

    /// Makes a transition from the current state, whatever it is. See ``AtomicWord/update(_:reading:site:_:)``.
    @inlinable @inline(__always)
    @discardableResult
    func update(
        _ order: UpdateOrder, reading: LoadOrder = .relaxed, site: StaticString = #function,
        _ transition: (State) -> State?
    ) -> (old: State, new: State?) {
        word.update(order, reading: reading, site: site, transition)
    }

    /// Sleeps while the low 32 bits are those of `state`. Spurious wake-ups occur: check and wait again.
    func blockingWait(while state: State, site: StaticString = #function) {
        word.blockingWait(while: UInt32(truncatingIfNeeded: state.bits), site: site)
    }

    /// The same, until the monotonic clock shows `deadline`, in nanoseconds; nil for no deadline.
    func blockingWait(while state: State, untilMonotonic deadline: UInt64?, site: StaticString = #function) {
        word.blockingWait(while: UInt32(truncatingIfNeeded: state.bits), untilMonotonic: deadline, site: site)
    }

    /// Wakes up to `count` threads that sleep on this word.
    @inlinable
    func wake(_ count: UInt32 = .max, site: StaticString = #function) { word.wake(count, site: site) }

    /// One iteration of a spin loop on this word. See ``AtomicWord/spin(iteration:site:)``.
    func spin(iteration: Int, site: StaticString = #function) { word.spin(iteration: iteration, site: site) }
}

extension WordState where Self: RawRepresentable, RawValue == UInt64 {
    /// The state with this raw value.
    @inlinable @inline(__always)
    init(bits: UInt64) {
        // Safe: the word only holds states. A debug build checks it.
        self = unsafe Self(rawValue: bits).unsafelyUnwrapped
    }

    @inlinable
    var bits: UInt64 {
        @inline(__always)
        get { rawValue }
    }
}
