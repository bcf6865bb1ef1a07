/// A time in which a thread doesn't do what has gone wrong, and which becomes longer if it goes wrong again.
///
/// All times are in nanoseconds, of the monotonic clock.
@usableFromInline
struct Cooldown: Equatable, Sendable {
    /// The first and the longest time.
    static let shortest: UInt64 = 10_000_000
    static let longest: UInt64 = 1_000_000_000

    /// What takes longer than this, and usually some ten microseconds at most, was interrupted: a time slice takes at least some
    /// hundred.
    static let interruption: UInt64 = 300_000

    private var end: UInt64 = 0
    private var length: UInt64 = 0

    func isActive(at now: UInt64) -> Bool { now < end }

    /// Whether it ended so recently that the next one is longer: at most as long ago as it lasted.
    func isRecent(at now: UInt64) -> Bool { now <= end + length }

    /// Begins, for twice as long as the last one if that is recent.
    mutating func begin(at now: UInt64) {
        length = isRecent(at: now) ? max(Cooldown.shortest, min(2 * length, Cooldown.longest)) : Cooldown.shortest
        end = now + length
    }

    /// Whether the calling thread had no processor between two looks at the clock, as far as it can tell.
    static func isInterruption(from last: UInt64, to now: UInt64) -> Bool {
        // The clocks of two processors may differ a little.
        now > last && now - last > interruption
    }
}
