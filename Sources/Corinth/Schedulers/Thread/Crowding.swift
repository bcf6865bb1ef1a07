/// Whether other threads take the processor from a thread that spins, or wait for it. Then it spins only briefly.
///
/// On a crowded machine, a thread that spins takes the processor from the thread that it waits for, and a thread that yields
/// gets it back a time slice later. A thread that sleeps is woken as soon as there is work, and the kernel prefers it then.
///
/// A thread can't see which threads share its processor. It sees two consequences:
///
/// - **Interruptions.** What takes microseconds has taken longer than ``longest``. From then on it sleeps for
///   ``shortestSleep``, then tries again. If it is crowded out again, it sleeps twice as long, at most ``longestSleep``. So it
///   wastes a time slice each second, and not each time that it waits.
/// - **Spinning in vain.** It spins to the limit, gives the processor away, and then there is work: the thread that it waits for
///   shares the processor, and runs only now. After ``mostVain`` times in a row it gives the processor away early, for
///   ``sharingLength``. To try again wastes some ten microseconds, so this time doesn't grow.
///
/// All times are in nanoseconds, of the monotonic clock.
struct Crowding: Equatable, Sendable {
    /// What takes longer than this was interrupted. Spinning to the limit takes some ten microseconds, a time slice at least
    /// some hundred.
    static let longest: UInt64 = 300_000

    /// How long it sleeps at first, and at most, before it spins again.
    static let shortestSleep: UInt64 = 10_000_000
    static let longestSleep: UInt64 = 1_000_000_000

    /// A yield that takes longer has let another thread run.
    static let longestYield: UInt64 = 2_000

    /// How often it may spin to the limit in vain.
    static let mostVain = 4

    /// How long it gives the processor away early.
    static let sharingLength: UInt64 = 10_000_000

    /// When it has looked at the clock last.
    private var last: UInt64 = 0

    /// When it may spin again.
    private var end: UInt64 = 0

    /// How long it sleeps.
    private var length: UInt64 = 0

    /// How often in a row it has spun to the limit in vain.
    private var vain = 0

    /// Until when it gives the processor away early.
    private var sharingEnd: UInt64 = 0

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

    // MARK: Spinning in vain

    /// Counts work that came while it spun.
    mutating func succeed() { vain = 0 }

    /// Checks the time as ``check(at:)`` does, when there is work after a yield.
    mutating func findAfterYield(at now: UInt64) {
        noteVain(now > last && now - last > Crowding.longestYield, at: now)
        check(at: now)
    }

    /// Looks at the clock after a sleep, which began when it had looked last.
    ///
    /// - Parameter hasSpun: Whether it had spun to the limit before.
    mutating func wake(at now: UInt64, hasSpun: Bool) {
        if hasSpun { noteVain(now <= last || now - last < Crowding.longest, at: now) }
        last = now
    }

    private mutating func noteVain(_ isVain: Bool, at now: UInt64) {
        // It hasn't spun to the limit.
        if isSharing(at: now) { return }
        vain = isVain ? vain + 1 : 0
        guard vain == Crowding.mostVain else { return }
        vain = 0
        sharingEnd = now + Crowding.sharingLength
    }

    /// Whether the thread should spin only briefly before it gives the processor away.
    func isSharing(at now: UInt64) -> Bool { now < sharingEnd }
}
