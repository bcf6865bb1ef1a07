#if NaiveLocks
    /// The naive cell of a property: a change takes the strand, so it waits for the callbacks of the previous change.
    @frozen
    @usableFromInline
    struct PropertyCell<Value>: Sendable {
        @usableFromInline let atomic: Atomic<Value>

        @inlinable
        init(_ value: Value) {
            atomic = Atomic(value)
        }

        /// The value set last.
        @inlinable
        var value: Value { atomic.value }

        /// Whether a change needs the signal before it begins: it takes the strand first.
        @inlinable
        static var needsSignal: Bool { true }

        /// Publishes something before the property is shared.
        @inlinable
        func betweenChanges<Result>(_ publish: () -> Result) -> Result { publish() }

        /// Takes the strand, unless this thread is inside one of its events. Then locks the value's mutex.
        ///
        /// - Parameters:
        ///   - strand: The strand of the property's signal.
        ///   - type: Unused here.
        @inlinable
        func begin(on strand: @autoclosure () -> Strand, as type: @autoclosure () -> Any.Type) -> PropertyChange {
            let owned = strand().enter()
            atomic.mutex.lock()
            return PropertyChange(owned: owned)
        }

        /// The value, between begin and end: the mutex is already locked.
        @inlinable
        var valueWhileHeld: Value { atomic.storage }

        /// Replaces the value, between begin and end.
        @inlinable
        func replace(_ newValue: Value, _ change: borrowing PropertyChange) -> Value {
            let old = atomic.storage
            atomic.storage = newValue
            return old
        }

        /// Unlocks the value. Returns the strand, if the caller holds it: then it does the work itself.
        @inlinable
        func end(_ change: consuming PropertyChange, on strand: Strand, _ makeNode: () -> StrandNode) -> Owned? {
            let owned = change.owned
            if owned == nil { strand.enqueueInOrder(makeNode()) }
            atomic.mutex.unlock()
            return owned
        }

        /// Unlocks both.
        @inlinable
        func abandon(_ change: consuming PropertyChange, on strand: Strand?) {
            atomic.mutex.unlock()
            if let owned = change.owned { strand?.leave(owned) }
        }
    }

    /// A change of a property: it holds the mutex of the value, and the strand unless this thread is inside one of its events.
    @frozen
    @usableFromInline
    struct PropertyChange: ~Copyable {
        @usableFromInline let owned: Owned?

        @inlinable
        init(owned: consuming Owned?) { self.owned = owned }
    }
#endif
