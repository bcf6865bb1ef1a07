#if NATS
public import Corinth

extension NATSConnection {
    /// Subscribes to a subject. Each start is a subscription, and its disposal ends it.
    ///
    /// ```swift
    /// connection.messages(on: "orders.*.created", queueGroup: "billing")
    ///     .observe(on: workers)
    ///     .startWithResult { … }
    /// ```
    ///
    /// Messages are delivered on a thread of libnats, one for each subscription, in the order of their publishers. While an
    /// observer keeps this thread busy, libnats keeps up to ``NATSOptions/pendingMessages`` messages. It drops what comes then,
    /// and ``failures`` reports it with ``NATSError/slowConsumer(subject:dropped:)``.
    ///
    /// If a hop downstream is full, the stream stops until the hop has capacity. The thread of libnats doesn't wait: messages
    /// that arrive meanwhile are buffered as `policy` says. It waits only with
    /// ``Corinth/BufferingPolicy/blocking(capacity:stallTimeout:)-(_,DispatchTimeInterval)``; then libnats's own buffer fills.
    ///
    /// A start before the connection is made waits for it. After a reconnection, libnats subscribes again.
    ///
    /// The stream completes when the program closes or drains the connection, after the messages that have arrived. It fails
    /// if the connection closes by itself, and at once with ``NATSError/invalidSubject(_:reason:)``.
    ///
    /// - Parameters:
    ///   - subject: The subject. `*` stands for one part, `>` at the end for all further parts.
    ///   - queueGroup: Each message goes to one subscription of the group. nil to receive all.
    ///   - policy: What happens to messages that arrive while the stream can't deliver.
    ///   - statistics: Counts messages as sent, delivered and dropped.
    /// - Complexity: Two allocations per message by libnats and one here. The payload isn't copied.
    public func messages(
        on subject: String, queueGroup: String? = nil,
        bufferingPolicy policy: BufferingPolicy<NATSError> = .dropNewest(capacity: 65_536),
        statistics: BufferStatistics? = nil
    ) -> SignalProducer<NATSMessage, NATSError> {
        do throws(NATSError) {
            try Subject.checkSubscribing(subject)
            if let queueGroup { try Subject.checkName(queueGroup) }
        } catch {
            return SignalProducer(error: error)
        }
        let core = core
        return SignalProducer { observer, lifetime in
            let (signal, input) = Signal<NATSMessage, NATSError>.pipe(buffering: policy, statistics: statistics)
            lifetime += signal.observe(observer)
            let start = SubjectStart(core, subject, queueGroup: queueGroup, into: input)
            let number = core.attach(start)
            lifetime.observeEnded {
                start.cancel()
                core.detach(number)
            }
        }
    }
}
#endif
