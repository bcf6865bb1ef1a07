#if NATS
internal import Foundation

/// A key and its state, as a snapshot has them: the kind, the window, the key and the state, with their lengths.
struct StateRecord {
    enum Kind: UInt64 {
        case live, closed, removed
        /// It was closed or removed before, and replaces what earlier parts have of the key.
        case forgotten
    }

    struct Damaged: Error, CustomStringConvertible { let description: String }

    var kind: Kind
    /// The beginning of the window, in milliseconds since 1970.
    var window: Int64?
    /// The end of the window, if it is a session.
    var end: Int64?
    var key: String
    /// As its codec has encoded it.
    var state: Data

    var data: Data {
        let text = key.utf8
        var data = Data(capacity: 40 + text.count + state.count)
        data.append(number: kind.rawValue)
        data.append(number: window == nil ? 0 : end == nil ? 1 : 2)
        data.append(number: UInt64(bitPattern: window ?? 0))
        if let end { data.append(number: UInt64(bitPattern: end)) }
        data.append(number: UInt64(text.count))
        data.append(contentsOf: text)
        data.append(number: UInt64(state.count))
        data.append(state)
        return data
    }

    /// The window.
    func range(_ windows: NATSWindows?) -> Range<Date>? {
        window.map { Date.range($0..<(end ?? windows?.end(of: $0) ?? $0)) }
    }

    /// Reads the bytes of a state, or of a part.
    ///
    /// - Parameter record: Called for each record, with its bytes.
    static func read(_ bytes: Data, _ record: (StateRecord, Data) throws -> Void) throws {
        var offset = 0
        func number() throws -> UInt64 {
            guard bytes.count - offset >= 8 else { throw Damaged(description: "it ends too early") }
            defer { offset += 8 }
            return bytes.number(at: offset)
        }
        func data() throws -> Data {
            guard let count = Int(exactly: try number()), count <= bytes.count - offset else {
                throw Damaged(description: "it ends too early")
            }
            defer { offset += count }
            return bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + count)]
        }
        while offset < bytes.count {
            let start = offset
            guard let kind = Kind(rawValue: try number()) else { throw Damaged(description: "a kind is unknown") }
            let times = try number()
            guard times <= 2 else { throw Damaged(description: "a window has \(times) times") }
            let begin = Int64(bitPattern: try number())
            let end = times == 2 ? Int64(bitPattern: try number()) : nil
            if let end, end < begin { throw Damaged(description: "a session ends before it begins") }
            guard let key = String(validating: try data(), as: UTF8.self) else {
                throw Damaged(description: "a key isn't UTF-8")
            }
            let state = Data(try data())
            try record(
                StateRecord(kind: kind, window: times > 0 ? begin : nil, end: end, key: key, state: state),
                Data(bytes[(bytes.startIndex + start)..<(bytes.startIndex + offset)]))
        }
    }

    private struct Name: Hashable {
        let window: Int64?
        let key: String
    }

    /// The bytes of the state that parts are of: its records, each once.
    ///
    /// - Parameter endsWithChanges: Whether the last part was written by the newest commit. Then what was closed or removed in it is
    ///   a part of the state.
    static func merged(_ parts: [Data], endsWithChanges: Bool) throws -> Data {
        var records: [Name: Data] = [:]
        for (index, part) in parts.enumerated() {
            let mayEnd = endsWithChanges && index == parts.count - 1
            try read(part) { record, bytes in
                let isKept = record.kind == .live || mayEnd && record.kind != .forgotten
                records[Name(window: record.window, key: record.key)] = isKept ? bytes : nil
            }
        }
        return records.values.reduce(into: Data()) { $0.append($1) }
    }
}
#endif
