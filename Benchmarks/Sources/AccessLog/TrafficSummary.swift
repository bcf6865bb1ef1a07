/// What is shown of the traffic of a log.
public struct TrafficSummary: Equatable, Sendable {
    /// A minute, counted since 1970.
    public struct Minute: Equatable, Sendable {
        public var minute: Int
        public var requests: Int
    }

    public struct Client: Equatable, Sendable {
        public var name: String
        public var bytes: Int
    }

    public var lines: Int
    public var malformed: Int
    public var requests: Int
    /// How many minutes have requests.
    public var minutes: Int
    /// The first minute with the most requests; nil without requests.
    public var busiestMinute: Minute?
    public var serverErrors: Int
    public var late: Int
    /// The ten clients that received the most bytes, in descending order, then by name.
    public var topClients: [Client]
    /// What has to be known of the figures, in sentences.
    public var remarks: [String]

    /// The share of requests answered with a status of 500 and up; 0 without requests.
    public var serverErrorRate: Double { requests == 0 ? 0 : Double(serverErrors) / Double(requests) }

    static func top(_ bytesPerClient: [String: Int]) -> [Client] {
        let sorted = bytesPerClient.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(10).map { Client(name: $0.key, bytes: $0.value) }
    }

    static let overflow = "a sum of bytes is larger than 9,223,372,036,854,775,807 and stays there"
}
