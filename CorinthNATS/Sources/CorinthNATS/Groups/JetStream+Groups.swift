#if NATS
internal import Corinth

extension JetStream {
    /// A worker of a group at each start.
    ///
    /// - Parameters:
    ///   - shape: What the stored states depend on.
    ///   - makeTable: Called whenever the worker takes over a partition.
    func work<Output: Sendable>(
        _ partitions: NATSPartitions, _ group: NATSGroup, shape: [String: JSONValue],
        _ makeTable: @escaping @Sendable (Int, Signal<Output, NATSError>.Observer) -> sending any PartitionTable
    ) -> SignalProducer<Output, NATSError> {
        do throws(NATSError) {
            try group.check()
            try Subject.checkName(partitions.stream)
            try Subject.checkPublishing(partitions.subject(of: 0))
        } catch {
            return SignalProducer(error: error)
        }
        @Sendable func work(_ created: String) -> SignalProducer<Output, NATSError> {
            SignalProducer { observer, lifetime in
                let worker = GroupWorker(connection, group, partitions: partitions.count) { partition, owner, ended in
                    let run = GroupRun(
                        self, group, partitions, createdAt: created, partition, owner: owner,
                        makeTable(partition, observer), ended: ended)
                    run.start()
                    return run
                } ended: { error in
                    if let error { observer.send(error: error) } else { observer.sendCompleted() }
                }
                lifetime.observeEnded { worker.cancel() }
                worker.start()
            }
        }
        let description = GroupDescription(group: group, partitions: partitions, shape: shape)
        let subjects = [group.deadLetters, group.lateOutput].compactMap { $0 }
        let outputs = SignalProducer<String, NATSError>(subjects).flatMap(.concat) { requireStored($0) }
        return outputs.then(persistently(call("STREAM.INFO.\(partitions.stream)")))
            .attempt { response in
                let actual = response["config"]?.objectValue ?? [:]
                let drifts = NATSDrift.between(["retention": .string("limits")], and: actual)
                return drifts.isEmpty ? .success(()) : .failure(.drifted("the stream \(partitions.stream)", drifts))
            }
            .flatMap(.latest) { info in
                description.agree(in: self, on: info)
                    .flatMap(.latest) { _ in work(info["created"]?.stringValue ?? "") }
            }
    }
}
#endif
