import Foundation
import Synchronization

/// Threads that repeat one call as fast as possible for a given time.
public final class FloodTeam: Sendable {
    /// The figures of one thread. Other threads read them, relaxed: they order no other memory.
    private final class Record: @unchecked Sendable {
        let calls = Atomic<Int>(0)
        let longest = Atomic<UInt64>(0)
        /// The durations of all calls, if they are wanted. Owned by the thread during a run.
        @safe @exclusivity(unchecked) var durations: Histogram?
        /// Keeps the next record on other cache lines.
        private let padding = InlineArray<16, Int>(repeating: 0)
    }

    private let team: ThreadTeam
    private let records: [Record]
    private let isOver = Atomic<Bool>(false)

    /// Starts the threads, which sleep. Their stacks are small, so that thousands are possible.
    ///
    /// - Parameter recordsDurations: Whether ``takeDurations()`` has something to return, for which each thread needs 264 KiB.
    public init(threads: Int, recordsDurations: Bool = false) {
        team = ThreadTeam(count: threads, stackBytes: 512 << 10)
        records = (0..<threads).map { _ in Record() }
        if recordsDurations { for record in records { record.durations = Histogram() } }
    }

    /// The durations of all calls since the last time this was called, in nanoseconds; nil if they aren't recorded. Not during a
    /// run.
    public func takeDurations() -> Histogram? {
        guard records.first?.durations != nil else { return nil }
        var all = Histogram()
        for record in records {
            if let durations = record.durations { all.merge(durations) }
            record.durations?.reset()
        }
        return all
    }

    /// The number of completed calls, by thread.
    public var callsByThread: [Int] { records.map { $0.calls.load(ordering: .relaxed) } }

    /// The number of completed calls of all threads.
    public var calls: Int { records.reduce(0) { $0 + $1.calls.load(ordering: .relaxed) } }

    /// The longest call so far, in microseconds.
    public var longestCallMicroseconds: Int {
        Int((records.map { $0.longest.load(ordering: .relaxed) }.max() ?? 0) / 1000)
    }

    /// Has every thread call `body` repeatedly. The time starts when all threads are awake.
    ///
    /// - Parameters:
    ///   - count: The number of events so far; by default the number of calls.
    ///   - atEnd: Called when the time is over, while the threads are in their last call.
    ///   - body: Gets the thread's number from 0 and the number of that thread's earlier calls.
    /// - Returns: The events of that time; nil if threads hang, and then the team must not be used again.
    public func run(
        milliseconds: Int,
        counting count: (() -> Int)? = nil,
        atEnd: () -> Void = {},
        _ body: @escaping @Sendable (_ thread: Int, _ number: Int) -> Void
    ) -> TimedRun? {
        isOver.store(false, ordering: .relaxed)
        var measured: TimedRun?
        let haveEnded = team.run { [self] thread in
            flood(thread, body)
        } progress: {
            calls
        } meanwhile: {
            measured = .measuring(milliseconds: milliseconds) { count?() ?? calls }
            isOver.store(true, ordering: .relaxed)
            atEnd()
        }
        return haveEnded ? measured : nil
    }

    @inline(__always)
    private func flood(_ thread: Int, _ body: (Int, Int) -> Void) {
        let record = records[thread]
        var number = record.calls.load(ordering: .relaxed)
        var longest = record.longest.load(ordering: .relaxed)
        var start = Clock.now()
        while !isOver.load(ordering: .relaxed) {
            body(thread, number)
            number += 1
            record.calls.store(number, ordering: .relaxed)
            let now = Clock.now()
            record.durations?.record(now - start)
            if now - start > longest {
                longest = now - start
                record.longest.store(longest, ordering: .relaxed)
            }
            start = now
        }
    }

    /// Ends the threads and joins them.
    public func end() { team.end() }
}
