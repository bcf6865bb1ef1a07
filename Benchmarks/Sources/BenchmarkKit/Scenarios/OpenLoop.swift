/// Sends at times that don't wait for what was sent before: an open loop.
///
/// When a system stalls, a sender that waits for it sends less, and the stall is counted once (coordinated
/// omission). Here each event has its time. The corrected latency counts from that time, and so has the waiting of
/// all events that were due during a stall; the uncorrected one counts from when the event was really sent.
public struct OpenLoop: Sendable {
    /// From one event's time to the next one's, in nanoseconds.
    public let interval: Double

    public init(eventsPerSecond: Double) {
        precondition(
            eventsPerSecond > 0 && eventsPerSecond.isFinite,
            "A rate is above 0 events per second, not \(eventsPerSecond).")
        interval = 1e9 / eventsPerSecond
    }

    /// Calls `send` for each of `events` at its time, or as soon after it as the one before has returned.
    ///
    /// - Parameter send: Gets the event's number, from 0, when it is due, and when it is really sent.
    public func run(events: Int, _ send: (_ number: Int, _ due: UInt64, _ sent: UInt64) -> Void) {
        let start = Clock.now()
        for number in 0..<events {
            let due = start + UInt64(Double(number) * interval)
            var now = Clock.now()
            if now < due {
                Clock.wait(until: due)
                now = Clock.now()
            }
            send(number, due, now)
        }
    }
}
