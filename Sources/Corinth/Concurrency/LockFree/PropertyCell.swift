#if !NaiveLocks
    /// The value of a property, and the order of its changes.
    ///
    /// A change holds the flag while it stores the value *and* puts its notification in order on the strand of the property's
    /// signal. So the order of the stores is the order of the notifications (law R3); and since nothing is delivered
    /// before the flag is released, nobody waits for anybody's callbacks. Readers wait for nobody at all (law R1).
    @frozen
    @usableFromInline
    struct PropertyCell<Value>: Sendable {
        @usableFromInline let atomic: Atomic<Value>

        @inlinable
        init(_ value: Value) {
            atomic = Atomic(value)
        }

        /// What was last set.
        ///
        /// - Complexity: One atomic load, of values that fit a word.
        @inlinable
        var value: Value {
            @inline(__always)
            get { atomic.value }
        }

        /// Keeps other changes out. Nothing that may wait, and no code of the user's but the closure of `modify`, comes
        /// before ``end(_:on:_:)`` or ``abandon(_:on:)``.
        ///
        /// - Parameters:
        ///   - strand: That of the property's signal.
        ///   - type: What to call the property if a thread waits for it for ever.
        /// - Returns: What the end needs to know.
        @inlinable @inline(__always)
        func begin(on strand: Strand, as type: @autoclosure () -> Any.Type) -> Bool {
            atomic.flag.acquire(for: type())
            return false
        }

        /// The value, between beginning and end.
        @inlinable
        var valueWhileHeld: Value {
            @inline(__always)
            get { atomic.value }
        }

        /// Replaces the value, between beginning and end. What it returns is to be let go of after the end.
        @inlinable @inline(__always)
        func replace(_ newValue: Value) -> Value { atomic.exchangeWhileHeld(newValue) }

        /// Puts work in order behind that of all earlier changes, and lets the next change in.
        ///
        /// - Parameters:
        ///   - began: What the beginning returned.
        ///   - makeNode: Makes what is queued if the strand is not idle.
        /// - Returns: Whether the caller owns the strand: then it does the work itself, and leaves.
        @inlinable @inline(__always)
        func end(_ began: Bool, on strand: Strand, _ makeNode: () -> StrandNode) -> Bool {
            let isOwner = strand.enterOrQueue(makeNode)
            atomic.flag.release()
            if !isOwner { Strand.settle() }
            return isOwner
        }

        /// Lets the next change in, with nothing to be done.
        @inlinable @inline(__always)
        func abandon(_ began: Bool, on strand: Strand) {
            atomic.flag.release()
        }
    }
#endif
