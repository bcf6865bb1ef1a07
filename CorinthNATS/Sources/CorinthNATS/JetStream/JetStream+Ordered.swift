#if NATS
internal import Corinth
internal import Dispatch
internal import Foundation

extension JetStream {
    /// The pause after a failure.
    static let pause: Duration = .milliseconds(100)

    /// The messages of a subject or pattern, in the order of the stream and without a gap, each once.
    ///
    /// Each start has a consumer of its own that waits for no acknowledgements, and makes another one whenever messages may have
    /// been lost on their way. Fails with ``NATSError/jetStreamUnavailable(_:)`` after 30 s without a consumer, and with errors
    /// that don't pass. If the stream has deleted messages that weren't sent yet, ``NATSConnection/failures`` says so.
    ///
    /// - Parameters:
    ///   - start: With which message it begins.
    ///   - history: That of the messages before.
    ///   - began: Told, before the messages of each consumer, how many there are for it.
    ///   - idle: Told, in order with the messages, up to which sequence all of them were sent, each second while there are none.
    func ordered(
        of stream: String, on filter: String, from start: OrderedStart, _ history: StreamHistory, places: Int,
        began: @escaping @Sendable (Int) -> Void = { _ in }, idle: @escaping @Sendable (UInt64) -> Void
    ) -> SignalProducer<NATSDelivery, NATSError> {
        SignalProducer<Void, NATSError>(value: ())
            .flatMap(.latest) { _ -> SignalProducer<NATSDelivery, NATSError> in
                let clock = Guarded(FailureClock(limit: failureLimit))
                let reading = OrderedReading(
                    self, stream, filter, from: start, history, heard: { clock.withLock { $0.succeed() } },
                    idle: idle)
                let once = SignalProducer<Void, NATSError>(value: ())
                    .flatMap(.latest) { _ in reading.checkHistory() }
                    .flatMap(.latest) { _ in
                        makeOrderedConsumer(of: stream, on: filter, from: reading.consumerBegins())
                    }
                    .flatMap(.latest) { consumer, info -> SignalProducer<NATSDelivery, NATSError> in
                        began(info["num_pending"]?.int ?? 0)
                        return orderedDeliveries(of: consumer, places: places, reading).attempt { delivery in
                            reading.receive(delivery) ? .success(()) : .failure(.consumerDeleted(consumer.name))
                        }
                    }
                return persistently(once, clock).mapError { error in
                    if case .consumerDeleted(let name) = error {
                        .jetStreamUnavailable("the consumer \(name) gives no messages")
                    } else {
                        error
                    }
                }
            }
    }

    /// Makes a consumer of the messages of a subject or pattern. Sends it, and what the server says of it.
    func makeOrderedConsumer(
        of stream: String, on filter: String, from start: OrderedStart
    ) -> SignalProducer<(NATSConsumer, JSONValue), NATSError> {
        let consumer = NATSConsumer("corinth-\(Inbox.random())", of: stream)
        var settings: [String: JSONValue] = [
            "name": .string(consumer.name), "ack_policy": .string("none"), "filter_subject": .string(filter),
            "replay_policy": .string("instant"), "inactive_threshold": .integer(Duration.seconds(30).nanoseconds),
            "mem_storage": .bool(true), "num_replicas": .integer(1),
        ]
        switch start {
        case .after(let position):
            settings["deliver_policy"] = .string("by_start_sequence")
            settings["opt_start_seq"] = .integer(Int64(clamping: position + 1))
        case .newestOfEachSubject: settings["deliver_policy"] = .string("last_per_subject")
        }
        // Servers check who may have which messages by this subject. A pattern can't be a part of it.
        let isPattern = filter.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ">") }
        return call(
            "CONSUMER.CREATE.\(stream).\(consumer.name)\(isPattern ? "" : "." + filter)",
            ["stream_name": .string(stream), "config": .object(settings)]
        ).map { (consumer, $0) }
    }

    private func orderedDeliveries(
        of consumer: NATSConsumer, places: Int, _ watcher: any OrderedWatcher
    ) -> SignalProducer<NATSDelivery, NATSError> {
        let core = connection.core
        let subject: SubjectName
        do throws(NATSError) {
            subject = try SubjectName(publishing: "\(prefix)CONSUMER.MSG.NEXT.\(consumer.stream).\(consumer.name)")
        } catch {
            return SignalProducer(error: error)
        }
        return SignalProducer { observer, lifetime in
            // The places are the bound.
            let (signal, input) = Signal<NATSDelivery, NATSError>.pipe(buffering: .unbounded)
            lifetime += signal.observe(observer)
            let start = PullStart(
                connection, consumer, subject, places: places, failureLimit: failureLimit, watcher: watcher, into: input
            )
            let number = core.attach(start)
            lifetime.observeEnded {
                start.cancel()
                core.detach(number)
            }
        }
    }
}

/// With which message a start of ``JetStream/ordered(of:on:from:_:places:began:idle:)`` begins.
enum OrderedStart: Sendable {
    /// Behind a sequence. Messages that were deleted before they were read are reported.
    case after(UInt64)
    /// With the newest of each subject. It doesn't matter which older ones are deleted.
    case newestOfEachSubject
}

/// How far one start of ``JetStream/ordered(of:on:from:_:places:began:idle:)`` has read.
private final class OrderedReading: OrderedWatcher {
    private struct State: Sendable {
        /// All messages up to this sequence were received. 0 before the first one.
        var position: UInt64
        var history: StreamHistory
        /// How many messages the present consumer has sent.
        var count: UInt64 = 0
        /// When ``OrderedReading/willFetchAgain(waiting:)`` asks next.
        var nextCheck = DispatchTime.now()
        var check: Check?

        /// What was deleted, once that is known.
        mutating func takeDeletions() -> ClosedRange<UInt64>? {
            guard let last = check?.last, let first = check?.first else { return nil }
            check = nil
            return first > last + 1 ? (last + 1)...(first - 1) : nil
        }
    }

    /// Compares the beginning of the stream with the last message that the server had sent when it waited for places.
    private struct Check: Sendable {
        /// The number of that message, and its sequence once it is received.
        let count: UInt64
        var last: UInt64?
        /// The sequence with which the stream begins.
        var first: UInt64?
    }

    private let jetStream: JetStream
    private let stream: String
    private let filter: String
    private let start: OrderedStart
    private let heard: @Sendable () -> Void
    private let idle: @Sendable (UInt64) -> Void
    private let state: Guarded<State>
    /// The request of ``willFetchAgain(waiting:)``. It goes on until its deadline at most.
    private let check = SerialDisposable()

    init(
        _ jetStream: JetStream, _ stream: String, _ filter: String, from start: OrderedStart, _ history: StreamHistory,
        heard: @escaping @Sendable () -> Void, idle: @escaping @Sendable (UInt64) -> Void
    ) {
        self.jetStream = jetStream
        self.stream = stream
        self.filter = filter
        self.start = start
        self.heard = heard
        self.idle = idle
        let position: UInt64 = if case .after(let position) = start { position } else { 0 }
        state = Guarded(State(position: position, history: history))
    }

    deinit { check.dispose() }

    /// Where another consumer begins, which counts anew.
    func consumerBegins() -> OrderedStart {
        state.withLock { state in
            state.count = 0
            return state.position == 0 ? start : .after(state.position)
        }
    }

    private var reportsDeletions: Bool { if case .after = start { true } else { false } }

    /// Returns false if a message before this one was lost, or if it isn't behind those that were received.
    func receive(_ delivery: NATSDelivery) -> Bool {
        let (count, sequence) = (delivery.consumerSequence, delivery.sequence)
        let (isNext, deletions) = state.withLock { state -> (Bool, ClosedRange<UInt64>?) in
            state.count += 1
            if state.count != count || sequence <= state.position { return (false, nil) }
            state.position = sequence
            (state.history.sequence, state.history.time) = (sequence, delivery.storedAt)
            if state.check?.count == count { state.check?.last = sequence }
            return (true, state.takeDeletions())
        }
        if let deletions { report(deletions) }
        return isNext
    }

    func isHeard() { heard() }

    func isIdle(after count: UInt64, upTo sequence: UInt64) {
        let position = state.withLock { state -> UInt64? in
            if state.count != count { return nil }
            state.position = max(state.position, sequence)
            return state.position
        }
        if let position { idle(position) }
    }

    func willFetchAgain(waiting: Int) {
        guard reportsDeletions else { return }
        let now = DispatchTime.now()
        let isDue = state.withLock { state in
            if state.nextCheck > now { return false }
            state.nextCheck = now + (JetStream.pause / 10).seconds
            let count = state.count + UInt64(waiting)
            state.check = Check(count: count, last: waiting == 0 ? state.position : nil)
            return true
        }
        if !isDue { return }
        check.inner = first().startWithResult { [weak self] result in
            guard let self, case .success(let first) = result else { return }
            let deletions = state.withLock { state in
                state.check?.first = first
                return state.takeDeletions()
            }
            if let deletions { report(deletions) }
        }
    }

    /// Looks whether the stream is still the same, and what was deleted, before another consumer begins.
    func checkHistory() -> SignalProducer<Void, NATSError> {
        let (position, history) = state.withLock { state in
            state.check = nil
            return (state.position, state.history)
        }
        return jetStream.compare(history, upTo: position, with: stream).map { info in
            let first = info.sequence("first_seq")
            if let created = info["created"]?.stringValue {
                self.state.withLock { if $0.history.created.isEmpty { $0.history.created = created } }
            }
            // Who begins with the oldest message doesn't miss any.
            if self.reportsDeletions, position > 0, first > position + 1 { self.report((position + 1)...(first - 1)) }
        }
    }

    /// The sequence with which the stream begins.
    private func first() -> SignalProducer<UInt64, NATSError> {
        jetStream.call("STREAM.INFO.\(stream)")
            .map { $0.sequence("first_seq") }
    }

    private func report(_ deletions: ClosedRange<UInt64>) {
        let core = jetStream.connection.core
        core.countDeleted()
        core.report(
            .deleted(stream: stream, subject: filter, from: deletions.lowerBound, to: deletions.upperBound))
    }
}

extension NATSError {
    /// Whether the same attempt may succeed later, without the program doing anything.
    var mayPass: Bool {
        switch self {
        case .consumerDeleted, .jetStreamUnavailable, .noResponders, .timedOut, .notYetConnected, .disconnected: true
        case .stuck: true
        case .jetStream(JetStream.undecidedRevision, _): true
        // The server has no room for it at present: resources, memory, storage, the store.
        case .jetStream(let code, _): [10023, 10028, 10047, 10077].contains(code)
        default: false
        }
    }
}

extension JetStream {
    /// Starts again after 100 ms when it fails with an error that may pass. Fails when it has failed again and again for 30 s in
    /// which the connection stood.
    ///
    /// - Parameter known: Told of other successes than values. nil if there are none.
    func persistently<Value: Sendable>(
        _ producer: SignalProducer<Value, NATSError>, _ known: Guarded<FailureClock>? = nil
    ) -> SignalProducer<Value, NATSError> {
        let core = connection.core
        return SignalProducer<Void, NATSError>(value: ())
            .flatMap(.latest) { _ -> SignalProducer<Value, NATSError> in
                let clock = known ?? Guarded(FailureClock(limit: failureLimit))
                return
                    producer
                    .on(value: { _ in clock.withLock { $0.succeed() } })
                    .map { Result<Value, NATSError>.success($0) }
                    .flatMapError { error -> SignalProducer<Result<Value, NATSError>, NATSError> in
                        guard error.mayPass else { return SignalProducer(value: .failure(error)) }
                        let (now, isConnected) = (core.timers.currentDate, core.state.value == .connected)
                        let isOver = clock.withLock { $0.fail(at: now, isConnected: isConnected) }
                        return isOver ? SignalProducer(value: .failure(error)) : SignalProducer(error: error)
                    }
                    .retry(upTo: .max, interval: JetStream.pause, on: core.timers)
                    .attemptMap { $0 }
            }
    }
}
#endif
