import CBenchmarkSupport
import Dispatch
import Foundation
import Synchronization

/// Threads that sleep until there is work, which all of them then do at the same time.
///
/// The threads are created once, so a measured run contains their wake-up but not their start. They begin together: each
/// waits until the last one is awake.
public final class ThreadTeam: Sendable {
    private struct Work: Sendable {
        let body: @Sendable (Int) -> Void
        /// Whether members sleep until all are awake, and don't yield: many that yield keep others from waking up.
        let sleepsUntilAwake: Bool
    }

    private let starts: [DispatchSemaphore]
    private let finished = DispatchSemaphore(value: 0)
    private let work = Mutex<Work?>(nil)
    private let threads = Mutex<[UInt]>([])
    private let awake = Atomic<Int>(0)

    /// Whether each thread is pinned to a core.
    private let isPinned: Bool

    /// Starts `count` threads, which sleep.
    ///
    /// - Parameter isPinned: Whether to pin each thread to a core, round robin. Without effect where the kernel forbids it.
    /// - Parameter stackBytes: The size of each stack; nil for the system's default.
    public init(count: Int, isPinned: Bool = false, stackBytes: Int? = nil) {
        precondition(count > 0, "A team has at least 1 thread, not \(count).")
        self.isPinned = isPinned
        starts = (0..<count).map { _ in DispatchSemaphore(value: 0) }
        threads.withLock { $0 = (0..<count).map { start($0, stackBytes ?? 0) } }
    }

    private func start(_ member: Int, _ stackBytes: Int) -> UInt {
        let body = unsafe Unmanaged.passRetained(Body { [self] in serve(member) })
        var thread: UInt = 0
        let isStarted = unsafe bench_thread_start(
            "team \(member)", Int64(stackBytes),
            { context in unsafe context.map { unsafe Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() } },
            body.toOpaque(), &thread)
        precondition(isStarted, "The system can't start a thread.")
        return thread
    }

    /// The function of a thread.
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) {
            self.run = run
        }
    }

    /// Runs `body` on every thread, with its number from 0, and returns when all have finished.
    ///
    /// - Note: One run at a time. A member must not call it.
    public func run(_ body: @escaping @Sendable (_ member: Int) -> Void) {
        signalAll(Work(body: body, sleepsUntilAwake: false))
        for _ in starts { finished.wait() }
    }

    /// The time between two looks, in seconds. It grows with the team, so that waiting members leave the processors free.
    private var nap: Double { 0.000_02 * Double(starts.count) }

    /// Runs `body` on every thread and, once all are awake, `meanwhile` on the calling thread.
    ///
    /// - Parameters:
    ///   - progress: A number that changes while the threads make progress; see ``ProgressWatchdog``.
    ///   - stallSeconds: How long to wait without progress.
    ///   - meanwhile: Makes `body` return.
    /// - Returns: Whether all threads have finished. If not, the team must not be used again.
    public func run(
        _ body: @escaping @Sendable (_ member: Int) -> Void, progress: () -> Int,
        stallSeconds: Double = ProgressWatchdog.stallSeconds, meanwhile: () -> Void
    ) -> Bool {
        signalAll(Work(body: body, sleepsUntilAwake: true))
        // Sleeps at least once: the kernel soon runs a thread that wakes up, and late one that was busy.
        repeat { Thread.sleep(forTimeInterval: nap) } while awake.load(ordering: .relaxed) < starts.count
        meanwhile()
        return starts.allSatisfy { _ in
            ProgressWatchdog.wait(for: finished, stallSeconds: stallSeconds, progress: progress)
        }
    }

    /// Ends the threads and joins them, which also frees their allocator caches. The team must not be used again.
    public func end() {
        signalAll(nil)
        for thread in threads.withLock({ $0 }) { bench_thread_join(thread) }
    }

    private func signalAll(_ next: Work?) {
        work.withLock { $0 = next }
        awake.store(0, ordering: .relaxed)
        for start in starts { start.signal() }
    }

    private func serve(_ member: Int) {
        if isPinned { _ = bench_pin_thread(UInt32(member)) }
        while true {
            starts[member].wait()
            guard let work = work.withLock({ $0 }) else { break }
            awake.add(1, ordering: .relaxed)
            while awake.load(ordering: .relaxed) < starts.count {
                if work.sleepsUntilAwake { Thread.sleep(forTimeInterval: nap) } else { sched_yield() }
            }
            work.body(member)
            finished.signal()
        }
    }
}
