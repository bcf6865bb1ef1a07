internal import Foundation

/// The states of one partition.
///
/// Not safe for concurrent use: its owner serialises the calls.
struct AggregateTable<StateCodec: NATSCodec> {
    typealias Change = NATSAggregated<StateCodec.Value>

    private struct Key: Hashable {
        var text: String
        /// The beginning of the window, in milliseconds since 1970.
        var window: Int64?
    }

    private enum Kind: UInt64 { case live, closed, removed }

    private struct Entry {
        var state: StateCodec.Value?
        var kind = Kind.live
        /// As in the last snapshot. nil if it has changed since.
        var encoded: Data?
    }

    private let codec: StateCodec
    private let windows: NATSWindows?
    private let partition: Int
    private var entries: [Key: Entry] = [:]

    /// All messages up to this sequence are in the state.
    private(set) var position: UInt64
    /// The newest date, in milliseconds since 1970.
    private(set) var newest: Int64

    init(_ codec: StateCodec, windows: NATSWindows?, partition: Int, position: UInt64, newest: Int64) {
        self.codec = codec
        self.windows = windows
        self.partition = partition
        self.position = position
        self.newest = newest
    }

    /// Applies a message. Returns how many windows it was too late for.
    mutating func apply(
        _ sequence: UInt64, key: String, at date: @autoclosure () -> Date, _ update: (inout StateCodec.Value?) -> Void
    ) -> Int {
        position = sequence
        guard let windows else {
            change(Key(text: key), update)
            return 0
        }
        let milliseconds = Int64((date().timeIntervalSince1970 * 1000).rounded(.down))
        newest = max(newest, milliseconds)
        var late = 0
        for start in windows.starts(at: milliseconds) {
            if windows.isClosed(start, newest: newest) {
                late += 1
            } else {
                change(Key(text: key, window: start), update)
            }
        }
        return late
    }

    /// Goes past a message that isn't a part of the state.
    mutating func skip(_ sequence: UInt64) { position = sequence }

    private mutating func change(_ key: Key, _ update: (inout StateCodec.Value?) -> Void) {
        // Taken out, so that a state with storage of its own isn't copied.
        var entry = entries.removeValue(forKey: key) ?? Entry()
        update(&entry.state)
        entry.kind = entry.state == nil ? .removed : .live
        entry.encoded = nil
        entries[key] = entry
    }

    // MARK: Snapshots

    /// The state as bytes, and what has changed since the last snapshot. What the last snapshot has as closed or removed is
    /// forgotten: it must be stored by now.
    ///
    /// - Complexity: O(keys); encodes only what has changed.
    mutating func snapshot() throws -> (bytes: Data, changes: [Change]) {
        var bytes = Data()
        var changes: [Change] = []
        var forgotten: [Key] = []
        for index in entries.indices {
            let key = entries.keys[index]
            var entry = entries.values[index]
            if entry.kind != .live, entry.encoded != nil {
                forgotten.append(key)
                continue
            }
            if let start = key.window, entry.kind == .live, windows?.isClosed(start, newest: newest) != false {
                entry.kind = .closed
                entry.encoded = nil
            }
            if entry.encoded == nil {
                let encoded = try encode(key, entry)
                entry.encoded = encoded
                changes.append(change(key, entry, entry.kind == .live ? .changed : .closed))
                entries.values[index] = entry
            }
            bytes.append(entry.encoded ?? Data())
        }
        for key in forgotten { entries[key] = nil }
        return (bytes, changes)
    }

    private func change(_ key: Key, _ entry: Entry, _ kind: Change.Kind) -> Change {
        let window = key.window.map { start in
            let date = Date(timeIntervalSince1970: Double(start) / 1000)
            return date..<date.addingTimeInterval(windows?.length.seconds ?? 0)
        }
        return Change(
            kind: kind, key: key.text, window: window, state: entry.state, partition: partition, sequence: position)
    }

    /// The kind, the window, the key and the state, with their lengths.
    private func encode(_ key: Key, _ entry: Entry) throws -> Data {
        let text = key.text.utf8
        let state = try entry.state.map { try codec.encode($0) } ?? Data()
        var data = Data(capacity: 40 + text.count + state.count)
        data.append(number: entry.kind.rawValue)
        data.append(number: key.window == nil ? 0 : 1)
        data.append(number: UInt64(bitPattern: key.window ?? 0))
        data.append(number: UInt64(text.count))
        data.append(contentsOf: text)
        data.append(number: UInt64(state.count))
        data.append(state)
        return data
    }

    struct Damaged: Error, CustomStringConvertible { let description: String }

    /// Reads the bytes of a snapshot.
    ///
    /// - Parameter undecodable: Called for a key whose state doesn't decode. If it throws, so does this; else the key is left out.
    /// - Returns: All states, as restored.
    mutating func restore(_ bytes: Data, undecodable: (String, any Error) throws -> Void) throws -> [Change] {
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
        var changes: [Change] = []
        while offset < bytes.count {
            let begin = offset
            guard let kind = Kind(rawValue: try number()) else { throw Damaged(description: "a kind is unknown") }
            let hasWindow = try number() == 1
            let window = Int64(bitPattern: try number())
            guard let text = String(validating: try data(), as: UTF8.self) else {
                throw Damaged(description: "a key isn't UTF-8")
            }
            let payload = try data()
            let key = Key(text: text, window: hasWindow ? window : nil)
            var entry = Entry(kind: kind)
            if kind != .removed {
                do { entry.state = try codec.decode(Data(payload)) } catch {
                    try undecodable(text, error)
                    continue
                }
            }
            entry.encoded = Data(bytes[(bytes.startIndex + begin)..<(bytes.startIndex + offset)])
            entries[key] = entry
            changes.append(change(key, entry, kind == .live ? .restored : .closed))
        }
        return changes
    }
}
