#if !NaiveLocks
    /// The value of a property, and the order of its changes.
    ///
    /// A change holds the flag while it stores the value *and* queues its notification on the strand of the property's
    /// signal. So stores and notifications have the same order (law R3). Nothing is delivered before the flag is released, so
    /// no thread waits for callbacks. Readers never wait (law R1).
    @frozen
    @usableFromInline
    struct PropertyCell<Value>: Sendable {
        @usableFromInline let atomic: Atomic<Value>

        @inlinable
        init(_ value: Value) {
            atomic = Atomic(value)
        }

        /// The value set last.
        ///
        /// - Complexity: One atomic load for values that fit a word.
        @inlinable
        var value: Value {
            @inline(__always)
            get { atomic.value }
        }

        /// Whether a change needs the signal before it begins.
        @inlinable
        static var needsSignal: Bool {
            @inline(__always)
            get { false }
        }

        /// Publishes something for which each change looks after it has stored its value and executed a light barrier.
        ///
        /// Afterwards, a change has either stored its value where the caller reads it, or will see what is published. No thread
        /// waits: if a change is in progress, perhaps the caller's own, the barrier does that.
        @inlinable
        func betweenChanges<Result>(_ publish: () -> Result) -> Result {
            let isHeld = atomic.flag.tryAcquire()
            let result = publish()
            if isHeld { atomic.flag.release() } else { AsymmetricBarrier.heavy() }
            return result
        }

        /// Locks out other changes. Nothing that may wait runs before ``end(_:on:_:)`` or ``abandon(_:on:)``, and no user
        /// code except the closure of `modify`.
        ///
        /// - Parameters:
        ///   - strand: The strand of the property's signal. Not evaluated here.
        ///   - type: The property's name if a thread waits for it for ever.
        /// - Returns: A token for the end.
        @inlinable @inline(__always)
        func begin(on strand: @autoclosure () -> Strand, as type: @autoclosure () -> Any.Type) -> Bool {
            atomic.flag.acquire(for: type())
            return false
        }

        /// The value, between begin and end.
        @inlinable
        var valueWhileHeld: Value {
            @inline(__always)
            get { atomic.value }
        }

        /// Replaces the value, between begin and end. The caller releases the result after the end.
        @inlinable @inline(__always)
        func replace(_ newValue: Value) -> Value { atomic.exchangeWhileHeld(newValue) }

        /// Queues work behind that of all earlier changes, and admits the next change.
        ///
        /// - Parameters:
        ///   - began: The token returned by the begin.
        ///   - makeNode: Makes the queued node if the strand isn't idle.
        /// - Returns: Whether the caller owns the strand: then it does the work itself, and leaves.
        @inlinable @inline(__always)
        func end(_ began: Bool, on strand: Strand, _ makeNode: () -> StrandNode) -> Bool {
            let isOwner = strand.enterOrQueue(makeNode)
            atomic.flag.release()
            if !isOwner { Strand.waitForDeferred() }
            return isOwner
        }

        /// Admits the next change without queueing work.
        @inlinable @inline(__always)
        func abandon(_ began: Bool, on strand: Strand?) {
            atomic.flag.release()
        }
    }
#endif
