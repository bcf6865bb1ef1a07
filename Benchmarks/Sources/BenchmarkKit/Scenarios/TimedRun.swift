import Foundation

/// What was done in a run of a given time, in place of a given number of events.
public struct TimedRun: Equatable, Sendable {
    /// How many events there were.
    public var events: Int
    /// In how much time.
    public var nanoseconds: UInt64
    /// Context switches of the process meanwhile; nil where the kernel doesn't say.
    public var contextSwitches: UInt64?

    public init(events: Int, nanoseconds: UInt64, contextSwitches: UInt64? = nil) {
        self.events = events
        self.nanoseconds = nanoseconds
        self.contextSwitches = contextSwitches
    }

    /// Nanoseconds for each event. One that never came counts as one that took all the time.
    public var nanosecondsPerEvent: Double { Double(nanoseconds) / Double(max(1, events)) }

    /// Sleeps for so many milliseconds, and says by how much a count has risen meanwhile.
    ///
    /// - Parameter count: How many events there have been. Called by the caller's thread, while others work.
    public static func measuring(milliseconds: Int, _ count: () -> Int) -> TimedRun {
        let before = Moment(count)
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
        let after = Moment(count)
        return TimedRun(
            events: after.count - before.count, nanoseconds: after.time - before.time,
            contextSwitches: before.switches.flatMap { earlier in after.switches.map { $0 - earlier } })
    }

    /// A count, and when it was.
    private struct Moment {
        var count: Int
        var switches: UInt64?
        var time: UInt64

        /// Reads again if the kernel took the processor from this thread meanwhile, as far as the clock shows it.
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
