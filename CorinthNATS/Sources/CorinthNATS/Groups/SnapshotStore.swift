internal import CNATS
internal import Corinth
internal import Foundation

/// The state of one partition in a bucket.
///
/// The *head* is one key. It names the position in the stream, and the *chunks* with the state. Writing the head is the commit: it
/// succeeds only on top of the revision that the writer knows. Who takes over a partition writes the head anew. From then on the
/// one before can't commit.
///
/// The chunks of a writer are keys of its own, named after the revision with which it has taken over, in two sets by turns. So a
/// writer that was replaced never writes what the head refers to.
struct SnapshotStore: Sendable {
    /// The head's content.
    struct Head: Equatable, Sendable {
        /// All messages up to this sequence are in the state.
        var position: UInt64 = 0
        /// The newest date, in milliseconds since 1970.
        var newest = Int64.min
        /// The revision with which the writer of the chunks took over, and the number of its commit.
        var epoch: UInt64 = 0
        var commit = 0
        var chunks = 0
        var bytes = 0
        /// Who wrote this.
        var owner = ""
    }

    /// What a new owner of a partition finds.
    struct Claim: Sendable {
        var head: Head
        /// The revision of the head.
        var revision: UInt64
        var state: Data
    }

    /// A server's code for a write on top of another revision.
    static let wrongRevision = 10071
    private static let notFound = 10037
    private static let largestChunk = 256 << 10

    let jetStream: JetStream
    /// The key of the head.
    let key: String
    let owner: String
    private let bucket: String
    private let subject: String

    init(_ jetStream: JetStream, _ group: NATSGroup, partition: Int, owner: String) {
        self.jetStream = jetStream
        self.owner = owner
        bucket = group.bucket
        key = "\(group.name).\(partition)"
        subject = "$KV.\(bucket).\(key)"
    }

    // MARK: Reading

    /// Takes the partition over, and reads its state.
    func claim() -> SignalProducer<Claim, NATSError> {
        let attempt = read(subject).flatMap(.latest) { found -> SignalProducer<Claim, NATSError> in
            var head = Head()
            if let found {
                guard let read = Head(found.data) else {
                    return SignalProducer(error: damaged(found.revision, "the head isn't one of this version"))
                }
                head = read
            }
            head.owner = owner
            let claimed = head
            return write(claimed, over: found?.revision ?? 0)
                .flatMap(.latest) { revision in
                    readChunks(claimed, revision).map { Claim(head: claimed, revision: revision, state: $0) }
                }
        }
        // Another worker has been faster. It doesn't know yet that this one has taken over.
        return jetStream.connection.persistently(
            attempt.flatMapError { error in
                if case .jetStream(SnapshotStore.wrongRevision, let text) = error {
                    SignalProducer(error: .jetStreamUnavailable("the state of \(key) is being taken over: \(text)"))
                } else {
                    SignalProducer(error: error)
                }
            })
    }

    private func readChunks(_ head: Head, _ revision: UInt64) -> SignalProducer<Data, NATSError> {
        SignalProducer<Int, NATSError>(0..<head.chunks)
            .flatMap(.concat) { index in
                read(chunk(index, of: head)).attemptMap { found -> Result<Data, NATSError> in
                    // Written before the head, so it is there, unless the leader has changed and doesn't have it yet.
                    guard let found, found.data.count >= 8, found.data.number(at: 0) == UInt64(head.commit) else {
                        return .failure(.jetStreamUnavailable("a part of the state of \(key) isn't there yet"))
                    }
                    return .success(found.data.dropFirst(8))
                }
            }
            .reduce(into: Data()) { $0.append($1) }
            .attemptMap { state in
                state.count == head.bytes
                    ? .success(state)
                    : .failure(damaged(revision, "it has \(state.count) bytes in place of \(head.bytes)"))
            }
    }

    /// The newest value of a key, from the leader of the bucket, and its revision. nil if there is none.
    private func read(_ subject: String) -> SignalProducer<(data: Data, revision: UInt64)?, NATSError> {
        jetStream.call("STREAM.MSG.GET.KV_\(bucket)", ["last_by_subj": .string(subject)])
            .map { response -> (data: Data, revision: UInt64)? in
                let message = response["message"]
                let text = message?["data"]?.stringValue ?? ""
                return (Data(base64Encoded: text) ?? Data(), UInt64(message?["seq"]?.int ?? 0))
            }
            .flatMapError { error in
                if case .jetStream(SnapshotStore.notFound, _) = error {
                    SignalProducer(value: nil)
                } else {
                    SignalProducer(error: error)
                }
            }
    }

    func damaged(_ revision: UInt64, _ reason: String) -> NATSError {
        .undecodable(subject: subject, sequence: revision, reason: reason)
    }

    // MARK: Writing

    /// Writes a state, and then the head on top of the given revision. Sends the new revision. Fails with the code
    /// ``wrongRevision`` if another worker has taken over.
    ///
    /// - Parameter head: Gets the number and the size of the chunks.
    func store(_ head: inout Head, _ state: Data, over revision: UInt64) -> SignalProducer<UInt64, NATSError> {
        let size = chunkSize
        let chunks = stride(from: 0, to: state.count, by: size).map { start in
            var chunk = Data(capacity: size + 8)
            chunk.append(number: UInt64(head.commit))
            chunk.append(state[start..<min(start + size, state.count)])
            return chunk
        }
        head.chunks = chunks.count
        head.bytes = state.count
        head.owner = owner
        let whole = head
        return SignalProducer<(offset: Int, element: Data), NATSError>(Array(chunks.enumerated()))
            .flatMap(.concurrent(limit: 4)) { index, chunk in
                jetStream.connection.persistently(
                    jetStream.publish(NATSOutgoing(chunk, to: self.chunk(index, of: whole))))
            }
            .then(store(whole, over: revision))
    }

    /// Writes a head whose chunks are stored. See ``store(_:_:over:)``.
    func store(_ head: Head, over revision: UInt64) -> SignalProducer<UInt64, NATSError> {
        jetStream.connection.persistently(write(head, over: revision))
    }

    private func write(_ head: Head, over revision: UInt64) -> SignalProducer<UInt64, NATSError> {
        jetStream.publish(
            NATSOutgoing(
                head.data, to: subject, headers: ["Nats-Expected-Last-Subject-Sequence": "\(revision)"])
        ).map(\.sequence)
    }

    /// Deletes the chunks of earlier owners. They can't commit any more, and the head doesn't refer to theirs.
    func deleteChunks(before epoch: UInt64) -> SignalProducer<Never, NATSError> {
        let stream = "KV_\(bucket)"
        let prefix = subject + "."
        return jetStream.call("STREAM.INFO.\(stream)", ["subjects_filter": .string(prefix + ">")])
            .flatMap(.latest) { response -> SignalProducer<JSONValue, NATSError> in
                let subjects = (response["state"]?["subjects"]?.objectValue ?? [:]).keys
                let epochs = Set(subjects.compactMap { UInt64($0.dropFirst(prefix.count).prefix { $0 != "." }) })
                return SignalProducer<UInt64, NATSError>(epochs.filter { $0 < epoch })
                    .flatMap(.concat) { old in
                        jetStream.call("STREAM.PURGE.\(stream)", ["filter": .string("\(prefix)\(old).>")])
                    }
            }
            .then(SignalProducer<Never, NATSError>.empty)
    }

    private func chunk(_ index: Int, of head: Head) -> String {
        "\(subject).\(head.epoch).\(head.commit % 2).\(index)"
    }

    /// The size of a chunk. Half of what the server accepts, since a reply has it as text.
    private var chunkSize: Int {
        guard let handle = unsafe jetStream.connection.core.connectedHandle else { return SnapshotStore.largestChunk }
        let limit = Int(unsafe natsConnection_GetMaxPayload(handle))
        return min(SnapshotStore.largestChunk, max(limit / 2, 64))
    }
}

extension SnapshotStore.Head {
    /// nil if the data isn't a head of this version.
    init?(_ data: Data) {
        guard let value = try? JSONValue(data), value["version"]?.int == 1 else { return nil }
        func count(_ name: String) -> Int? { value[name]?.int.flatMap { $0 >= 0 ? $0 : nil } }
        guard let position = count("position"), let epoch = count("epoch"), let commit = count("commit"),
            let chunks = count("chunks"), let bytes = count("bytes"), let owner = value["owner"]?.stringValue
        else { return nil }
        self.init(
            position: UInt64(position), newest: value["newest"]?.int.map { Int64($0) } ?? .min, epoch: UInt64(epoch),
            commit: commit, chunks: chunks, bytes: bytes, owner: owner)
    }

    var data: Data {
        var members: [String: JSONValue] = [
            "version": .integer(1), "position": .integer(Int64(position)), "epoch": .integer(Int64(epoch)),
            "commit": .integer(Int64(commit)), "chunks": .integer(Int64(chunks)), "bytes": .integer(Int64(bytes)),
            "owner": .string(owner),
        ]
        if newest != .min { members["newest"] = .integer(newest) }
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
