public import CCorinth

/// The clock of every wait. Setting the time of day doesn't affect it.
@usableFromInline
enum MonotonicTime {
    /// In nanoseconds, from an arbitrary origin.
    @inlinable
    static var now: UInt64 {
        #if Exploration
            // The explorer controls the time.
            if let time = Explorer.time { return time }
        #endif
        return ccorinth_monotonic_time()
    }

    /// The same in seconds.
    static var seconds: Double { Double(now) / 1e9 }
}
