import Foundation

/// The result of a run that has a given time and not a given number of events.
public struct TimedRun: Equatable, Sendable {
    /// The number of events.
    public var events: Int
    /// The time that they took.
    public var nanoseconds: UInt64
    /// The process's context switches in that time; nil if the kernel doesn't count them.
    public var contextSwitches: UInt64?

    public init(events: Int, nanoseconds: UInt64, contextSwitches: UInt64? = nil) {
        self.events = events
        self.nanoseconds = nanoseconds
        self.contextSwitches = contextSwitches
    }

    /// Nanoseconds per event. A run without events counts as one event that took the whole time.
    public var nanosecondsPerEvent: Double { Double(nanoseconds) / Double(max(1, events)) }

    /// Sleeps for a time and measures how much a count grows in it.
    ///
    /// - Parameter count: The number of events so far. The calling thread calls it while other threads work.
    public static func measuring(milliseconds: Int, _ count: () -> Int) -> TimedRun {
        let before = Moment(count)
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        let after = Moment(count)
        return TimedRun(
            events: after.count - before.count, nanoseconds: after.time - before.time,
            contextSwitches: before.switches.flatMap { earlier in after.switches.map { $0 - earlier } })
    }

    /// A count and its time.
    private struct Moment {
        var count: Int
        var switches: UInt64?
        var time: UInt64

        /// Reads again if the reads took so long that the thread was probably preempted.
        init(_ read: () -> Int) {
            var tries = 0
            var start: UInt64
            repeat {
                start = Clock.now()
                count = read()
                switches = ProcessCounters.contextSwitches()
                time = Clock.now()
                tries += 1
            } while time - start > 100_000 && tries < 50
        }
    }
}
