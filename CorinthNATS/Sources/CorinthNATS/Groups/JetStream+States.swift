#if NATS
public import Corinth
internal import Foundation

extension JetStream {
    /// Reads the states of an aggregate at each start, as they are stored, without being one of its workers: for a page or a question.
    ///
    /// ```swift
    /// jetStream.states(of: totals, over: orders, state: .json(Int.self), forKey: "ada")
    ///     .startWithResult { print($0) }
    /// ```
    ///
    /// Each state contains all messages of its partition up to its ``NATSAggregated/sequence``, which is up to
    /// ``NATSGroup/snapshotWithin`` behind what the worker has handled. Their kind is ``NATSAggregated/Kind/restored``, or
    /// ``NATSAggregated/Kind/closed`` for a window that was closed, or a key that was removed, by the last snapshot. Fails with
    /// ``NATSError/stateLost(subject:position:)`` if the group isn't there, and with ``NATSError/undecodable(subject:sequence:reason:)``.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - partitions: Over what it is.
    ///   - codec: Decodes the states.
    ///   - windows: Those of the aggregate. nil for one without windows, or with sessions.
    ///   - key: Whose states; nil for all. A key's partition is read as a whole.
    /// - Complexity: One request for the position of each partition, and one for each 256 KiB of its states.
    public func states<StateCodec: NATSCodec>(
        of group: NATSGroup, over partitions: NATSPartitions, state codec: StateCodec, windows: NATSWindows? = nil,
        forKey key: String? = nil
    ) -> SignalProducer<NATSAggregated<StateCodec.Value>, NATSError> {
        do throws(NATSError) { try group.check() } catch { return SignalProducer(error: error) }
        let numbers = key.map { [partitions.partition(ofKey: $0)] } ?? Array(0..<partitions.count)
        return SignalProducer<Int, NATSError>(numbers)
            .flatMap(.concurrent(limit: 4)) {
                partition -> SignalProducer<[NATSAggregated<StateCodec.Value>], NATSError> in
                let store = SnapshotStore(self, group, of: partitions.stream, partition: partition, owner: "")
                return store.read().attemptMap { found -> Result<[NATSAggregated<StateCodec.Value>], NATSError> in
                    guard let found else {
                        return .failure(.stateLost(subject: group.subject(of: partition), position: 0))
                    }
                    do {
                        return .success(try states(found.head, found.state, codec, windows, partition, key))
                    } catch {
                        return .failure(store.damaged(found.head.snapshot.position, "\(error)"))
                    }
                }
            }
            .flatten()
    }

    private func states<StateCodec: NATSCodec>(
        _ head: SnapshotStore.Head, _ bytes: Data, _ codec: StateCodec, _ windows: NATSWindows?, _ partition: Int,
        _ key: String?
    ) throws -> [NATSAggregated<StateCodec.Value>] {
        var states: [NATSAggregated<StateCodec.Value>] = []
        try StateRecord.read(bytes) { record, _ in
            if let key, record.key != key { return }
            let state = record.kind == .removed ? nil : try codec.decode(record.state)
            states.append(
                NATSAggregated(
                    kind: record.kind == .live ? .restored : .closed, key: record.key,
                    window: record.range(windows), state: state, partition: partition,
                    sequence: head.snapshot.position))
        }
        return states
    }
}
#endif
