import Foundation

/// How the lines of a log are read.
public struct LogFormat: Sendable {
    private enum Reader: Sendable {
        case pattern(LogPattern)
        case json(JSONLines)
    }

    /// `combined`, or the format string.
    public let name: String

    /// How many of the first lines have the format, if they have been asked for it.
    struct Guess: Equatable, Sendable {
        var count: Int
        var lines: Int
    }

    /// nil if the format was given.
    private(set) var guess: Guess?

    private let reader: Reader

    /// The line `#Fields:`, if the log has one. Then lines that begin with `#` are no requests.
    private let fields: [UInt8]?

    /// Whether lines that begin with `#` are about the log, and are no requests.
    public var hasDirectives: Bool { fields != nil }

    private init(_ name: String, _ pattern: LogPattern, fields: [UInt8]? = nil) {
        self.name = name
        reader = .pattern(pattern)
        self.fields = fields
    }

    /// - Parameters:
    ///   - given: A name, a format string of Apache or nginx, or nil for what the lines have.
    ///   - start: The first lines of the log.
    /// - Throws: ``LogError`` if the format can't be read, or isn't known.
    public init(_ given: String?, start: [UInt8]) throws {
        guard let given else {
            self = try Self.likely(Start(start))
            return
        }
        if let known = Self.known.first(where: { $0.name == given }) {
            guard let format = try known.make(Start(start)) else { throw LogError(description: known.missing) }
            self = format
        } else if given.contains("%") || given.contains("$") {
            self.init(given, try FormatString.pattern(given))
        } else {
            let names = Self.known.map(\.name).joined(separator: ", ")
            throw LogError(description: "'\(given)' isn't a format: \(names), or a format string with % or $")
        }
    }

    /// The combined format of Apache and nginx.
    public static let combined = LogFormat("combined", knownPattern(LogPattern.combined))

    /// The common one.
    public static let common = LogFormat("common", knownPattern(LogPattern.common))

    private static func knownPattern(_ format: String) -> LogPattern {
        do { return try FormatString.pattern(format) } catch { preconditionFailure("the format \(format): \(error)") }
    }

    // MARK: Those with a name

    /// The beginning of a log, and its first lines, at most a thousand.
    private struct Start {
        let bytes: [UInt8]
        let lines: [Range<Int>]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            var lines: [Range<Int>] = []
            LineRanges.forEach(in: bytes) { if lines.count < 1000 { lines.append($0) } }
            self.lines = lines
        }
    }

    private struct Known {
        var name: String
        /// Makes it for a log that begins so; nil if such a log doesn't have it.
        var make: @Sendable (_ start: Start) throws -> LogFormat?
        /// What is said of a log that doesn't have it.
        var missing = ""
    }

    /// The formats with a name, the more special ones first: a line in the combined format has the common one, too.
    private static let known: [Known] = [
        Known(name: "json", make: { try json($0) }, missing: "most of the log's first lines aren't JSON objects"),
        Known(name: "w3c", make: { try w3c($0) }, missing: "the log has no line #Fields: among its first ones"),
        Known(name: "alb", make: { _ in LogFormat("alb", try .applicationLoadBalancer()) }),
        Known(name: "elb", make: { _ in LogFormat("elb", try .classicLoadBalancer()) }),
        Known(name: "haproxy", make: { try haproxy($0) }),
        Known(name: "squid", make: { _ in LogFormat("squid", try .squid()) }),
        Known(name: "traefik", make: { _ in LogFormat("traefik", try .traefik()) }),
        Known(name: "vhost_combined", make: { _ in plain("vhost_combined", LogPattern.combinedOfHosts) }),
        Known(name: "combined", make: { _ in combined }),
        Known(name: "vhost_common", make: { _ in plain("vhost_common", LogPattern.commonOfHosts) }),
        Known(name: "common", make: { _ in common }),
    ]

    /// The names of formats.
    public static var names: [String] { known.map(\.name) }

    private static func plain(_ name: String, _ format: String) -> LogFormat { LogFormat(name, knownPattern(format)) }

    private static func json(_ start: Start) throws -> LogFormat? {
        guard let lines = try JSONLines(start.bytes, start.lines) else { return nil }
        return LogFormat(json: lines)
    }

    private init(json: JSONLines) {
        name = "json"
        reader = .json(json)
        fields = nil
    }

    private static func haproxy(_ start: Start) throws -> LogFormat? {
        let both = try [true, false].map { LogFormat("haproxy", try .haproxy(isOfSyslog: $0)) }
        return both.max { $0.explained(start) < $1.explained(start) }
    }

    private static func w3c(_ beginning: Start) throws -> LogFormat? {
        let (start, lines) = (beginning.bytes, beginning.lines)
        guard let fields = lines.first(where: { start[$0].starts(with: directive) }) else { return nil }
        let names = String(decoding: start[fields].dropFirst(directive.count), as: UTF8.self)
            .split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        let isOfIIS = lines.contains {
            String(decoding: start[$0].prefix(40), as: UTF8.self).hasPrefix("#Software: Microsoft")
        }
        let data = lines.first { $0.lowerBound > fields.lowerBound && start[$0].first != UInt8(ascii: "#") }
        let hasTabs = data.map { start[$0].contains(UInt8(ascii: "\t")) } ?? false
        let pattern = try LogPattern.w3c(names, separator: hasTabs ? "\t" : " ", isOfIIS: isOfIIS)
        return LogFormat("w3c", pattern, fields: Array(start[fields]))
    }

    private static let directive = Array("#Fields:".utf8)

    /// Whether a line that begins with `#` says that the lines after it have other fields. They would be read wrongly.
    func changesFields(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: Self.directive) && fields.map { !line.elementsEqual($0) } ?? false
    }

    // MARK: Guessing

    /// How many lines it reads.
    private func explained(_ start: Start) -> Int {
        start.lines.count { !isDirective(start.bytes[$0]) && record(start.bytes, $0) != nil }
    }

    /// The format that most of the first lines have; the combined one if none has any of them.
    ///
    /// A more general one is taken only if the special one hasn't nine tenths of its lines: a damaged line in the combined format
    /// may have the common one.
    private static func likely(_ start: Start) throws -> LogFormat {
        var best: (format: LogFormat, count: Int) = (combined, 0)
        var refusal: (any Error)?
        for known in known {
            do {
                guard let format = try known.make(start) else { continue }
                let count = format.explained(start)
                // A log that says its fields has no other format, even if it has no lines yet.
                if count * 9 > best.count * 10 || format.hasDirectives { best = (format, count) }
            } catch {
                // It has the form, but not what is needed of it.
                refusal = refusal ?? error
            }
        }
        if best.count == 0, !best.format.hasDirectives, let refusal { throw refusal }
        best.format.guess = Guess(
            count: best.count, lines: start.lines.count { !best.format.isDirective(start.bytes[$0]) })
        return best.format
    }

    // MARK: Reading

    /// Whether the line is about the log, and no request.
    func isDirective(_ line: ArraySlice<UInt8>) -> Bool { hasDirectives && line.first == UInt8(ascii: "#") }

    /// The record of the line in `range` of `bytes`, without its line feed; nil if it is malformed.
    ///
    /// - Complexity: O(length of the line).
    public func record(_ bytes: [UInt8], _ range: Range<Int>) -> AccessRecord? {
        switch reader {
        case .pattern(let pattern):
            guard case .record(let record) = pattern.read(bytes, range) else { return nil }
            return record
        case .json(let lines): return lines.read(bytes, range)
        }
    }

    /// Why the line in `range` is malformed; nil if it isn't.
    public func problem(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
        switch reader {
        case .pattern(let pattern): pattern.problem(bytes, range)
        case .json(let lines): lines.problem(bytes, range)
        }
    }

    // MARK: What is said of it

    /// What of its lines isn't read, or read in a way that isn't obvious, in sentences.
    public var remarks: [String] {
        switch reader {
        case .pattern(let pattern): pattern.remarks
        case .json(let lines): lines.remarks
        }
    }

    /// The field with the latency, and its unit; nil if the format has none.
    public var latencyField: String? {
        switch reader {
        case .pattern(let pattern): pattern.latencyField
        case .json(let lines): lines.latencyField
        }
    }
}

extension LogPattern {
    var remarks: [String] {
        var found: [String] = []
        if !unknown.isEmpty {
            let one = unknown.count == 1
            found.append(
                "\(unknown.joined(separator: ", ")) \(one ? "isn't a variable" : "aren't variables") of nginx, and "
                    + "\(one ? "is" : "are") skipped")
        }
        if parts.contains(where: { $0.meaning == .clockTimeWithoutZone }) {
            found.append("times without a zone count as UTC")
        }
        if !parts.contains(where: { $0.meaning == .size }) { found.append("no sizes, so that all are 0") }
        return found
    }

    var latencyField: String? {
        let fields = parts.compactMap { part -> (name: String, unit: Int)? in
            switch part.meaning {
            case .latency(let unit), .latencyPart(let unit): (part.name, unit)
            default: nil
            }
        }
        guard let first = fields.first else { return nil }
        let names = fields.count == 1 ? first.name : "\(first.name) to \(fields[fields.count - 1].name), added"
        return "\(names), in \(Self.unitName(first.unit))"
    }

    static func unitName(_ nanoseconds: Int) -> String {
        switch nanoseconds {
        case 1: "ns"
        case 1000: "µs"
        case 1_000_000: "ms"
        default: "s"
        }
    }
}
