#if NATS
internal import Foundation

extension SnapshotStore {
    /// A state that was stored: where it is, and up to where it contains the messages.
    struct Snapshot: Equatable, Sendable {
        /// All messages up to this sequence are in the state.
        var position: UInt64 = 0
        /// What belongs to the position.
        var history = StreamHistory()
        /// The newest date, in milliseconds since 1970.
        var newest = Int64.min
        /// The revision with which the writer of the parts took over, and the number of its commit.
        var epoch: UInt64 = 0
        var commit = 0
        /// What a later one has of a key replaces what earlier ones have. See ``StateParts``.
        var parts: [Part] = []
    }

    /// A part of a state: what a commit has written.
    struct Part: Equatable, Sendable {
        var commit: Int
        /// No other part that the head refers to is there, and none of an owner that this one has replaced.
        var place: Int
        var chunks: Int
        var bytes: Int
    }

    /// The head's content.
    struct Head: Equatable, Sendable {
        var snapshot = Snapshot()
        /// The snapshot before, whose chunks are kept. nil if neither has chunks.
        var previous: Snapshot?
        /// Who wrote this.
        var owner = ""
        /// How many owners have begun with this snapshot.
        var claims = 0
        /// The message that an owner has begun to handle alone.
        var attempt: Attempt?

        /// Makes a snapshot the newest one.
        mutating func append(_ next: Snapshot) {
            claims = 0
            attempt = nil
            let hasParts = !snapshot.parts.isEmpty || !next.parts.isEmpty
            previous = hasParts && snapshot.position > 0 ? snapshot : nil
            snapshot = next
        }

        /// Where a part can be written: places of the same size follow each other, so that what stays of earlier parts isn't much
        /// larger. A state has at most one part of a size, so the third of these is free, if the head's states have the others.
        func freePlace(ofSize bytes: Int) -> Int {
            let taken = Set((snapshot.parts + (previous?.parts ?? [])).map(\.place))
            var place = 3 * (Int.bitWidth - bytes.leadingZeroBitCount)
            while taken.contains(place) { place += 1 }
            return place
        }

        /// Another owner begins with the snapshot. If it is one that has begun to handle the message alone, it hasn't died of it: it was
        /// replaced.
        mutating func claim(by owner: String) {
            self.owner = owner
            claims += 1
            attempt?.owners.removeAll { $0 == owner }
        }

        /// The owner begins to handle a message alone.
        mutating func begin(_ sequence: UInt64) {
            attempt = Attempt(sequence: sequence, owners: suspects(of: sequence) + [owner])
        }

        /// Who has begun to handle a message alone, and hasn't said what became of it.
        func suspects(of sequence: UInt64) -> [String] {
            attempt.flatMap { $0.sequence == sequence ? $0.owners : nil } ?? []
        }

        /// A message, and who has begun to handle it alone.
        struct Attempt: Equatable, Sendable {
            let sequence: UInt64
            /// Those of earlier versions have no names.
            var owners: [String]
        }

        /// Chunks of owners before this one aren't referred to.
        var oldestEpoch: UInt64 { min(previous?.epoch ?? snapshot.epoch, snapshot.epoch) }
    }
}

extension SnapshotStore.Snapshot {
    /// nil if there isn't one of this version.
    init?(_ value: JSONValue) {
        guard let position = value.count("position"), let epoch = value.count("epoch"),
            let commit = value.count("commit")
        else { return nil }
        var parts: [SnapshotStore.Part] = []
        if let values = value["parts"]?.arrayValue {
            for value in values {
                guard let part = SnapshotStore.Part(value) else { return nil }
                parts.append(part)
            }
        } else {
            // Earlier versions wrote the whole state each time, to three places by turns.
            guard let chunks = value.count("chunks"), let bytes = value.count("bytes") else { return nil }
            if chunks > 0 || bytes > 0 {
                parts = [SnapshotStore.Part(commit: commit, place: commit % 3, chunks: chunks, bytes: bytes)]
            }
        }
        // Earlier versions have none.
        let history = StreamHistory(
            created: value["created"]?.stringValue ?? "", sequence: UInt64(value.count("handled") ?? 0),
            time: UInt64(value.count("time") ?? 0))
        self.init(
            position: UInt64(position), history: history, newest: value["newest"]?.int.map { Int64($0) } ?? .min,
            epoch: UInt64(epoch), commit: commit, parts: parts)
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "position": .integer(Int64(position)), "epoch": .integer(Int64(epoch)),
            "commit": .integer(Int64(commit)), "parts": .array(parts.map(\.value)),
        ]
        if !history.created.isEmpty { members["created"] = .string(history.created) }
        if history.time > 0 {
            members["handled"] = .integer(Int64(clamping: history.sequence))
            members["time"] = .integer(Int64(clamping: history.time))
        }
        if newest != .min { members["newest"] = .integer(newest) }
        return members
    }
}

extension SnapshotStore.Part {
    /// nil if there isn't one.
    init?(_ value: JSONValue) {
        guard let commit = value.count("commit"), let place = value.count("place"), let chunks = value.count("chunks"),
            let bytes = value.count("bytes")
        else { return nil }
        self.init(commit: commit, place: place, chunks: chunks, bytes: bytes)
    }

    var value: JSONValue {
        .object([
            "commit": .integer(Int64(commit)), "place": .integer(Int64(place)), "chunks": .integer(Int64(chunks)),
            "bytes": .integer(Int64(bytes)),
        ])
    }
}

extension SnapshotStore.Head {
    /// nil if the data isn't a head of this version.
    init?(_ data: Data) {
        guard let value = try? JSONValue(data), value["version"]?.int.map({ (2...3).contains($0) }) == true,
            let snapshot = SnapshotStore.Snapshot(value), let owner = value["owner"]?.stringValue
        else { return nil }
        var previous: SnapshotStore.Snapshot?
        if let value = value["previous"] {
            guard let read = SnapshotStore.Snapshot(value) else { return nil }
            previous = read
        }
        self.init(snapshot: snapshot, previous: previous, owner: owner, claims: value["claims"]?.int ?? 0)
        if let sequence = value["attempted"]?.int, let count = value["attempts"]?.int {
            let owners = value["attemptedBy"]?.arrayValue.compactMap(\.stringValue)
            attempt = Attempt(
                sequence: UInt64(clamping: sequence), owners: owners ?? Array(repeating: "", count: max(0, count)))
        }
    }

    var data: Data {
        var members = snapshot.members
        members["version"] = .integer(3)
        members["owner"] = .string(owner)
        if claims > 0 { members["claims"] = .integer(Int64(claims)) }
        if let attempt {
            members["attempted"] = .integer(Int64(clamping: attempt.sequence))
            members["attempts"] = .integer(Int64(attempt.owners.count))
            members["attemptedBy"] = .array(attempt.owners.map { .string($0) })
        }
        if let previous { members["previous"] = .object(previous.members) }
        return JSONValue.object(members).data
    }
}

extension JSONValue {
    /// A member that is a number of something; nil if it isn't there, or isn't one.
    fileprivate func count(_ name: String) -> Int? { self[name]?.int.flatMap { $0 >= 0 ? $0 : nil } }
}

extension Data {
    /// Appends eight bytes, the lowest first.
    mutating func append(number: UInt64) {
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
    }

    /// Eight bytes, the lowest first.
    ///
    /// - Parameter offset: From the beginning. There must be eight bytes.
    func number(at offset: Int) -> UInt64 {
        let start = startIndex + offset
        return (0..<8).reduce(0) { $0 | UInt64(self[start + $1]) << (8 * UInt64($1)) }
    }
}
#endif
