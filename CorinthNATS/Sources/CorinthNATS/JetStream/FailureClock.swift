#if NATS
internal import Foundation

/// Whether attempts have failed for too long: it counts from the first failure after the last success.
struct FailureClock: Sendable {
    /// For how many seconds there may be only failures.
    private let limit: Double
    private var since: Date?

    init(limit: Double) { self.limit = limit }

    mutating func succeed() { since = nil }

    /// Notes a failure.
    ///
    /// - Parameter isConnected: Whether the connection stands. While it doesn't, its own deadlines count.
    /// - Returns: Whether that is enough.
    mutating func fail(at now: Date, isConnected: Bool) -> Bool {
        let first = isConnected ? since ?? now : now
        since = first
        return now.timeIntervalSince(first) > limit
    }
}
#endif
