import CBenchmarkSupport
import Dispatch
import Foundation
import Synchronization

/// Threads that wait, asleep, for work that all of them do at once.
///
/// They are made once, so that a measured run pays for waking them and not for starting them; and they begin
/// together: whoever is awake first waits until the last one is.
public final class ThreadTeam: Sendable {
    private struct Work: Sendable {
        let body: @Sendable (Int) -> Void
        /// Whether members sleep until all are awake, and don't yield: many that yield keep others from waking up.
        let isPatient: Bool
    }

    private let starts: [DispatchSemaphore]
    private let finished = DispatchSemaphore(value: 0)
    private let work = Mutex<Work?>(nil)
    private let threads = Mutex<[UInt]>([])
    private let awake = Atomic<Int>(0)

    /// Whether each thread is kept on a core of its own.
    private let isPinned: Bool

    /// Starts `count` threads, which wait.
    ///
    /// - Parameter isPinned: Whether to keep each thread on a core, the first one on the first, and from the first
    ///   one again when there are no more. Where the kernel forbids it, threads go where they are sent.
    /// - Parameter stackBytes: How large the stack of each is; nil for what the system gives.
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
        precondition(isStarted, "The system starts no thread.")
        return thread
    }

    /// What a thread does.
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) {
            self.run = run
        }
    }

    /// Runs `body` on every thread, with its number from 0, and returns when all have finished.
    ///
    /// - Note: One run at a time: it is called by one thread, and not by a member.
    public func run(_ body: @escaping @Sendable (_ member: Int) -> Void) {
        signalAll(Work(body: body, isPatient: false))
        for _ in starts { finished.wait() }
    }

    /// How long to sleep before looking again, in seconds: so long that all who do leave the processors to others.
    private var nap: Double { 0.000_02 * Double(starts.count) }

    /// Runs `body` on every thread, and `meanwhile` on the calling thread, when all are awake.
    ///
    /// - Parameters:
    ///   - progress: What changes as long as there is hope that they finish; see ``Patience``.
    ///   - patienceSeconds: After how long without progress there is no more hope.
    ///   - meanwhile: Sees to it that `body` comes to an end.
    /// - Returns: Whether all have finished. If not, nothing may be run afterwards.
    public func run(
        _ body: @escaping @Sendable (_ member: Int) -> Void, progress: () -> Int,
        patienceSeconds: Double = Patience.seconds, meanwhile: () -> Void
    ) -> Bool {
        signalAll(Work(body: body, isPatient: true))
        // Asleep in any case: the kernel soon has a thread run that wakes up, and late one that has just been busy.
        repeat { Thread.sleep(forTimeInterval: nap) } while awake.load(ordering: .relaxed) < starts.count
        meanwhile()
        return starts.allSatisfy { _ in Patience.wait(for: finished, seconds: patienceSeconds, progress: progress) }
    }

    /// Ends the threads, and returns when they are gone, with what the allocator keeps for each. Nothing may be run
    /// afterwards.
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
                if work.isPatient { Thread.sleep(forTimeInterval: nap) } else { sched_yield() }
            }
            work.body(member)
            finished.signal()
        }
    }
}
