/// An open loop: sends events at fixed times, whether or not earlier events have arrived.
///
/// A sender in a closed loop sends less while a system stalls, so it records the stall only once (coordinated omission).
/// Here each event has a due time. The corrected latency starts at the due time, so it contains the delay of every event
/// that was due during a stall. The uncorrected latency starts when the event was sent.
public struct OpenLoop: Sendable {
    /// The time between two events, in nanoseconds.
    public let interval: Double

    public init(eventsPerSecond: Double) {
        precondition(
            eventsPerSecond > 0 && eventsPerSecond.isFinite,
            "A rate is above 0 events per second, not \(eventsPerSecond).")
        interval = 1e9 / eventsPerSecond
    }

    /// Calls `send` for each event when it is due, or later, as soon as the previous call has returned.
    ///
    /// - Parameter send: Gets the event's number from 0, its due time, and the time of the call.
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
