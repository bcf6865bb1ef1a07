#if NATS
public import Corinth

/// What ``NATSBucket/watch(_:undecodable:)`` sends.
public enum NATSWatched<Value: Sendable>: Sendable {
    /// What a key has, or has become.
    case entry(NATSEntry<Value>)
    /// All that was there at the start was sent. Once.
    case current
}

extension NATSWatched: Equatable where Value: Equatable {}

extension NATSBucket {
    /// Sends what some keys have, and then each change, in the order of the revisions.
    ///
    /// ```swift
    /// limits.watch("orders.*").startWithResult { … }
    /// ```
    ///
    /// A key whose newest change is a deletion is sent, too, without a value. A reconnection loses nothing: the watch goes on behind the
    /// last change that it has sent. With a bucket that keeps one revision of each key, a change that was replaced meanwhile is left
    /// out, so the newest one of each key is always sent. Entries that are deleted for their age send nothing.
    ///
    /// Never completes. Fails with ``NATSError/streamReplaced(_:)`` or ``NATSError/truncated(stream:from:to:)`` if the bucket was made
    /// anew or has lost its newest changes, and with ``NATSError/jetStreamUnavailable(_:)`` after 30 s without it while the connection
    /// stands.
    ///
    /// - Parameters:
    ///   - keys: A key, or a pattern with `*` for a part, and `>` at its end for all further ones.
    ///   - policy: What happens when a payload doesn't decode.
    /// - Complexity: A consumer on the server for each start. No request for an entry.
    /// ## Concurrency
    /// Entries are sent on a thread of libnats. The server sends up to 256 entries that weren't received yet, and then waits.
    public func watch(
        _ keys: String = ">", undecodable policy: UndecodablePolicy = .skip
    ) -> SignalProducer<NATSWatched<Codec.Value>, NATSError> {
        let filter = prefix + keys
        do throws(NATSError) {
            try Subject.checkName(name)
            try Subject.checkSubscribing(filter)
        } catch {
            return SignalProducer(error: error)
        }
        return SignalProducer { observer, lifetime in
            let beginning = Guarded(Beginning.unknown)
            lifetime += jetStream.ordered(
                of: "KV_\(name)", on: filter, from: .newestOfEachSubject, StreamHistory(), places: 256,
                began: { count in
                    if beginning.withLock({ $0.hasBegun(count) }) { observer.send(value: .current) }
                },
                idle: { _ in if beginning.withLock({ $0.isIdle() }) { observer.send(value: .current) } }
            )
            .start(
                Signal<NATSDelivery, NATSError>.Observer(
                    value: { delivery in
                        let operation = delivery.message.header(NATSHeaders.operation)
                        switch read(
                            delivery.data, of: delivery.subject, delivery.sequence, isDeletion: operation != nil)
                        {
                        case .success(let entry): observer.send(value: .entry(entry))
                        case .failure(let error): if policy == .fail { observer.send(error: error) }
                        }
                        if beginning.withLock({ $0.receive() }) { observer.send(value: .current) }
                    },
                    failed: { observer.send(error: $0) },
                    completed: { observer.sendCompleted() },
                    interrupted: { observer.sendInterrupted() }))
        }
    }

    /// Sends the value of a key, nil if there is none, and then each change. See ``watch(_:undecodable:)``.
    ///
    /// ```swift
    /// limits.values(of: "orders.ada").startWithResult { … }
    /// ```
    public func values(
        of key: String, undecodable policy: UndecodablePolicy = .skip
    ) -> SignalProducer<Codec.Value?, NATSError> {
        do throws(NATSError) { try Subject.checkKey(key) } catch { return SignalProducer(error: error) }
        return watch(key, undecodable: policy)
            .scan(into: (hasEntry: false, next: Codec.Value??.none)) { state, watched in
                switch watched {
                case .entry(let entry): state = (true, .some(entry.value))
                case .current: state.next = state.hasEntry ? nil : .some(nil)
                }
            }
            .compactMap(\.next)
    }

    /// Sends what some keys have at each start, in the order of the revisions, and completes. See ``watch(_:undecodable:)``.
    ///
    /// - Parameters:
    ///   - keys: A key, or a pattern with `*` for a part, and `>` at its end for all further ones.
    ///   - policy: What happens when a payload doesn't decode.
    public func entries(
        _ keys: String = ">", undecodable policy: UndecodablePolicy = .skip
    ) -> SignalProducer<NATSEntry<Codec.Value>, NATSError> {
        watch(keys, undecodable: policy)
            .map { watched in if case .entry(let entry) = watched { entry } else { nil } }
            .take(while: { $0 != nil })
            .compactMap { entry in entry.flatMap { $0.value == nil ? nil : $0 } }
    }
}

/// How many of the entries that were there at the start of a watch are still to be sent.
private enum Beginning: Sendable {
    case unknown
    case remaining(Int)
    case isOver

    /// A consumer has so many entries to send, the first one or one that goes on behind it. Returns whether the beginning is over now.
    mutating func hasBegun(_ count: Int) -> Bool {
        if case .isOver = self { return false }
        self = count == 0 ? .isOver : .remaining(count)
        return count == 0
    }

    /// The consumer has sent all that it had. Returns whether the beginning is over with that: some may have been deleted meanwhile.
    mutating func isIdle() -> Bool {
        guard case .remaining = self else { return false }
        self = .isOver
        return true
    }

    /// Returns whether the beginning is over with this entry.
    mutating func receive() -> Bool {
        guard case .remaining(let count) = self else { return false }
        self = count == 1 ? .isOver : .remaining(count - 1)
        return count == 1
    }
}
#endif
