/// The traffic of a site, computed from its log.
public struct Traffic: Codable, Equatable, Sendable {
    /// The number of requests.
    public var requests = 0
    /// The number of malformed lines.
    public var malformed = 0
    /// Requests answered with a status of 500 and up.
    public var serverErrors = 0
    /// Requests after a request with a later time.
    public var late = 0
    /// Requests by minute since 1970.
    public var requestsPerMinute: [Int: Int] = [:]
    /// Bytes sent, by client. A sum that is too large stays at the largest number.
    public private(set) var bytesPerClient: [String: Int] = [:]
    /// Whether a sum was too large.
    public private(set) var hasOverflowed = false

    public init() {}

    /// The result of a plain loop over `log`, which every side has to find.
    public init(of log: AccessLog) {
        var newest = Int.min
        for line in log.lines.indices {
            guard let record = log.record(ofLine: line) else {
                malformed += 1
                continue
            }
            add(record, isLate: record.time < newest)
            newest = max(newest, record.time)
        }
    }

    /// Adds one request.
    public mutating func add(_ record: AccessRecord, isLate: Bool) {
        requests += 1
        requestsPerMinute[record.minute, default: 0] += 1
        add(bytes: record.bytes, of: record.client)
        if record.status >= 500 { serverErrors += 1 }
        if isLate { late += 1 }
    }

    /// Adds the bytes of a response.
    public mutating func add(bytes: Int, of client: String) {
        let isTooLarge = Self.add(bytes, to: &bytesPerClient[client, default: 0])
        if isTooLarge { hasOverflowed = true }
    }

    /// Adds the traffic of other lines. The order of the parts makes no difference.
    public mutating func merge(_ other: Traffic) {
        requests += other.requests
        malformed += other.malformed
        serverErrors += other.serverErrors
        late += other.late
        requestsPerMinute.merge(other.requestsPerMinute) { $0 + $1 }
        for (client, bytes) in other.bytesPerClient { add(bytes: bytes, of: client) }
        if other.hasOverflowed { hasOverflowed = true }
    }

    /// Adds, up to the largest number. Returns whether the sum is larger.
    private static func add(_ bytes: Int, to sum: inout Int) -> Bool {
        let (result, isTooLarge) = sum.addingReportingOverflow(bytes)
        sum = isTooLarge ? .max : result
        return isTooLarge
    }

    public var lines: Int { requests + malformed }

    /// What is shown of it.
    public var summary: TrafficSummary {
        let busiest = requestsPerMinute.min { ($1.value, $0.key) < ($0.value, $1.key) }
        return TrafficSummary(
            lines: lines, malformed: malformed, requests: requests, minutes: requestsPerMinute.count,
            busiestMinute: busiest.map { TrafficSummary.Minute(minute: $0.key, requests: $0.value) },
            serverErrors: serverErrors, late: late, topClients: TrafficSummary.top(bytesPerClient),
            remarks: hasOverflowed ? [TrafficSummary.overflow] : [])
    }

    /// The aggregates of `other` that differ from these, with both values.
    public func differences(from other: Traffic) -> [String] {
        var found: [String] = []
        func compare<Value: Equatable>(_ name: String, _ mine: Value, _ others: Value) {
            if mine != others { found.append("\(name): expected \(mine), got \(others)") }
        }
        compare("requests", requests, other.requests)
        compare("malformed lines", malformed, other.malformed)
        compare("server errors", serverErrors, other.serverErrors)
        compare("late lines", late, other.late)
        found += Self.firstDifference("requests in minute", requestsPerMinute, other.requestsPerMinute)
        found += Self.firstDifference("bytes of client", bytesPerClient, other.bytesPerClient)
        compare("a sum too large", hasOverflowed, other.hasOverflowed)
        return found
    }

    private static func firstDifference<Key: Comparable & Hashable>(
        _ name: String,
        _ mine: [Key: Int],
        _ others: [Key: Int]
    ) -> [String] {
        let keys = Set(mine.keys).union(others.keys).sorted()
        guard let key = keys.first(where: { mine[$0] != others[$0] }) else { return [] }
        return ["\(name) \(key): expected \(mine[key] ?? 0), got \(others[key] ?? 0)"]
    }
}
