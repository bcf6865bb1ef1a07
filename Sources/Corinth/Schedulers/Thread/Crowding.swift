/// Whether other threads take the processor from a thread that spins, or wait for it. Then it spins only briefly.
///
/// On a crowded machine, a thread that spins takes the processor from the thread that it waits for, and a thread that yields
/// gets it back a time slice later. A thread that sleeps is woken as soon as there is work, and the kernel prefers it then.
///
/// A thread can't see which threads share its processor. It sees two consequences:
///
/// - **Interruptions.** What takes microseconds has taken much longer: ``Cooldown/isInterruption(from:to:)``.
///   From then on it sleeps, and doesn't spin.
/// - **Spinning in vain.** It spins to the limit, gives the processor away, and then there is work: the thread that it waits for
///   shares the processor, and runs only now. The kernel may move one of them to an idle processor, which takes some
///   milliseconds. So only after ``mostVain`` times in a row it gives the processor away early.
///
/// Each lasts for a ``Cooldown``. So the thread wastes a time slice each second, and not each time that it waits.
///
/// All times are in nanoseconds, of the monotonic clock.
struct Crowding: Equatable, Sendable {
    /// A yield that takes longer has let another thread run.
    static let longestYield: UInt64 = 2_000

    /// How often it may spin to the limit in vain: for some milliseconds.
    static let mostVain = 128

    /// The same when it tries again.
    static let mostVainAgain = 4

    /// When it has looked at the clock last.
    private var last: UInt64 = 0

    /// While it sleeps instead of spinning.
    private var sleeping = Cooldown()

    /// How often in a row it has spun to the limit in vain.
    private var vain = 0

    /// While it gives the processor away early.
    private var sharing = Cooldown()

    /// Begins to spin.
    mutating func begin(at now: UInt64) { last = now }

    /// Checks how long it took since the last look at the clock.
    mutating func check(at now: UInt64) {
        if Cooldown.isInterruption(from: last, to: now) { sleeping.begin(at: now) }
        last = now
    }

    /// Whether the thread should sleep instead of spinning.
    func isCrowded(at now: UInt64) -> Bool { sleeping.isActive(at: now) }

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
        if hasSpun { noteVain(!Cooldown.isInterruption(from: last, to: now), at: now) }
        last = now
    }

    private mutating func noteVain(_ isVain: Bool, at now: UInt64) {
        // It hasn't spun to the limit.
        if isSharing(at: now) { return }
        vain = isVain ? vain + 1 : 0
        guard vain >= (sharing.isRecent(at: now) ? Crowding.mostVainAgain : Crowding.mostVain) else { return }
        vain = 0
        sharing.begin(at: now)
    }

    /// Whether the thread should spin only briefly before it gives the processor away.
    func isSharing(at now: UInt64) -> Bool { sharing.isActive(at: now) }
}
