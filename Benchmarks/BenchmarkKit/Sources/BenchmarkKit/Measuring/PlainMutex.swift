public import CBenchmarkSupport

/// A pthread mutex, one for the process, for the direct sides of contended scenarios.
public enum PlainMutex {
    @inlinable
    @inline(__always)
    public static func withLock(_ body: () -> Void) {
        bench_lock()
        body()
        bench_unlock()
    }
}
