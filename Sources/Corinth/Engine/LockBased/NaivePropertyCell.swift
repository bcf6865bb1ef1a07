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
        func begin(on strand: @autoclosure () -> Strand, as type: @autoclosure () -> Any.Type) -> Bool {
            let isOwner = strand().tryEnter()
            atomic.mutex.lock()
            return isOwner
        }

        /// The value, between begin and end: the mutex is already locked.
        @inlinable
        var valueWhileHeld: Value { atomic.storage }

        /// Replaces the value, between begin and end.
        @inlinable
        func replace(_ newValue: Value) -> Value {
            let old = atomic.storage
            atomic.storage = newValue
            return old
        }

        /// Unlocks the value. Returns whether the caller holds the strand: then it does the work itself.
        @inlinable
        func end(_ began: Bool, on strand: Strand, _ makeNode: () -> StrandNode) -> Bool {
            if !began { strand.enqueueInOrder(makeNode()) }
            atomic.mutex.unlock()
            return began
        }

        /// Unlocks both.
        @inlinable
        func abandon(_ began: Bool, on strand: Strand?) {
            atomic.mutex.unlock()
            if began { strand?.leave() }
        }
    }
#endif
