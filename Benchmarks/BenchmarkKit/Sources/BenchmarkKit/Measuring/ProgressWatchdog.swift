public import Dispatch
import Foundation

/// Waits for something that the measured library does, and gives up when progress stops.
///
/// A long wait is not a failure: two threads that spin may wait for each other at every step while other processes use
/// the processors. So the wait has no limit as long as a count changes. After 20 seconds without a change it ends.
public enum ProgressWatchdog {
    /// How long a wait goes on without progress, in seconds.
    public static let stallSeconds = 20.0

    /// Waits for a semaphore.
    ///
    /// - Parameters:
    ///   - stallSeconds: How long to wait without progress.
    ///   - progress: A number that changes while there is progress, such as how many events have arrived. The calling
    ///     thread calls it while other threads work.
    /// - Returns: Whether the semaphore was signalled.
    @discardableResult
    public static func wait(
        for semaphore: DispatchSemaphore, stallSeconds: Double = ProgressWatchdog.stallSeconds, progress: () -> Int
    ) -> Bool {
        var last = progress()
        while semaphore.wait(timeout: .now() + stallSeconds) == .timedOut {
            let current = progress()
            if current == last { return false }
            last = current
        }
        return true
    }

    /// Yields the processor until a count reaches `total`.
    ///
    /// - Parameters:
    ///   - total: The count to wait for.
    ///   - stallSeconds: How long to wait without progress.
    ///   - count: Reads the count atomically. The calling thread calls it while other threads work.
    /// - Returns: Whether the count has reached `total`.
    @discardableResult
    public static func yield(
        until total: Int, stallSeconds: Double = ProgressWatchdog.stallSeconds, count: () -> Int
    ) -> Bool {
        poll(until: total, stallSeconds, count) { sched_yield() } >= total
    }

    /// Sleeps until a count reaches `total`. The counting threads signal nothing, so the wait costs them nothing.
    ///
    /// - Returns: The count at the end.
    @discardableResult
    public static func sleep(
        until total: Int, stallSeconds: Double = ProgressWatchdog.stallSeconds, count: () -> Int
    ) -> Int {
        poll(until: total, stallSeconds, count) { usleep(1_000) }
    }

    private static func poll(until total: Int, _ seconds: Double, _ count: () -> Int, pause: () -> Void) -> Int {
        let limit = UInt64(seconds * 1e9)
        var last = count()
        var deadline = Clock.now() + limit
        while last < total {
            pause()
            let current = count()
            if current != last {
                last = current
                deadline = Clock.now() + limit
            } else if Clock.now() > deadline {
                break
            }
        }
        return last
    }
}
