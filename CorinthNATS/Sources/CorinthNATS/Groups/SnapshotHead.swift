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
        /// The revision with which the writer of the chunks took over, and the number of its commit.
        var epoch: UInt64 = 0
        var commit = 0
        var chunks = 0
        var bytes = 0
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
            let hasChunks = snapshot.chunks > 0 || next.chunks > 0
            previous = hasChunks && snapshot.position > 0 ? snapshot : nil
            snapshot = next
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
        func count(_ name: String) -> Int? { value[name]?.int.flatMap { $0 >= 0 ? $0 : nil } }
        guard let position = count("position"), let epoch = count("epoch"), let commit = count("commit"),
            let chunks = count("chunks"), let bytes = count("bytes")
        else { return nil }
        // Earlier versions have none.
        let history = StreamHistory(
            created: value["created"]?.stringValue ?? "", sequence: UInt64(count("handled") ?? 0),
            time: UInt64(count("time") ?? 0))
        self.init(
            position: UInt64(position), history: history, newest: value["newest"]?.int.map { Int64($0) } ?? .min,
            epoch: UInt64(epoch), commit: commit, chunks: chunks, bytes: bytes)
    }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "position": .integer(Int64(position)), "epoch": .integer(Int64(epoch)),
            "commit": .integer(Int64(commit)), "chunks": .integer(Int64(chunks)), "bytes": .integer(Int64(bytes)),
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

extension SnapshotStore.Head {
    /// nil if the data isn't a head of this version.
    init?(_ data: Data) {
        guard let value = try? JSONValue(data), value["version"]?.int == 2,
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
        members["version"] = .integer(2)
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
