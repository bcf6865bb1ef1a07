#if NaiveLocks
    #if canImport(Darwin)
        public import Darwin
    #elseif canImport(Musl)
        public import Musl
    #else
        public import Glibc
    #endif

    /// A POSIX mutex among the stored properties of the object that it guards: one allocation for both.
    ///
    /// The object declares a ``Storage`` and never accesses it otherwise. It calls ``create(in:)`` in its initialiser and
    /// ``destroy()`` in its deinitialiser.
    @frozen
    @usableFromInline
    @safe struct Mutex: @unchecked Sendable {  // Mutexes are shared by design.
        @frozen
        @usableFromInline
        @safe struct Storage {
            @usableFromInline var mutex = unsafe pthread_mutex_t()

            @inlinable
            init() {}
        }

        @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

        /// The mutex at `offset` bytes into the stored properties of `object`. The address is valid during the object's
        /// lifetime.
        @inlinable @inline(__always)
        init(of object: AnyObject, at offset: Int = 0) {
            // As for `AtomicWord`: an object's stored properties don't move, and they start after its header.
            let properties = unsafe _getUnsafePointerToStoredProperties(object)
            unsafe mutex = (properties + offset).assumingMemoryBound(to: pthread_mutex_t.self)
        }

        /// - Parameter storage: The object's field.
        @inlinable
        func create(in storage: inout Storage) {
            assert(
                unsafe withUnsafeMutablePointer(to: &storage) {
                    unsafe UnsafeRawPointer($0) == UnsafeRawPointer(mutex)
                },
                "the offset of a mutex isn't that of its storage")
            let result = unsafe pthread_mutex_init(mutex, nil)
            precondition(result == 0, "pthread_mutex_init failed with \(result)")
        }

        @inlinable
        func destroy() { unsafe pthread_mutex_destroy(mutex) }

        @inlinable @inline(__always)
        func lock() { unsafe pthread_mutex_lock(mutex) }

        /// Locks if this takes no waiting.
        @inlinable @inline(__always)
        func tryLock() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }

        @inlinable @inline(__always)
        func unlock() { unsafe pthread_mutex_unlock(mutex) }

        @inlinable @inline(__always)
        func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
            lock()
            defer { unlock() }
            return try body()
        }
    }

    /// A POSIX mutex with a condition variable, stored in the same way.
    @safe struct Condition: @unchecked Sendable {  // Conditions are shared by design.
        @safe struct Storage {
            var mutex = Mutex.Storage()
            var condition = pthread_cond_t()
        }

        private let mutex: Mutex
        private let condition: UnsafeMutablePointer<pthread_cond_t>

        /// The condition at `offset` bytes into the stored properties of `object`.
        init(of object: AnyObject, at offset: Int = 0) {
            mutex = Mutex(of: object, at: offset)
            let properties = unsafe _getUnsafePointerToStoredProperties(object)
            let own = offset + MemoryLayout<Mutex.Storage>.stride
            unsafe condition = (properties + own).assumingMemoryBound(to: pthread_cond_t.self)
        }

        func create(in storage: inout Storage) {
            mutex.create(in: &storage.mutex)
            assert(
                unsafe withUnsafeMutablePointer(to: &storage.condition) { unsafe $0 == condition },
                "the condition isn't behind its mutex")
            #if canImport(Darwin)
                let result = unsafe pthread_cond_init(condition, nil)
            #else
                var attributes = pthread_condattr_t()
                unsafe pthread_condattr_init(&attributes)
                // Setting the time of day doesn't affect waiters.
                unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
                let result = unsafe pthread_cond_init(condition, &attributes)
                unsafe pthread_condattr_destroy(&attributes)
            #endif
            precondition(result == 0, "pthread_cond_init failed with \(result)")
        }

        func destroy() {
            unsafe pthread_cond_destroy(condition)
            mutex.destroy()
        }

        func withLock<Result>(_ body: () throws -> Result) rethrows -> Result { try mutex.withLock(body) }

        /// Unlocks, sleeps until it is woken, and locks. Spurious wake-ups occur: check and wait again.
        func wait() { unsafe pthread_cond_wait(condition, address) }

        /// The same, for at most `nanoseconds`. Returns false if they have passed.
        func wait(nanoseconds: UInt64) -> Bool {
            #if canImport(Darwin)
                var time = timespec(nanoseconds: nanoseconds)
                return unsafe pthread_cond_timedwait_relative_np(condition, address, &time) == 0
            #else
                var time = timespec(nanoseconds: MonotonicTime.now + nanoseconds)
                return unsafe pthread_cond_timedwait(condition, address, &time) == 0
            #endif
        }

        /// Wakes all waiters.
        func broadcast() { unsafe pthread_cond_broadcast(condition) }

        private var address: UnsafeMutablePointer<pthread_mutex_t> { unsafe mutex.mutex }
    }

    extension timespec {
        fileprivate init(nanoseconds: UInt64) {
            self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        }
    }
#endif
