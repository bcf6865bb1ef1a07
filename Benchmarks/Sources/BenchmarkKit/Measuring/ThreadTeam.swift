import CBenchmarkSupport
import Dispatch
import Foundation
import Synchronization

/// Threads that wait, asleep, for work that all of them do at once.
///
/// They are made once, so that a measured run pays for waking them and not for starting them; and they begin
/// together: whoever is awake first waits until the last one is.
public final class ThreadTeam: Sendable {
    private typealias Work = @Sendable (Int) -> Void

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
    public init(count: Int, isPinned: Bool = false) {
        precondition(count > 0, "A team has at least 1 thread, not \(count).")
        self.isPinned = isPinned
        starts = (0..<count).map { _ in DispatchSemaphore(value: 0) }
        threads.withLock { $0 = (0..<count).map { start($0) } }
    }

    private func start(_ member: Int) -> UInt {
        let body = unsafe Unmanaged.passRetained(Body { [self] in serve(member) })
        var thread: UInt = 0
        let isStarted = unsafe bench_thread_start(
            "team \(member)",
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
        signalAll(body)
        for _ in starts { finished.wait() }
    }

    /// Ends the threads, and returns when they are gone, with what the allocator keeps for each. Nothing may be run
    /// afterwards.
    public func end() {
        signalAll(nil)
        for thread in threads.withLock({ $0 }) { bench_thread_join(thread) }
    }

    private func signalAll(_ body: Work?) {
        work.withLock { $0 = body }
        awake.store(0, ordering: .relaxed)
        for start in starts { start.signal() }
    }

    private func serve(_ member: Int) {
        if isPinned { _ = bench_pin_thread(UInt32(member)) }
        while true {
            starts[member].wait()
            guard let body = work.withLock({ $0 }) else { break }
            awake.add(1, ordering: .relaxed)
            while awake.load(ordering: .relaxed) < starts.count { sched_yield() }
            body(member)
            finished.signal()
        }
    }
}
