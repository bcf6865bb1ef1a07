/// Whether other threads take the processor from a thread that spins. Then it sleeps instead.
///
/// On a crowded machine, a thread that spins takes the processor from the thread that it waits for, and a thread that yields
/// gets it back a time slice later. A thread that sleeps is woken as soon as there is work, and the kernel prefers it then.
///
/// A thread can't see that another one runs instead of it, but it sees that time has passed: what takes microseconds has taken
/// longer than ``longest``. From then on it sleeps for ``shortestSleep``, then tries again. If it is crowded out again, it sleeps
/// twice as long, at most ``longestSleep``. So it wastes a time slice each second, and not each time that it waits.
///
/// All times are in nanoseconds, of the monotonic clock.
struct Crowding: Equatable, Sendable {
    /// What takes longer than this was interrupted. Spinning to the limit takes some ten microseconds, a time slice at least
    /// some hundred.
    static let longest: UInt64 = 300_000

    /// How long it sleeps at first, and at most, before it spins again.
    static let shortestSleep: UInt64 = 10_000_000
    static let longestSleep: UInt64 = 1_000_000_000

    /// When it has looked at the clock last.
    private var last: UInt64 = 0

    /// When it may spin again.
    private var end: UInt64 = 0

    /// How long it sleeps.
    private var length: UInt64 = 0

    /// Begins to spin.
    mutating func begin(at now: UInt64) { last = now }

    /// Checks how long it took since the last look at the clock.
    mutating func check(at now: UInt64) {
        // The clocks of two processors may differ a little.
        if now > last, now - last > Crowding.longest { crowd(at: now) }
        last = now
    }

    private mutating func crowd(at now: UInt64) {
        // If it has spun undisturbed for as long as it slept before, this begins anew.
        let isNew = now > end + length
        length = isNew ? Crowding.shortestSleep : min(2 * length, Crowding.longestSleep)
        end = now + length
    }

    /// Whether the thread should sleep instead of spinning.
    func isCrowded(at now: UInt64) -> Bool { now < end }
}
