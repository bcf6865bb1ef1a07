import Foundation

/// Lines that are JSON objects, as Caddy, Traefik, Envoy and nginx's `escape=json` write them.
///
/// The first lines say which names they have. Of names with the same meaning, the one that is first in the list below is read.
struct JSONLines: Sendable {
    /// What a member of a line means.
    private enum Meaning: Int, CaseIterable, Sendable {
        case client, time, status, size, latency, request, method, target
    }

    /// The paths of members, with points between their names, and their meanings.
    private let meanings: [[UInt8]: Meaning]
    private let names: [Meaning: String]

    /// How many nanoseconds 1 is where the latency is a number.
    private let latencyUnit: Int

    /// Whether there is a `duration` that isn't read, because its unit isn't known.
    private let lacksUnit: Bool

    // MARK: Names

    /// Names by meaning, the best first.
    private static let known: [Meaning: [String]] = [
        .client: [
            "request.client_ip", "request.remote_ip", "ClientHost", "remote_addr", "remote_ip", "client_ip", "clientip",
            "client", "c-ip", "httpRequest.remoteIp", "downstream_remote_address", "ip",
        ],
        .time: [
            "StartUTC", "msec", "time_iso8601", "start_time", "@timestamp", "timestamp", "ts", "time", "time_local",
            "StartLocal",
        ],
        .status: ["status", "DownstreamStatus", "response_code", "status_code", "sc-status", "httpRequest.status"],
        .size: [
            "body_bytes_sent", "bytes_sent", "size", "DownstreamContentSize", "bytes", "sc-bytes",
            "httpRequest.responseSize",
        ],
        .latency: latencies.map(\.name) + ["duration"],
        .request: ["request"],
        .method: ["request.method", "request_method", "RequestMethod", "method", "httpRequest.requestMethod"],
        .target: [
            "request.uri", "request_uri", "RequestPath", "uri", "path", "url", "httpRequest.requestUrl",
            "x_envoy_origin_path",
        ],
    ]

    /// Latencies with a known unit, in nanoseconds.
    private static let latencies: [(name: String, unit: Int)] = [
        ("request_time", 1_000_000_000), ("Duration", 1), ("duration_ns", 1), ("duration_us", 1000),
        ("duration_ms", 1_000_000), ("latency_ms", 1_000_000), ("duration_seconds", 1_000_000_000),
        ("httpRequest.latency", 1_000_000_000),
    ]

    /// The unit of `duration`, which is Caddy's in seconds and Envoy's in milliseconds.
    private static func unitOfDuration(_ found: Set<String>) -> Int? {
        if found.contains("response_code") { return 1_000_000 }
        if found.contains("request.remote_ip") { return 1_000_000_000 }
        return nil
    }

    /// - Parameters:
    ///   - start: The beginning of the log.
    ///   - lines: Its first lines.
    /// - Returns: nil unless most of them are objects.
    /// - Throws: ``LogError`` if the objects have no known client, time or status.
    init?(_ start: [UInt8], _ lines: [Range<Int>]) throws {
        var found: Set<String> = []
        let objects = lines.count { line in
            var scanner = JSONScanner(Scanner(start, line))
            return scanner.members { path, _ in found.insert(String(decoding: path, as: UTF8.self)) }
        }
        guard objects * 2 > lines.count else { return nil }
        var names: [Meaning: String] = [:]
        var unit = 1
        for meaning in Meaning.allCases { names[meaning] = Self.known[meaning]?.first { found.contains($0) } }
        if let latency = names[.latency] {
            let known = Self.latencies.first { $0.name == latency }?.unit ?? Self.unitOfDuration(found)
            if let known { unit = known } else { names[.latency] = nil }
        }
        for (meaning, what) in [(Meaning.client, "client"), (.time, "time"), (.status, "status")]
        where names[meaning] == nil {
            let words = Self.known[meaning]?.joined(separator: ", ") ?? ""
            throw LogError(description: "the JSON objects of the log have no \(what): none of \(words)")
        }
        self.names = names
        latencyUnit = unit
        meanings = Dictionary(uniqueKeysWithValues: names.map { (Array($0.value.utf8), $0.key) })
        lacksUnit = names[.latency] == nil && found.contains("duration")
    }

    var remarks: [String] {
        (lacksUnit ? ["the unit of duration isn't known, so it isn't read"] : [])
            + (names[.size] == nil ? ["no sizes, so that all are 0"] : [])
    }

    var latencyField: String? {
        names[.latency].map { "\($0), in \(LogPattern.unitName(latencyUnit)) where it is a number" }
    }

    // MARK: Reading

    /// The record of a line, or what it lacks.
    private enum Outcome {
        case record(AccessRecord)
        case malformed(String)
    }

    func read(_ log: [UInt8], _ range: Range<Int>) -> AccessRecord? {
        guard case .record(let record) = outcome(log, range) else { return nil }
        return record
    }

    func problem(_ log: [UInt8], _ range: Range<Int>) -> String? {
        guard case .malformed(let reason) = outcome(log, range) else { return nil }
        return reason
    }

    private func outcome(_ log: [UInt8], _ range: Range<Int>) -> Outcome {
        if range.isEmpty { return .malformed("the line is empty") }
        var reader = RecordReader()
        var (seen, wrong) = (0, Meaning?.none)
        var scanner = JSONScanner(Scanner(log, range))
        let isObject = scanner.members { path, value in
            guard let meaning = meanings[path] else { return }
            // As null does, an empty text says nothing.
            guard !value.isAtEnd, !value.isNull else { return }
            var value = value
            guard store(meaning, &value, &reader), value.isAtEnd else {
                wrong = wrong ?? meaning
                return
            }
            seen |= 1 << meaning.rawValue
        }
        guard isObject else { return .malformed("it isn't a JSON object") }
        if let wrong { return .malformed("no \(Self.example(wrong)) under \(names[wrong] ?? "")") }
        for needed in [Meaning.client, .time, .status] where seen & 1 << needed.rawValue == 0 {
            return .malformed("there is no \(names[needed] ?? "")")
        }
        return .record(reader.result)
    }

    private static func example(_ meaning: Meaning) -> String {
        switch meaning {
        case .client: LogPattern.Meaning.client.example
        case .time: "time"
        case .status: LogPattern.Meaning.status.example
        case .size: "size"
        case .latency: "duration"
        case .request, .method, .target: "text"
        }
    }

    private func store(_ meaning: Meaning, _ value: inout Scanner, _ reader: inout RecordReader) -> Bool {
        switch meaning {
        case .client:
            // Envoy's has a port.
            return reader.store(names[.client] == "downstream_remote_address" ? .clientAndPort : .client, &value)
        case .time: return storeTime(&value, &reader)
        case .status: return reader.store(.status, &value)
        case .size: return reader.store(.size, &value)
        case .latency: return reader.store(value.takeDurationUnit(latencyUnit), &value)
        case .request: return reader.store(.request, &value)
        case .method: return reader.store(.method, &value)
        case .target: return reader.store(.target, &value)
        }
    }

    /// A number is in seconds, or, if that would be after the year 5000, in milliseconds, microseconds or nanoseconds.
    private func storeTime(_ value: inout Scanner, _ reader: inout RecordReader) -> Bool {
        let start = value.position
        for form in [LogPattern.Meaning.isoTime, .clockTime] {
            value.position = start
            if reader.store(form, &value), value.isAtEnd { return true }
        }
        value.position = start
        guard let whole = value.number() else { return false }
        value.position = start
        switch whole {
        case ..<100_000_000_000: return reader.store(.epoch(unit: 1_000_000), &value)
        case ..<100_000_000_000_000: return reader.store(.epoch(unit: 1000), &value)
        case ..<100_000_000_000_000_000: return reader.store(.epoch(unit: 1), &value)
        default:
            // A nanosecond is less than the unit of a record.
            guard value.number() != nil, value.isAtEnd, value.position - start == 19 else { return false }
            value = Scanner(value.bytes, start..<value.position - 3)
            return reader.store(.epoch(unit: 1), &value)
        }
    }
}

extension Scanner {
    /// Whether it is what JSON has for nothing.
    fileprivate var isNull: Bool { bytes[position..<end].elementsEqual("null".utf8) }

    /// What a duration means. One like `12.5ms` says its unit, which is left out from here on.
    fileprivate mutating func takeDurationUnit(_ usual: Int) -> LogPattern.Meaning {
        let units: [(String, Int)] = [
            ("ns", 1), ("µs", 1000), ("us", 1000), ("ms", 1_000_000), ("s", 1_000_000_000),
        ]
        let text = bytes[position..<end]
        for (unit, size) in units where text.suffix(unit.utf8.count).elementsEqual(unit.utf8) {
            self = Scanner(bytes, position..<end - unit.utf8.count)
            return .latency(unit: size)
        }
        return .latency(unit: usual)
    }
}
