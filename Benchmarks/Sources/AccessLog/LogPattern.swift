/// A format of log lines: fields, and the texts between them. Further fields may follow, after a blank.
public struct LogPattern: Sendable {
    /// The meaning of a field.
    enum Meaning: Hashable, Sendable {
        case client
        /// With a port, which is left out: `192.0.2.1:4711`, `[::1]:4711`.
        case clientAndPort
        /// `17/May/2015:10:05:03 +0000`
        case clockTime
        /// `17/May/2015:10:05:03`, as UTC.
        case clockTimeWithoutZone
        /// `2015-05-17T10:05:03+00:00`
        case isoTime
        /// `2015-05-17`; the time of the day is another field.
        case date
        /// `10:05:03`
        case timeOfDay
        /// Since 1970, with or without a fraction, in a unit of so many microseconds.
        case epoch(unit: Int)
        case status
        case size
        /// How long the request took, in a unit of so many nanoseconds.
        case latency(unit: Int)
        /// The same for a part of the time. The parts are added.
        case latencyPart(unit: Int)
        /// `GET /index.html HTTP/1.1`
        case request
        case method
        case target
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
        /// Whether blanks may be before the field.
        var isPadded = false
        /// Whether a time is only skipped, by its form, because another field says the same better.
        var isIgnored = false
        /// Whether quotes around the field belong to its value, and may be there or not.
        var mayBeQuoted = false
    }

    let parts: [Part]

    /// Variables of nginx that it doesn't define by itself, and are skipped.
    let unknown: [String]

    /// - Throws: ``LogError`` if it has no client, time or status, or nothing between two fields.
    init(_ parts: [Part], unknown: [String] = []) throws {
        var parts = parts
        for index in parts.indices.dropFirst() {
            let quote = UInt8(ascii: "\"")
            parts[index].isQuoted = parts[index - 1].text.last == quote && parts[index].text.first == quote
        }
        self.parts = parts
        self.unknown = unknown
        let meanings = parts.filter { !$0.isIgnored }.compactMap(\.meaning)
        func has(_ isWanted: (Meaning) -> Bool, _ what: String) throws {
            if !meanings.contains(where: isWanted) { throw LogError(description: "the format has no \(what)") }
        }
        try has({ $0 == .client || $0 == .clientAndPort }, "client (%h or $remote_addr)")
        let isDated = meanings.contains(.date) && meanings.contains(.timeOfDay)
        try has({ isDated || $0.isWholeTime }, "time (%t or $time_local)")
        try has({ $0 == .status }, "status (%>s or $status)")
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

    /// - Complexity: O(length of the line); allocates only for clients of more than 15 bytes.
    func read(_ log: [UInt8], _ range: Range<Int>) -> Outcome {
        var reader = RecordReader()
        var scanner = Scanner(log, range)
        for index in parts.indices {
            let isLast = index == parts.count - 1
            guard Self.read(parts[index], isLast: isLast, &scanner, &reader) else { return .malformed(part: index) }
        }
        return scanner.isAtEnd || scanner.skip(" ") || scanner.skip("\t")
            ? .record(reader.result) : .malformed(part: parts.count - 1)
    }

    /// Reads a field, and the text after it.
    private static func read(
        _ part: Part, isLast: Bool, _ scanner: inout Scanner, _ reader: inout RecordReader
    ) -> Bool {
        guard let meaning = part.meaning else { return scanner.skip(part.text) }
        if part.isPadded { while scanner.skip(" ") {} }
        if meaning.endsByItself {
            var ignored = RecordReader()
            let isTime = part.isIgnored ? ignored.store(meaning, &scanner) : reader.store(meaning, &scanner)
            return isTime && scanner.skip(part.text)
        }
        let isQuoted = part.mayBeQuoted && scanner.skip("\"")
        let start = scanner.position
        guard
            isQuoted
                ? scanner.advance(to: [UInt8(ascii: "\"")], isQuoted: true, isLast: false)
                : scanner.advance(to: part.text, isQuoted: part.isQuoted, isLast: isLast)
        else { return false }
        if meaning != .skipped {
            var value = Scanner(scanner.bytes, start..<scanner.position)
            guard reader.store(meaning, &value), value.isAtEnd else { return false }
        }
        return (!isQuoted || scanner.skip("\"")) && scanner.skip(part.text)
    }

    /// Why the line in `range` is malformed; nil if it isn't.
    func problem(_ log: [UInt8], _ range: Range<Int>) -> String? {
        guard case .malformed(let index) = read(log, range) else { return nil }
        if range.isEmpty { return "the line is empty" }
        let part = parts[index]
        guard let meaning = part.meaning else {
            return "it doesn't begin with '\(String(decoding: part.text, as: UTF8.self))'"
        }
        if meaning == .skipped { return "no '\(String(decoding: part.text, as: UTF8.self))' after \(part.name)" }
        return "no \(meaning.example) where the format has \(part.name)"
    }
}

extension LogPattern.Meaning {
    /// Whether it is a time with its date.
    var isWholeTime: Bool {
        switch self {
        case .clockTime, .clockTimeWithoutZone, .isoTime, .epoch: true
        default: false
        }
    }

    /// Whether it ends where its form does. It may contain the text after it, such as a blank.
    var endsByItself: Bool {
        switch self {
        case .clockTime, .clockTimeWithoutZone, .isoTime: true
        default: false
        }
    }

    /// What a line should have.
    var example: String {
        switch self {
        case .client: "client like 192.0.2.1, 2001:db8::1 or host.example.org"
        case .clientAndPort: "client and port like 192.0.2.1:4711"
        case .clockTime: "time like 17/May/2015:10:05:03 +0000"
        case .clockTimeWithoutZone: "time like 17/May/2015:10:05:03.123"
        case .isoTime: "time like 2015-05-17T10:05:03+00:00"
        case .date: "date like 2015-05-17"
        case .timeOfDay: "time like 10:05:03"
        case .epoch: "time since 1970"
        case .status: "status from 100 to 599"
        case .size: "size"
        case .latency, .latencyPart: "duration"
        case .request, .method, .target, .skipped: "text"
        }
    }
}
