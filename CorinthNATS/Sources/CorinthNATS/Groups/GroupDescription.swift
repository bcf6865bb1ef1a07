#if NATS
internal import Corinth
internal import Foundation

/// What all workers of a group must agree on. The first one writes it to the bucket, under the group's name.
struct GroupDescription: Sendable {
    let group: NATSGroup
    let partitions: NATSPartitions
    /// What else the states depend on, by name.
    let shape: [String: JSONValue]

    var settings: [String: JSONValue] {
        let settings: [String: JSONValue] = [
            "version": .integer(1), "stream": .string(partitions.stream),
            "partitions": .integer(Int64(partitions.count)), "subjects": .string(partitions.subjects),
        ]
        return settings.merging(shape) { $1 }
    }

    /// Compares it with what the group was made with. Makes the group if it is new: the heads of all partitions first, so that one
    /// that isn't there is lost.
    ///
    /// - Parameter info: What the stream has.
    func agree(in jetStream: JetStream, on info: JSONValue) -> SignalProducer<Void, NATSError> {
        let attempt = jetStream.newest(group.subject, in: group.bucket)
            .flatMap(.latest) { found -> SignalProducer<Void, NATSError> in
                guard let found else { return make(in: jetStream, info) }
                let actual = (try? JSONValue(found.data))?.objectValue ?? [:]
                // What a worker doesn't declare, as windows, the group mustn't have.
                let drifts = NATSDrift.between(
                    settings.merging(actual.mapValues { _ in .null }) { declared, _ in declared }, and: actual)
                return drifts.isEmpty
                    ? SignalProducer(value: ())
                    : SignalProducer(error: .drifted("the group \(group.name) in \(group.bucket)", drifts))
            }
        return jetStream.persistently(
            // Another worker has made it meanwhile.
            attempt.ifRefused(with: JetStream.wrongRevision) { _ in attempt })
    }

    private func make(in jetStream: JetStream, _ info: JSONValue) -> SignalProducer<Void, NATSError> {
        // Earlier versions have written heads, and no description.
        jetStream.newest(group.subject(of: 0), in: group.bucket)
            .flatMap(.latest) { found -> SignalProducer<Void, NATSError> in
                guard let start = found == nil ? group.startingAt.position(in: info) : 0 else {
                    return SignalProducer(error: .stateLost(subject: group.subject, position: 0))
                }
                var head = SnapshotStore.Head()
                head.snapshot.position = start
                head.snapshot.history.created = info["created"]?.stringValue ?? ""
                let data = head.data
                return SignalProducer<Int, NATSError>(0..<partitions.count)
                    .flatMap(.concurrent(limit: 64)) { partition in
                        jetStream.write(data, to: group.subject(of: partition), over: 0)
                            .map { _ in () }
                            .ifRefused(with: JetStream.wrongRevision) { _ in SignalProducer(value: ()) }
                    }
                    .then(write(in: jetStream).then(SignalProducer<Void, NATSError>(value: ())))
            }
    }

    /// Makes the group, whose heads are written. Fails with ``JetStream/wrongRevision`` if there is one.
    func write(in jetStream: JetStream) -> SignalProducer<Never, NATSError> {
        jetStream.write(JSONValue.object(settings).data, to: group.subject, over: 0)
            .then(SignalProducer<Never, NATSError>.empty)
    }
}

extension NATSGroup.Start {
    /// The position of a new group; nil if it is to begin with the first message, and that was deleted.
    ///
    /// - Parameter info: What the stream has.
    func position(in info: JSONValue) -> UInt64? {
        let (first, last) = (info.sequence("first_seq"), info.sequence("last_seq"))
        switch self {
        case .first: return first <= 1 ? 0 : nil
        case .oldest: return first == 0 ? 0 : first - 1
        case .newest: return last
        case .sequence(let sequence): return min(max(sequence, 1) - 1, last)
        }
    }
}
#endif
