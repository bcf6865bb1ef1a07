#if NaiveLocks
    /// The naive cell of a property: a change takes the strand, and so waits for the callbacks of the change before it.
    @frozen
    @usableFromInline
    struct PropertyCell<Value>: Sendable {
        @usableFromInline let atomic: Atomic<Value>

        @inlinable
        init(_ value: Value) {
            atomic = Atomic(value)
        }

        /// What was last set.
        @inlinable
        var value: Value { atomic.value }

        /// Takes the strand, unless this thread is in one of its events, and the value's mutex.
        ///
        /// - Parameters:
        ///   - strand: That of the property's signal.
        ///   - type: Of no use here.
        @inlinable
        func begin(on strand: Strand, as type: @autoclosure () -> Any.Type) -> Bool {
            let isOwner = strand.tryEnter()
            atomic.mutex.lock()
            return isOwner
        }

        /// The value, between beginning and end: the mutex is locked already.
        @inlinable
        var valueWhileHeld: Value { atomic.storage }

        /// Replaces the value, between beginning and end.
        @inlinable
        func replace(_ newValue: Value) -> Value {
            let old = atomic.storage
            atomic.storage = newValue
            return old
        }

        /// Unlocks the value. Returns whether the caller holds the strand, and does the work itself.
        @inlinable
        func end(_ began: Bool, on strand: Strand, _ makeNode: () -> StrandNode) -> Bool {
            if !began { strand.enqueueInOrder(makeNode()) }
            atomic.mutex.unlock()
            return began
        }

        /// Unlocks both.
        @inlinable
        func abandon(_ began: Bool, on strand: Strand) {
            atomic.mutex.unlock()
            if began { strand.leave() }
        }
    }
#endif
