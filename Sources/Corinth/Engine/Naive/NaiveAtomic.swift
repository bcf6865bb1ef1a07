#if NaiveLocks
    /// A value that any thread may read and change, guarded by a mutex.
    public final class Atomic<Value>: @unchecked Sendable {  // The mutex guards the value.
        /// At offset 0.
        @usableFromInline var mutexStorage = Mutex.Storage()
        @usableFromInline var storage: Value

        /// Creates one with an initial value.
        @inlinable
        public init(_ value: Value) {
            storage = value
            mutex.create(in: &mutexStorage)
        }

        @inlinable
        deinit { mutex.destroy() }

        @inlinable @inline(__always)
        var mutex: Mutex { Mutex(of: self) }

        /// The value.
        @inlinable
        public var value: Value {
            get { mutex.withLock { storage } }
            set { swap(newValue) }
        }

        /// Changes the value in place, and returns what the closure returns.
        @inlinable
        @discardableResult
        public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
            try mutex.withLock { try action(&storage) }
        }

        /// Passes the value to a closure.
        @inlinable
        @discardableResult
        public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
            try mutex.withLock { try action(storage) }
        }

        /// Replaces the value and returns the old one.
        @inlinable
        @discardableResult
        public func swap(_ newValue: Value) -> Value {
            mutex.withLock {
                let old = storage
                storage = newValue
                return old
            }
        }
    }
#endif
