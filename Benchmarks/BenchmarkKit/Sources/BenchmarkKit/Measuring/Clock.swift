import CBenchmarkSupport
import Foundation

/// The monotonic clock, in nanoseconds.
public enum Clock {
    /// The current time, in nanoseconds since an arbitrary moment before the process began.
    public static func now() -> UInt64 {
        bench_nanoseconds()
    }

    /// How long `body` takes, in nanoseconds.
    public static func measure(_ body: () -> Void) -> UInt64 {
        let start = now()
        body()
        return now() - start
    }

    /// How much processor time `body` takes on the calling thread, in nanoseconds.
    public static func measureProcessor(_ body: () -> Void) -> UInt64 {
        let start = bench_thread_nanoseconds()
        body()
        return bench_thread_nanoseconds() - start
    }

    /// Waits until `time`. Sleeps first and yields at the end, because the kernel wakes a sleeping thread late.
    public static func wait(until time: UInt64) {
        let awake: UInt64 = 500_000
        while true {
            let current = now()
            guard current < time else { return }
            if time - current > awake {
                Thread.sleep(forTimeInterval: Double(time - current - awake) / 1e9)
            } else {
                sched_yield()
            }
        }
    }
}
