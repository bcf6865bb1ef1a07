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
            guard let held = atomic.flag.tryAcquire() else {
                let result = publish()
                AsymmetricBarrier.heavy()
                return result
            }
            let result = publish()
            atomic.flag.release(held)
            return result
        }

        /// Locks out other changes. Nothing that may wait runs before ``end(_:on:_:)`` or ``abandon(_:on:)``, and no user
        /// code except the closure of `modify`.
        ///
        /// - Parameters:
        ///   - strand: The strand of the property's signal. Not evaluated here.
        ///   - type: The property's name if a thread waits for it for ever.
        @inlinable @inline(__always)
        func begin(on strand: @autoclosure () -> Strand, as type: @autoclosure () -> Any.Type) -> PropertyChange {
            PropertyChange(flag: atomic.flag.acquire(for: type()))
        }

        /// The value, between begin and end.
        @inlinable
        var valueWhileHeld: Value {
            @inline(__always)
            get { atomic.value }
        }

        /// Replaces the value, between begin and end. The caller releases the result after the end.
        @inlinable @inline(__always)
        func replace(_ newValue: Value, _ change: borrowing PropertyChange) -> Value {
            atomic.exchange(newValue, change.flag)
        }

        /// Queues work behind that of all earlier changes, and admits the next change.
        ///
        /// - Parameter makeNode: Makes the queued node if the strand isn't idle.
        /// - Returns: The strand, if it is idle: then the caller does the work itself.
        @inlinable @inline(__always)
        func end(_ change: consuming PropertyChange, on strand: Strand, _ makeNode: () -> StrandNode) -> Owned? {
            let owned = strand.enterOrQueue(makeNode)
            atomic.flag.release(change.flag)
            if owned == nil { Strand.waitForDeferred() }
            return owned
        }

        /// Admits the next change without queueing work.
        @inlinable @inline(__always)
        func abandon(_ change: consuming PropertyChange, on strand: Strand?) {
            atomic.flag.release(change.flag)
        }
    }

    /// A change of a property: it holds the flag of the cell.
    @frozen
    @usableFromInline
    struct PropertyChange: ~Copyable {
        @usableFromInline let flag: Held

        @inlinable @inline(__always)
        init(flag: consuming Held) { self.flag = flag }
    }
#endif
