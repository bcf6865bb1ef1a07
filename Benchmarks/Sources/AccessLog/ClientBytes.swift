/// The bytes that each client has received, for a limited number of clients.
///
/// If there are more than twice as many, those with the fewest bytes are left out. So the sum of a client may lack what it had when it was left out:
/// at most ``lost`` (as in the lossy counting of Manku and Motwani, 2002).
struct ClientBytes: Equatable, Sendable {
    private let limit: Int
    private var bytes: [String: Int] = [:]
    private(set) var lost = 0
    private(set) var hasOverflowed = false

    init(limit: Int) { self.limit = limit }

    mutating func add(_ count: Int, of client: String) {
        addAlone(count, of: client)
        if bytes.count > 2 * limit { leaveOut() }
    }

    private mutating func addAlone(_ count: Int, of client: String) {
        let (sum, isTooLarge) = bytes[client, default: 0].addingReportingOverflow(count)
        bytes[client] = isTooLarge ? .max : sum
        if isTooLarge { hasOverflowed = true }
    }

    /// Adds those of another part. The result doesn't depend on the order in which a dictionary has its elements.
    mutating func merge(_ other: ClientBytes) {
        for (client, count) in other.bytes { addAlone(count, of: client) }
        lost += other.lost
        if other.hasOverflowed { hasOverflowed = true }
        if bytes.count > 2 * limit { leaveOut() }
    }

    private mutating func leaveOut() {
        let sorted = bytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        lost += sorted[limit].value
        bytes = Dictionary(uniqueKeysWithValues: sorted.prefix(limit).map { ($0.key, $0.value) })
    }

    var top: [TrafficSummary.Client] { TrafficSummary.top(bytes) }
}
