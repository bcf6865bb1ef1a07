#if NaiveLocks
    /// A cell under a mutex.
    @usableFromInline
    final class AtomicReference<Value>: @unchecked Sendable {  // The mutex guards the value.
        /// At offset 0.
        private var mutexStorage = Mutex.Storage()
        private var value: Value

        @usableFromInline
        init(_ value: Value) {
            self.value = value
            mutex.create(in: &mutexStorage)
        }

        deinit { mutex.destroy() }

        private var mutex: Mutex { Mutex(of: self) }

        @usableFromInline
        func load() -> Value { mutex.withLock { value } }

        @usableFromInline
        @discardableResult
        func exchange(_ value: Value) -> Value {
            mutex.withLock {
                let old = self.value
                self.value = value
                return old
            }
        }

        @usableFromInline
        @discardableResult
        func update(_ transform: (Value) -> Value?) -> Value {
            mutex.withLock {
                let old = value
                if let new = transform(old) { value = new }
                return old
            }
        }
    }
#endif
