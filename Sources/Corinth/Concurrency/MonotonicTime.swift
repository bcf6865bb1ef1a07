internal import CCorinth

/// The clock of every wait: setting the time of day doesn't move it.
enum MonotonicTime {
    /// In nanoseconds since some moment.
    static var now: UInt64 {
        #if Exploration
            // Time is the schedule's: it passes when the explorer says so.
            if let time = Explorer.time { return time }
        #endif
        return corinth_monotonic_time()
    }

    /// The same in seconds.
    static var seconds: Double { Double(now) / 1e9 }
}
