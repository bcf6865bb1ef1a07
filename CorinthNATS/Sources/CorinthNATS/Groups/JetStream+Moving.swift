#if NATS
public import Corinth
internal import Foundation

extension JetStream {
    /// Makes another group of an aggregate's states, over another number of partitions: the way to more workers.
    ///
    /// ```swift
    /// let wider = NATSPartitions(96, of: "ORDERS", subjects: "orders.partition", consumer: "billing")
    /// jetStream.move(NATSGroup("totals", in: "STATE"), over: orders, to: NATSGroup("totals-96", in: "STATE"), over: wider).start()
    /// ```
    ///
    /// 1. Publishers stop, so that nobody publishes to partitions of the old number any more.
    /// 2. The workers handle what there is, and end: see ``NATSConnection/drain(within:)``.
    /// 3. This moves the states. It fails with ``NATSError/unsettled(group:messages:)`` if the group hasn't handled all messages.
    /// 4. Workers of the new group and publishers to the new partitions begin.
    ///
    /// The old group stays as it is, so that nothing is lost if this fails, and it may be started again. The new group exists when this
    /// completes, and not before. It begins behind the newest message that the stream has now. With windows, those are closed that end
    /// before the newest date of all partitions.
    ///
    /// - Parameters:
    ///   - old: The group, of an `aggregate`.
    ///   - oldPartitions: Over what it is.
    ///   - new: The group to make. There must be none of this name. It may be in another bucket.
    ///   - newPartitions: Over what it is to be: another number, other subjects, of the same stream.
    /// - Complexity: All states are in memory at once.
    public func move(
        _ old: NATSGroup, over oldPartitions: NATSPartitions, to new: NATSGroup, over newPartitions: NATSPartitions
    ) -> SignalProducer<Never, NATSError> {
        precondition(
            oldPartitions.stream == newPartitions.stream,
            "the stream of the new partitions is \(newPartitions.stream), but must be \(oldPartitions.stream)")
        precondition(old.subject != new.subject, "the new group is \(new.name), but must have another name or bucket")
        do throws(NATSError) {
            try old.check()
            try new.check()
        } catch {
            return SignalProducer(error: error)
        }
        return call("STREAM.INFO.\(oldPartitions.stream)").flatMap(.latest) { info in
            shape(of: old, oldPartitions).flatMap(.latest) { shape in
                requireNew(new)
                    .then(requireSettled(old, oldPartitions))
                    .then(states(of: old, oldPartitions))
                    .flatMap(.latest) { found in
                        make(found, new, newPartitions, on: info)
                            .then(GroupDescription(group: new, partitions: newPartitions, shape: shape).write(in: self))
                    }
            }
        }
    }

    /// What the states of a group depend on, beside its partitions. Fails if it isn't over these, or isn't an aggregate.
    private func shape(
        of group: NATSGroup, _ partitions: NATSPartitions
    ) -> SignalProducer<[String: JSONValue], NATSError> {
        newest(group.subject, in: group.bucket).attemptMap { found in
            guard let found, let settings = try? JSONValue(found.data).objectValue else {
                return .failure(.stateLost(subject: group.subject, position: 0))
            }
            let description = GroupDescription(
                group: group, partitions: partitions, shape: ["kind": .string("aggregate")])
            let drifts = NATSDrift.between(description.settings, and: settings)
            return drifts.isEmpty
                ? .success(settings.filter { description.settings[$0.key] == nil || $0.key == "kind" })
                : .failure(.drifted("the group \(group.name) in \(group.bucket)", drifts))
        }
    }

    private func requireNew(_ group: NATSGroup) -> SignalProducer<Never, NATSError> {
        newest(group.subject, in: group.bucket)
            .attempt { found in
                guard let found else { return .success(()) }
                let actual = String(decoding: found.data, as: UTF8.self)
                let drift = NATSDrift(setting: "group", declared: "a new one", actual: actual)
                return .failure(.drifted("the group \(group.name) in \(group.bucket)", [drift]))
            }
            .then(SignalProducer<Never, NATSError>.empty)
    }

    private func requireSettled(_ group: NATSGroup, _ partitions: NATSPartitions) -> SignalProducer<Never, NATSError> {
        status(of: group, over: partitions)
            .attempt { $0.lag == 0 ? .success(()) : .failure(.unsettled(group: group.name, messages: $0.lag)) }
            .then(SignalProducer<Never, NATSError>.empty)
    }

    private struct States: Sendable {
        var bytes: [Data] = []
        var newest = Int64.min
    }

    /// The states of all partitions. A worker that still has one of them loses it.
    private func states(of group: NATSGroup, _ partitions: NATSPartitions) -> SignalProducer<States, NATSError> {
        SignalProducer<Int, NATSError>(0..<partitions.count)
            .flatMap(.concurrent(limit: 16)) { partition in
                SnapshotStore(self, group, of: partitions.stream, partition: partition, owner: "move").claim()
                    .attempt { claim in claim.loss.map { .failure($0.error) } ?? .success(()) }
            }
            .collect()
            .map { claims in
                States(bytes: claims.map(\.state), newest: claims.map(\.head.snapshot.newest).max() ?? .min)
            }
    }

    /// Writes the states of a group that nobody knows yet.
    private func make(
        _ states: States, _ group: NATSGroup, _ partitions: NATSPartitions, on info: JSONValue
    ) -> SignalProducer<Never, NATSError> {
        var parts = Array(repeating: Data(), count: partitions.count)
        do {
            for bytes in states.bytes {
                try StateRecord.read(bytes) { record, encoded in
                    parts[partitions.partition(ofKey: record.key)].append(encoded)
                }
            }
        } catch {
            return SignalProducer(
                error: .undecodable(subject: group.subject, sequence: nil, reason: "a state can't be read: \(error)"))
        }
        let snapshot = SnapshotStore.Snapshot(
            position: info.sequence("last_seq"), history: StreamHistory(created: info["created"]?.stringValue ?? ""),
            newest: states.newest, commit: 1)
        let written = parts.enumerated().map { partition, bytes in
            let store = SnapshotStore(self, group, of: partitions.stream, partition: partition, owner: "move")
            return store.claim().flatMap(.latest) { claim -> SignalProducer<UInt64, NATSError> in
                var (head, snapshot) = (SnapshotStore.Head(), snapshot)
                snapshot.epoch = claim.revision
                return store.store(bytes, as: snapshot, in: &head, over: claim.revision)
            }
        }
        return SignalProducer<SignalProducer<UInt64, NATSError>, NATSError>(written)
            .flatMap(.concurrent(limit: 16)) { $0 }
            .then(SignalProducer<Never, NATSError>.empty)
    }
}
#endif
