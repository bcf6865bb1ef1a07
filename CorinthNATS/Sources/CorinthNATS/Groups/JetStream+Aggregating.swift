#if NATS
public import Corinth
public import Foundation

extension JetStream {
    /// Keeps a state for each key of a partitioned stream, through restarts and moves: each message is a part of its key's state
    /// once. Each start is a worker.
    ///
    /// ```swift
    /// let orders = NATSPartitions(24, of: "ORDERS", subjects: "orders.partition", consumer: "billing")
    /// jetStream.aggregate(
    ///     orders, as: .json(Order.self), by: { $0.customer }, of: NATSGroup("totals", in: "STATE"), state: .json(Int.self)
    /// ) { total, order in
    ///     total = (total ?? 0) + order.amount
    /// }
    /// .startWithResult { print($0) }
    /// ```
    ///
    /// The workers of a group share the partitions: they tell each other on a subject that they are there. A worker reads a
    /// partition's state and its position from the bucket, and goes on behind it. It applies messages in the order of the stream,
    /// and stores the state with the position in one step: after ``NATSGroup/snapshotEvery`` messages, or
    /// ``NATSGroup/snapshotWithin``. If it dies, another one applies what came after that once more, to the state before it.
    /// A worker that was replaced can't store: it writes on top of a revision that isn't the newest, and gives up its partition.
    ///
    /// A state is sent when it is stored, so it is never taken back. What a worker stored before it died is sent by the next one,
    /// as restored: the last state of each key is sent at least once. If the servers have lost it, that is the state before.
    ///
    /// The position in the bucket takes the place of acknowledgements, so the stream's retention must be `limits`, and it must keep
    /// messages for longer than all workers may be away: what it has deleted before is left out, counted in
    /// ``NATSStatistics/deleted`` and reported as ``NATSError/deleted(stream:subject:from:to:)``. The consumers of `partitions` aren't used. A message that doesn't decode
    /// is left out, counted in ``NATSStatistics/undecodable`` and reported by ``NATSConnection/failures``.
    ///
    /// Completes when the program closes the connection. Fails with ``NATSError/drifted(_:_:)`` if the stream has another
    /// retention, or if the group was made with another stream, number of partitions, kind or windows; with
    /// ``NATSError/streamReplaced(_:)`` or ``NATSError/truncated(stream:from:to:)`` if the stream isn't the one whose messages were
    /// handled; with ``NATSError/unencodable(subject:reason:)`` and ``NATSError/undecodable(subject:sequence:reason:)`` for a
    /// state; with ``NATSError/stateLost(subject:position:)`` if the servers have lost all states of a partition and the stream has
    /// deleted messages, or if the group is new and they include the one that it is to begin with; with ``NATSError/jetStreamUnavailable(_:)`` or ``NATSError/timedOut(_:)`` if the stream doesn't answer for 30 s
    /// at the start, while the connection stands; with ``NATSError/jetStream(code:_:)`` if the bucket or the stream is missing; and if
    /// the connection closes by itself. A partition that fails for another reason is reported by ``NATSConnection/failures``, and
    /// taken over again after a heartbeat. After a disposal, what wasn't stored is applied again by the next worker, at once.
    ///
    /// - Parameters:
    ///   - partitions: The messages.
    ///   - codec: Decodes the messages.
    ///   - key: The key of a message. All messages of a key must be in one partition, so it is the key of the partition, or a
    ///     finer one.
    ///   - group: The workers, where the state is stored, and how often. Its bucket must exist.
    ///   - stateCodec: Encodes and decodes states.
    ///   - undecodable: What happens to a key whose stored state doesn't decode: the stream fails, or the key starts anew. It is
    ///     counted and reported in both cases. The same holds if all states of a partition are lost and the stream has deleted
    ///     messages: it begins anew with those that are left.
    ///   - windows: One state for each key and window. nil for one state for each key.
    ///   - date: The date of a message, for windows. It must be the same each time. When the stream stored it, by default.
    ///   - outputs: What is published because of a change, each message once: it is called behind `update`, with the state as it is
    ///     then, and when a window is closed. Its messages are published in their order before the position behind them is stored, with
    ///     identifiers that are the same when messages are handled again, unless they have others, and with the message's headers
    ///     `traceparent` and `tracestate`. So a stream has each once if its
    ///     `duplicateWindow` is longer than it takes until a partition is taken over. The start fails if an output is refused, as one that
    ///     is too large; while no stream stores an output, its partition waits, and ``NATSConnection/failures`` says so. nil for none.
    ///   - update: Applies a message to the state of its key: nil at first. Setting it to nil removes the key. It must give the
    ///     same for the same input, since it is called again after a failure.
    /// - Complexity: No request for a message. A snapshot encodes and writes the states that have changed, in chunks of up to 256 KiB,
    ///   and some hundred bytes more; each change is written O(log(states/changes)) times in all, as parts are merged. Who takes a
    ///   partition over reads all its states, and writes them once. All states of a worker's partitions are in its memory, each also
    ///   as bytes.
    /// ## Concurrency
    /// The closures and codecs are called for several partitions at the same time, and for one message of a partition at a time.
    @inlinable
    public func aggregate<Codec: NATSCodec, StateCodec: NATSCodec>(
        _ partitions: NATSPartitions, as codec: Codec, by key: @escaping @Sendable (Codec.Value) -> String,
        of group: NATSGroup, state stateCodec: StateCodec, undecodable: UndecodablePolicy = .fail,
        windows: NATSWindows? = nil, at date: @escaping @Sendable (Codec.Value, NATSDelivery) -> Date = { $1.date },
        outputs: (@Sendable (NATSAggregated<StateCodec.Value>) -> [NATSOutgoing])? = nil,
        _ update: @escaping @Sendable (inout StateCodec.Value?, Codec.Value) -> Void
    ) -> SignalProducer<NATSAggregated<StateCodec.Value>, NATSError> {
        let functions = AggregateFunctions(
            codec, stateCodec, by: key, at: windows == nil ? nil : date, merging: { _, _ in }, outputs: outputs, update)
        return aggregate(partitions, group, functions, undecodable, windows.map { .fixed($0) } ?? .none)
    }

    /// Keeps a state for each key and session of a partitioned stream: as
    /// ``aggregate(_:as:by:of:state:undecodable:windows:at:outputs:_:)``, with windows that are as long as something is being done.
    ///
    /// ```swift
    /// jetStream.aggregate(
    ///     clicks, as: .json(Click.self), by: { $0.visitor }, of: NATSGroup("visits", in: "STATE"), state: .json(Int.self),
    ///     sessions: NATSSessions(gap: .seconds(1800), lateness: .seconds(60)), at: { click, _ in click.date },
    ///     merging: { $0 += $1 }
    /// ) { clicks, _ in clicks = (clicks ?? 0) + 1 }
    /// .startWithResult { print($0) }
    /// ```
    ///
    /// A message that is near to two sessions makes one of them: their states are merged, and the message is applied to that. The
    /// later one is sent as ``NATSAggregated/Kind/closed`` without a state, and so is one that begins earlier now, because a session is known by the
    /// date of its first message. A session is closed when it is over: then it is sent for the last time.
    ///
    /// - Parameters:
    ///   - partitions: The messages.
    ///   - codec: Decodes the messages.
    ///   - key: The key of a message, of which all messages are in one partition.
    ///   - group: The workers, where the state is stored, and how often. Its bucket must exist.
    ///   - stateCodec: Encodes and decodes states.
    ///   - undecodable: What happens to a key whose stored state doesn't decode.
    ///   - sessions: How long a session lasts without a message.
    ///   - date: The date of a message. It must be the same each time. When the stream stored it, by default.
    ///   - outputs: What is published because of a change, each message once. It is called for sessions that became a part of another one, too.
    ///     nil for none.
    ///   - merge: Adds the second state to the first, which is the earlier session's. It must give the same for the same input.
    ///   - update: Applies a message to the state of its session: nil at first. Setting it to nil removes the session.
    /// - Complexity: As the other one. A message looks at the sessions of its key that aren't closed.
    /// ## Concurrency
    /// As the other one.
    @inlinable
    public func aggregate<Codec: NATSCodec, StateCodec: NATSCodec>(
        _ partitions: NATSPartitions, as codec: Codec, by key: @escaping @Sendable (Codec.Value) -> String,
        of group: NATSGroup, state stateCodec: StateCodec, undecodable: UndecodablePolicy = .fail,
        sessions: NATSSessions, at date: @escaping @Sendable (Codec.Value, NATSDelivery) -> Date = { $1.date },
        outputs: (@Sendable (NATSAggregated<StateCodec.Value>) -> [NATSOutgoing])? = nil,
        merging merge: @escaping @Sendable (inout StateCodec.Value, StateCodec.Value) -> Void,
        _ update: @escaping @Sendable (inout StateCodec.Value?, Codec.Value) -> Void
    ) -> SignalProducer<NATSAggregated<StateCodec.Value>, NATSError> {
        let functions = AggregateFunctions(
            codec, stateCodec, by: key, at: date, merging: merge, outputs: outputs, update)
        return aggregate(partitions, group, functions, undecodable, .sessions(sessions))
    }

    @usableFromInline
    func aggregate<State: Sendable>(
        _ partitions: NATSPartitions, _ group: NATSGroup, _ functions: AggregateFunctions,
        _ undecodable: UndecodablePolicy, _ windows: AggregateFunctions.Windows
    ) -> SignalProducer<NATSAggregated<State>, NATSError> {
        var functions = functions
        functions.undecodable = undecodable
        functions.windows = windows
        functions.reader = group.reader(of: partitions)
        let (core, complete) = (connection.core, functions)
        let shape = functions.windows.shape.merging(["kind": .string("aggregate")]) { $1 }
        return work(partitions, group, shape: shape) { partition, observer in
            AggregateTable(core, complete, partition: partition) { changes in
                // At once: the states go on changing.
                let values = changes.map { NATSAggregated<State>($0) }
                return { for value in values { observer.send(value: value) } }
            }
        }
    }
}
#endif
