import Foundation
import Synchronization

/// Threads that do one thing as often as they can for a given time.
public final class FloodTeam: Sendable {
    /// What one thread writes, and others read. Relaxed, as nothing else is read by it.
    private final class Record: Sendable {
        let calls = Atomic<Int>(0)
        let longest = Atomic<UInt64>(0)
        /// Keeps the next record off the same cache lines.
        private let padding = InlineArray<16, Int>(repeating: 0)
    }

    private let team: ThreadTeam
    private let records: [Record]
    private let isOver = Atomic<Bool>(false)

    /// Starts so many threads, which wait. Their stacks are small, so that there may be thousands.
    public init(threads: Int) {
        team = ThreadTeam(count: threads, stackBytes: 512 << 10)
        records = (0..<threads).map { _ in Record() }
    }

    /// How often each thread has been through with a call.
    public var callsByThread: [Int] { records.map { $0.calls.load(ordering: .relaxed) } }

    /// How often all of them have.
    public var calls: Int { records.reduce(0) { $0 + $1.calls.load(ordering: .relaxed) } }

    /// The longest call so far, in microseconds.
    public var longestCallMicroseconds: Int {
        Int((records.map { $0.longest.load(ordering: .relaxed) }.max() ?? 0) / 1000)
    }

    /// Has every thread call `body` over and over, for so many milliseconds from when all of them are awake.
    ///
    /// - Parameters:
    ///   - count: How many events there have been; how many calls, if nothing is said.
    ///   - atEnd: Called when the time is over, while the threads are in their last call.
    ///   - body: Gets the thread's number from 0, and how many calls of that thread went before.
    /// - Returns: What was done in that time, or nil if threads don't come back: then nothing may be run afterwards.
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
            if now - start > longest {
                longest = now - start
                record.longest.store(longest, ordering: .relaxed)
            }
            start = now
        }
    }

    /// Ends the threads, and returns when they are gone.
    public func end() { team.end() }
}
