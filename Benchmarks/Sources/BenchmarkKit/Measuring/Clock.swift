import CBenchmarkSupport

/// The monotonic clock, in nanoseconds.
public enum Clock {
    /// Now, in nanoseconds since some moment before the process began.
    public static func now() -> UInt64 {
        bench_nanoseconds()
    }

    /// How long `body` takes, in nanoseconds.
    public static func measure(_ body: () -> Void) -> UInt64 {
        let start = now()
        body()
        return now() - start
    }
}
