internal import Dispatch

/// For how long the drains of a scheduler may linger.
enum LingerLimit {
    /// That of a thread that spins anyway while it waits for work. In nanoseconds.
    static var spinning: UInt64 { hasSeveralProcessors ? 50_000 : 0 }

    /// A time that the user has passed. In nanoseconds.
    static func checked(_ time: DispatchTimeInterval) -> UInt64 {
        time.requireNonnegative("lingering")
        let nanoseconds = time.wholeNanoseconds
        precondition(
            nanoseconds <= 10_000_000, "lingering is \(time.timeInterval * 1000) ms, but must be at most 10 ms")
        return hasSeveralProcessors ? nanoseconds : 0
    }

    /// With one processor, nothing is posted while a drain lingers.
    private static let hasSeveralProcessors = Processors.count > 1
}
