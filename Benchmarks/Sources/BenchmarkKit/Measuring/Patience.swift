public import Dispatch
import Foundation

/// Waits for what the measured library should bring about, and doesn't wait for ever if it doesn't.
///
/// How long something takes is no sign of that: two threads that spin may wait for each other at every step when others
/// use the processors, too. When nothing at all has happened for 20 seconds, nothing will.
public enum Patience {
    /// After how long without progress there is no more hope, in seconds.
    public static let seconds = 20.0

    /// Waits for a signal.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait without progress.
    ///   - progress: What changes as long as there is hope, such as how many events have arrived. Called by the caller's
    ///     thread, while others work.
    /// - Returns: Whether the signal came.
    @discardableResult
    public static func wait(
        for semaphore: DispatchSemaphore, seconds: Double = Patience.seconds, progress: () -> Int
    ) -> Bool {
        var last = progress()
        while semaphore.wait(timeout: .now() + seconds) == .timedOut {
            let current = progress()
            if current == last { return false }
            last = current
        }
        return true
    }

    /// Yields the processor until a count has reached `total`.
    ///
    /// - Parameters:
    ///   - total: What is waited for.
    ///   - seconds: How long to wait without progress.
    ///   - count: Called by the caller's thread, while others work; it must read atomically.
    /// - Returns: Whether the count has got there.
    @discardableResult
    public static func yield(until total: Int, seconds: Double = Patience.seconds, count: () -> Int) -> Bool {
        poll(until: total, seconds, count) { sched_yield() } >= total
    }

    /// The same, asleep: nothing is woken up by what counts, which costs it nothing.
    ///
    /// - Returns: How far the count has got.
    @discardableResult
    public static func sleep(until total: Int, seconds: Double = Patience.seconds, count: () -> Int) -> Int {
        poll(until: total, seconds, count) { usleep(1_000) }
    }

    private static func poll(until total: Int, _ seconds: Double, _ count: () -> Int, pause: () -> Void) -> Int {
        let patience = UInt64(seconds * 1e9)
        var last = count()
        var deadline = Clock.now() + patience
        while last < total {
            pause()
            let current = count()
            if current != last {
                last = current
                deadline = Clock.now() + patience
            } else if Clock.now() > deadline {
                break
            }
        }
        return last
    }
}
