/// A format of log lines, from a format string of Apache (`LogFormat`) or nginx (`log_format`).
///
/// `%h %l %u %t "%r" %>s %b` and `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent` are the same.
/// What a replay doesn't need is skipped. Further fields may follow, after a blank.
public struct LogPattern: Sendable {
    /// The meaning of a field.
    enum Meaning: Equatable, Sendable {
        case client
        /// `17/May/2015:10:05:03 +0000`
        case time
        /// `2015-05-17T10:05:03+00:00`
        case isoTime
        /// Seconds since 1970, with a fraction.
        case epoch
        case status
        case size
        case skipped
    }

    /// A field, and the text after it. The text before the first field has no field.
    struct Part: Equatable, Sendable {
        var meaning: Meaning?
        /// The field as the format has it.
        var name: String
        var text: [UInt8]
        /// Whether quotes are around the field. Inside, `\"` is a quote.
        var isQuoted = false
    }

    let parts: [Part]

    public static let common = #"%h %l %u %t "%r" %>s %b"#
    public static let combined = #"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i""#

    /// - Throws: ``LogError`` if the format has no client, time or status, or a field that can't be read.
    public init(_ format: String) throws {
        parts = try FormatReader.parts(of: format)
        let meanings = parts.compactMap(\.meaning)
        let needed: [(Set<Meaning>, String)] = [
            ([.client], "client (%h or $remote_addr)"), ([.time, .isoTime, .epoch], "time (%t or $time_local)"),
            ([.status], "status (%>s or $status)"),
        ]
        for (any, what) in needed where any.isDisjoint(with: meanings) {
            throw LogError(description: "the format has no \(what)")
        }
        for (part, next) in zip(parts, parts.dropFirst()) where part.meaning != nil && part.text.isEmpty {
            throw LogError(description: "the format has nothing between \(part.name) and \(next.name)")
        }
    }

    /// What is wrong with a line.
    enum Outcome: Equatable {
        case record(AccessRecord)
        /// The part where the line doesn't have the format.
        case malformed(part: Int)
    }

    /// - Complexity: O(length of the line).
    func read(_ log: [UInt8], _ range: Range<Int>) -> Outcome {
        var record = AccessRecord(client: "", time: 0, status: 0, bytes: 0)
        var scanner = Scanner(bytes: log, position: range.lowerBound, end: range.upperBound)
        for (index, part) in parts.enumerated() {
            guard let meaning = part.meaning else {
                guard scanner.skip(part.text) else { return .malformed(part: index) }
                continue
            }
            let isLast = index == parts.count - 1
            guard Self.read(part, meaning, isLast: isLast, &scanner, &record), scanner.skip(part.text)
            else { return .malformed(part: index) }
        }
        return scanner.isAtEnd || scanner.skip(" ") ? .record(record) : .malformed(part: parts.count - 1)
    }

    /// Reads a field, up to the text after it.
    private static func read(
        _ part: Part, _ meaning: Meaning, isLast: Bool, _ scanner: inout Scanner, _ record: inout AccessRecord
    ) -> Bool {
        switch meaning {
        // A time may contain the text after it, and a blank. It ends where its form does.
        case .time, .isoTime:
            let time = meaning == .time ? scanner.clockTime() : scanner.isoTime()
            record.time = time ?? 0
            return time != nil
        case .client, .epoch, .status, .size, .skipped:
            let start = scanner.position
            return scanner.advance(to: part.text, isQuoted: part.isQuoted, isLast: isLast)
                && store(Scanner(bytes: scanner.bytes, position: start, end: scanner.position), meaning, &record)
        }
    }

    private static func store(_ value: Scanner, _ meaning: Meaning, _ record: inout AccessRecord) -> Bool {
        var value = value
        switch meaning {
        case .skipped, .time, .isoTime: return true
        case .client:
            record.client = String(decoding: value.bytes[value.position..<value.end], as: UTF8.self)
            return !value.isAtEnd
        case .epoch:
            let time = value.epoch()
            record.time = time ?? 0
            return time != nil && value.isAtEnd
        case .status:
            record.status = value.number() ?? 0
            return (100...599).contains(record.status) && value.isAtEnd
        case .size:
            guard let size = value.size(), value.isAtEnd else { return false }
            record.bytes = size
            return true
        }
    }

    /// Why the line in `range` is malformed; nil if it isn't.
    public func problem(_ log: [UInt8], _ range: Range<Int>) -> String? {
        guard case .malformed(let index) = read(log, range) else { return nil }
        if range.isEmpty { return "the line is empty" }
        let part = parts[index]
        let text = String(decoding: part.text, as: UTF8.self)
        return switch part.meaning {
        case nil: "it doesn't begin with '\(text)'"
        case .client: "there is no client"
        case .time: "no time like 17/May/2015:10:05:03 +0000 where the format has \(part.name)"
        case .isoTime: "no time like 2015-05-17T10:05:03+00:00 where the format has \(part.name)"
        case .epoch: "no seconds since 1970 where the format has \(part.name)"
        case .status: "no status from 100 to 599 where the format has \(part.name)"
        case .size: "no size where the format has \(part.name)"
        case .skipped: "no '\(text)' after \(part.name)"
        }
    }
}

/// Reads a format string from left to right.
private struct FormatReader {
    private var parts: [LogPattern.Part] = []
    private var text: [UInt8] = []

    static func parts(of format: String) throws -> [LogPattern.Part] {
        var reader = FormatReader()
        try reader.read(Array(format.unicodeScalars))
        var parts = reader.parts
        for index in parts.indices.dropFirst() {
            let quote = UInt8(ascii: "\"")
            parts[index].isQuoted = parts[index - 1].text.last == quote && parts[index].text.first == quote
        }
        return parts
    }

    private mutating func read(_ format: [Unicode.Scalar]) throws {
        parts = [LogPattern.Part(meaning: nil, name: "the beginning", text: [])]
        var rest = format[...]
        while let character = rest.popFirst() {
            switch character {
            // As in Apache's configuration.
            case "\\": append(rest.popFirst() ?? "\\")
            case "%" where rest.first == "%": append(rest.removeFirst())
            case "%": try field("%" + apacheName(&rest))
            case "$":
                let name = rest.first == "{" ? bracedName(&rest) : plainName(&rest)
                try field("$" + name)
            default: append(character)
            }
        }
    }

    private mutating func append(_ character: Unicode.Scalar) {
        parts[parts.count - 1].text += Array(String(character).utf8)
    }

    private func plainName(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        let name = rest.prefix { $0.properties.isAlphabetic || $0 == "_" || $0.properties.numericType != nil }
        rest = rest.dropFirst(name.count)
        return String(String.UnicodeScalarView(name))
    }

    private func bracedName(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        let name = rest.dropFirst().prefix { $0 != "}" }
        rest = rest.dropFirst(name.count + 2)
        return String(String.UnicodeScalarView(name))
    }

    /// `>s`, `{Referer}i`, `!200,304{x}i`: conditions and modifiers before the letter.
    private func apacheName(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        var name = ""
        while let character = rest.popFirst() {
            name.unicodeScalars.append(character)
            if character == "{" {
                while let inner = rest.popFirst() {
                    name.unicodeScalars.append(inner)
                    if inner == "}" { break }
                }
            } else if character == "^" {
                // Two letters follow, as in %^FB.
                name.unicodeScalars += rest.prefix(2)
                rest = rest.dropFirst(2)
                break
            } else if character.properties.isAlphabetic {
                break
            }
        }
        return name
    }

    private mutating func field(_ name: String) throws {
        guard name.count > 1 else { throw LogError(description: "the format has '\(name)' without a name after it") }
        let bare = name.filter { !"<>".contains($0) }
        var meaning = LogPattern.Meaning.skipped
        switch bare {
        case "%h", "%a", "%{c}a", "$remote_addr": meaning = .client
        case "%t":
            // The brackets are a part of Apache's time.
            parts[parts.count - 1].text.append(UInt8(ascii: "["))
            parts.append(LogPattern.Part(meaning: .time, name: name, text: [UInt8(ascii: "]")]))
            return
        case "$time_local": meaning = .time
        case "$time_iso8601": meaning = .isoTime
        case "$msec", "%{sec}t": meaning = .epoch
        case "%s", "$status": meaning = .status
        case "%b", "%B", "$body_bytes_sent", "$bytes_sent": meaning = .size
        default:
            if bare.hasPrefix("%{"), bare.hasSuffix("}t") {
                throw LogError(description: "the format has \(name); of times, %t and %{sec}t can be read")
            }
        }
        if meaning != .skipped, parts.contains(where: { $0.meaning == meaning }) { meaning = .skipped }
        parts.append(LogPattern.Part(meaning: meaning, name: name, text: []))
    }
}
