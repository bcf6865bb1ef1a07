#if NATS
internal import CNATS
internal import Corinth
internal import Foundation

/// The state of one partition in a bucket.
///
/// The *head* is one key. It names the position in the stream, and the *chunks* with the state. Writing the head is the commit: it
/// succeeds only on top of the revision that the writer knows. Who takes over a partition writes the head anew. From then on the
/// one before can't commit.
///
/// A commit writes what has changed, as a *part* of the state, and the head refers to those before, too. The chunks of a writer are
/// keys of its own, named after the revision with which it has taken over. A new owner begins with the whole state. So a writer that
/// was replaced never writes what the head refers to.
///
/// Servers may lose what they have acknowledged: nats-server 2.9 doesn't wait until it is on the disk. If that is a head, the one
/// before is there again, and refers to parts that are kept. If it is a chunk of what the newest commit wrote, the state before is
/// read, whose parts the head refers to, too. No part of either is where the next one is being written.
struct SnapshotStore: Sendable {
    /// What a new owner of a partition finds.
    struct Claim: Sendable {
        /// Its newest snapshot is that of the state.
        var head: Head
        /// The revision of the head.
        var revision: UInt64
        var state: Data
        var loss: Loss?
    }

    /// What the servers have lost.
    struct Loss: Sendable {
        var error: NATSError
        /// No state is left, and the stream doesn't have all messages that were in it.
        var isFinal = false
    }

    private static let largestChunk = 256 << 10

    /// How often chunks are looked for that aren't there, with a pause of 100 ms.
    private static let attempts = 20

    let jetStream: JetStream
    /// The key of the head.
    let key: String
    let owner: String
    private let bucket: String
    private let subject: String
    /// The stream of the messages.
    private let stream: String

    init(_ jetStream: JetStream, _ group: NATSGroup, of stream: String, partition: Int, owner: String) {
        self.jetStream = jetStream
        self.stream = stream
        self.owner = owner
        bucket = group.bucket
        key = "\(group.name).\(partition)"
        subject = group.subject(of: partition)
    }

    // MARK: Reading

    /// Takes the partition over, and reads its state.
    func claim() -> SignalProducer<Claim, NATSError> {
        let attempt = jetStream.newest(subject, in: bucket).flatMap(.latest) {
            found -> SignalProducer<Claim, NATSError> in
            // Who makes the group writes all heads.
            guard let found else {
                return write(Head(owner: owner), over: 0)
                    .flatMap(.latest) { revision in beginAnew(Head(owner: owner), revision) }
            }
            guard var head = Head(found.data) else {
                return SignalProducer(error: damaged(found.revision, "the head isn't one of this version"))
            }
            head.claim(by: owner)
            let claimed = head
            return write(claimed, over: found.revision)
                .flatMap(.latest) { revision in readState(claimed, revision) }
        }
        // Another worker has been faster. It doesn't know yet that this one has taken over.
        return jetStream.persistently(
            attempt.ifRefused(with: JetStream.wrongRevision) { text in
                SignalProducer(error: .jetStreamUnavailable("the state of \(key) is being taken over: \(text)"))
            })
    }

    /// Reads the newest state whose chunks are there. If none is, the claim is of the beginning of the stream.
    private func readState(_ head: Head, _ revision: UInt64) -> SignalProducer<Claim, NATSError> {
        readChunks(head.snapshot, revision, attempts: SnapshotStore.attempts)
            .flatMap(.latest) { state -> SignalProducer<Claim, NATSError> in
                if let state { return SignalProducer(value: Claim(head: head, revision: revision, state: state)) }
                return checkOwner(revision).then(readPrevious(head, revision))
            }
    }

    /// Reads the newest state, without taking the partition over. nil if nobody has made the group. Its owner may be storing the next
    /// ones meanwhile: then it begins again.
    func read() -> SignalProducer<(head: Head, state: Data)?, NATSError> {
        read(attempts: SnapshotStore.attempts)
    }

    private func read(attempts: Int) -> SignalProducer<(head: Head, state: Data)?, NATSError> {
        jetStream.newest(subject, in: bucket).flatMap(.latest) {
            found -> SignalProducer<(head: Head, state: Data)?, NATSError> in
            guard let found else { return SignalProducer(value: nil) }
            guard let head = Head(found.data) else {
                return SignalProducer(error: damaged(found.revision, "the head isn't one of this version"))
            }
            return readChunks(head.snapshot, found.revision, attempts: 1).flatMap(.latest) {
                state -> SignalProducer<(head: Head, state: Data)?, NATSError> in
                if let state { return SignalProducer(value: (head, state)) }
                if attempts <= 1 {
                    return SignalProducer(error: .stateLost(subject: subject, position: head.snapshot.position))
                }
                return jetStream.afterPause { read(attempts: attempts - 1) }
            }
        }
    }

    private func readPrevious(_ head: Head, _ revision: UInt64) -> SignalProducer<Claim, NATSError> {
        guard let previous = head.previous else { return beginAnew(head, revision) }
        return readChunks(previous, revision, attempts: 1)
            .flatMap(.latest) { state -> SignalProducer<Claim, NATSError> in
                guard let state else { return checkOwner(revision).then(beginAnew(head, revision)) }
                let loss = Loss(error: .stateLost(subject: subject, position: previous.position))
                let head = Head(snapshot: previous, owner: head.owner, claims: head.claims, attempt: head.attempt)
                return SignalProducer(value: Claim(head: head, revision: revision, state: state, loss: loss))
            }
    }

    private func beginAnew(_ head: Head, _ revision: UInt64) -> SignalProducer<Claim, NATSError> {
        jetStream.call("STREAM.INFO.\(stream)").map { response in
            let isWhole = response.sequence("first_seq") <= 1
            let loss = Loss(error: .stateLost(subject: subject, position: 0), isFinal: !isWhole)
            return Claim(head: Head(owner: head.owner), revision: revision, state: Data(), loss: loss)
        }
    }

    /// Fails if another worker has taken over. It deletes chunks.
    private func checkOwner(_ revision: UInt64) -> SignalProducer<Never, NATSError> {
        jetStream.newest(subject, in: bucket).attempt { found in
            found?.revision == revision
                ? .success(()) : .failure(.jetStreamUnavailable("the state of \(key) is being taken over"))
        }
        .then(SignalProducer<Never, NATSError>.empty)
    }

    /// nil if a chunk isn't there. They were written before the head. A leader that was elected may not have them yet.
    private func readChunks(
        _ snapshot: Snapshot, _ revision: UInt64, attempts: Int
    ) -> SignalProducer<Data?, NATSError> {
        SignalProducer<Part, NATSError>(snapshot.parts)
            .flatMap(.concat) { part in read(part, of: snapshot) }
            .collect()
            .flatMap(.latest) { parts -> SignalProducer<Data?, NATSError> in
                if parts.contains(nil) {
                    if attempts <= 1 { return SignalProducer(value: nil) }
                    return jetStream.afterPause { readChunks(snapshot, revision, attempts: attempts - 1) }
                }
                do {
                    return SignalProducer(value: try state(of: snapshot, parts.compactMap { $0 }))
                } catch {
                    return SignalProducer(error: damaged(revision, "\(error)"))
                }
            }
    }

    /// nil if a chunk isn't there.
    private func read(_ part: Part, of snapshot: Snapshot) -> SignalProducer<Data?, NATSError> {
        SignalProducer<Int, NATSError>(0..<part.chunks)
            .flatMap(.concat) { jetStream.newest(chunk($0, at: part.place, in: snapshot.epoch), in: bucket) }
            .reduce(into: Data() as Data?) { bytes, found in
                if let data = found?.data, data.count >= 8, data.number(at: 0) == UInt64(part.commit) {
                    bytes?.append(data.dropFirst(8))
                } else {
                    bytes = nil
                }
            }
    }

    private func state(of snapshot: Snapshot, _ parts: [Data]) throws -> Data {
        for (part, bytes) in zip(snapshot.parts, parts) where part.bytes != bytes.count {
            throw StateRecord.Damaged(description: "a part has \(bytes.count) bytes in place of \(part.bytes)")
        }
        // What the newest commit has as closed or removed may not have been sent.
        return try StateRecord.merged(parts, endsWithChanges: snapshot.parts.last?.commit == snapshot.commit)
    }

    func damaged(_ revision: UInt64, _ reason: String) -> NATSError {
        .undecodable(subject: subject, sequence: revision, reason: reason)
    }

    /// Fails with the code ``JetStream/wrongRevision`` if another worker has taken over.
    func confirmOwner(_ revision: UInt64) -> SignalProducer<Never, NATSError> {
        jetStream.persistently(jetStream.newest(subject, in: bucket)).attempt { found in
            found?.revision == revision
                ? .success(()) : .failure(.jetStream(code: JetStream.wrongRevision, "\(key) was taken over"))
        }
        .then(SignalProducer<Never, NATSError>.empty)
    }

    // MARK: Writing

    /// Writes a part of a state, and then the head on top of the given revision. Sends the new revision. Fails with the code
    /// ``JetStream/wrongRevision`` if another worker has taken over.
    ///
    /// - Parameters:
    ///   - bytes: What has changed, or all; if it is empty, only the head is written.
    ///   - kept: How many parts of the head's newest snapshot are a part of this one, too.
    ///   - snapshot: The snapshot, without its parts.
    ///   - head: Gets the snapshot.
    func store(
        _ bytes: Data, keeping kept: Int = 0, as snapshot: Snapshot, in head: inout Head, over revision: UInt64
    ) -> SignalProducer<UInt64, NATSError> {
        let size = chunkSize
        let chunks = stride(from: 0, to: bytes.count, by: size).map { start in
            var chunk = Data(capacity: size + 8)
            chunk.append(number: UInt64(snapshot.commit))
            chunk.append(bytes[start..<min(start + size, bytes.count)])
            return chunk
        }
        let place = head.freePlace(ofSize: bytes.count)
        var next = snapshot
        next.parts = Array(head.snapshot.parts.prefix(kept))
        if !chunks.isEmpty {
            next.parts.append(
                Part(commit: snapshot.commit, place: place, chunks: chunks.count, bytes: bytes.count))
        }
        head.append(next)
        head.owner = owner
        return SignalProducer<(offset: Int, element: Data), NATSError>(Array(chunks.enumerated()))
            .flatMap(.concurrent(limit: 4)) { index, chunk in
                jetStream.persistently(
                    jetStream.publish(NATSOutgoing(chunk, to: self.chunk(index, at: place, in: snapshot.epoch))))
            }
            .then(store(head, over: revision))
    }

    /// Writes a head whose chunks are stored. See ``store(_:keeping:as:in:over:)``.
    func store(_ head: Head, over revision: UInt64) -> SignalProducer<UInt64, NATSError> {
        jetStream.persistently(write(head, over: revision))
    }

    private func write(_ head: Head, over revision: UInt64) -> SignalProducer<UInt64, NATSError> {
        jetStream.write(head.data, to: subject, over: revision)
    }

    /// Deletes the chunks of owners before that of the epoch. They can't commit any more, and the head doesn't refer to theirs.
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

    private func chunk(_ index: Int, at place: Int, in epoch: UInt64) -> String {
        "\(subject).\(epoch).\(place).\(index)"
    }

    /// The size of a chunk. Half of what the server accepts, since a reply has it as text.
    private var chunkSize: Int {
        guard let handle = unsafe jetStream.connection.core.connectedHandle else { return SnapshotStore.largestChunk }
        let limit = Int(unsafe natsConnection_GetMaxPayload(handle))
        return min(SnapshotStore.largestChunk, max(limit / 2, 64))
    }
}
#endif
