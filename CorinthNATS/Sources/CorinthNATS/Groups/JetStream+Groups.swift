#if NATS
internal import Corinth

extension JetStream {
    /// A worker of a group at each start.
    ///
    /// - Parameter makeTable: Called whenever the worker takes over a partition.
    func work<Table: PartitionTable>(
        _ partitions: NATSPartitions, _ group: NATSGroup,
        _ makeTable: @escaping @Sendable (Int, Signal<Table.Output, NATSError>.Observer) -> sending Table
    ) -> SignalProducer<Table.Output, NATSError> {
        do throws(NATSError) {
            try group.check()
            try Subject.checkName(partitions.stream)
            try Subject.checkPublishing(partitions.subject(of: 0))
        } catch {
            return SignalProducer(error: error)
        }
        let work = SignalProducer<Table.Output, NATSError> { observer, lifetime in
            let worker = GroupWorker(connection, group, partitions: partitions.count) { partition, owner, ended in
                let run = GroupRun(
                    self, group, partitions, partition, owner: owner, makeTable(partition, observer), to: observer,
                    ended: ended)
                run.start()
                return run
            } ended: { error in
                if let error { observer.send(error: error) } else { observer.sendCompleted() }
            }
            lifetime.observeEnded { worker.cancel() }
            worker.start()
        }
        return persistently(call("STREAM.INFO.\(partitions.stream)"))
            .attempt { response in
                let actual = response["config"]?.objectValue ?? [:]
                let drifts = NATSDrift.between(["retention": .string("limits")], and: actual)
                return drifts.isEmpty ? .success(()) : .failure(.drifted("the stream \(partitions.stream)", drifts))
            }
            .flatMap(.latest) { _ in work }
    }
}
#endif
