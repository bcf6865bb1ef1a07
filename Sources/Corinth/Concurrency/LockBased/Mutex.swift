#if NaiveLocks
    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Glibc
    #endif

    /// A POSIX mutex.
    @safe
    @usableFromInline
    final class Mutex: @unchecked Sendable {  // What it is for.
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>

        @usableFromInline
        init() {
            unsafe mutex = .allocate(capacity: 1)
            unsafe mutex.initialize(to: pthread_mutex_t())
            let result = unsafe pthread_mutex_init(mutex, nil)
            precondition(result == 0, "pthread_mutex_init failed with \(result)")
        }

        deinit {
            unsafe pthread_mutex_destroy(mutex)
            unsafe mutex.deinitialize(count: 1)
            unsafe mutex.deallocate()
        }

        @usableFromInline
        func lock() { unsafe pthread_mutex_lock(mutex) }

        /// Locks, if that takes no waiting.
        @usableFromInline
        func tryLock() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }

        @usableFromInline
        func unlock() { unsafe pthread_mutex_unlock(mutex) }

        @inlinable
        func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
            lock()
            defer { unlock() }
            return try body()
        }
    }
#endif
