#if NATS
public import Corinth
internal import Foundation

/// What has become of a handler.
@usableFromInline
enum HandlerEnd: Sendable {
    case completed, interrupted
    case failed(String)
    /// It wasn't called: the message doesn't decode.
    case undecodable(String)
}

/// A start of `process`: the deliveries that are handled, and what becomes of them.
///
/// A delivery is in the table from its arrival until it is settled. Of the end of its handler, its deadline and the disposal, the
/// one that takes it out counts. Meanwhile it is extended every third of the consumer's `ackWait`, or more often: one timer is for all,
/// while there are any, because a timer of its own for each costs as much as all else.
@usableFromInline
final class Processing: Sendable {
    /// Decodes a message and starts its handler. Nothing is returned if that isn't called.
    @usableFromInline typealias Handler = @Sendable (NATSDelivery, Handling) -> (any Disposable)?

    /// One call of a handler.
    @usableFromInline
    struct Handling: Sendable {
        fileprivate let processing: Processing
        fileprivate let delivery: NATSDelivery

        /// The first end counts.
        @usableFromInline func end(_ end: HandlerEnd) { processing.end(delivery, end) }
    }

    /// What a start was asked for.
    struct Settings: Sendable {
        let ackWait: Duration
        /// After which time what has failed comes again.
        let delay: Duration
        let deadline: Duration?
        let policy: DeadLetterPolicy?
    }

    private struct Running: Sendable {
        let delivery: NATSDelivery
        /// What the handler does, or the publication of the dead letter.
        var work: (any Disposable)?
        var deadline: (any Disposable)?
        /// Whether the handler has ended, and the message is being published.
        var isGivenUp = false
    }

    private struct State: Sendable {
        var running: [ObjectIdentifier: Running] = [:]
        /// How many outcomes are still to be sent, and one more while there may be further deliveries.
        var open = 1
        var isTicking = false
        var isDisposed = false
    }

    private let jetStream: JetStream
    private let settings: Settings
    private let handler: Handler
    private let observer: Signal<NATSOutcome, NATSError>.Observer
    private let timers: QueueScheduler
    private let extending = SerialDisposable()
    private let state = Guarded(State())

    init(
        _ jetStream: JetStream, _ settings: Settings, _ handler: @escaping Handler,
        to observer: Signal<NATSOutcome, NATSError>.Observer
    ) {
        self.jetStream = jetStream
        self.settings = settings
        self.handler = handler
        self.observer = observer
        timers = jetStream.connection.core.timers
    }

    // MARK: Deliveries

    func receive(_ delivery: NATSDelivery) {
        // A handler that ends its process fails without a word.
        if let policy = settings.policy, delivery.deliveries > policy.afterDeliveries {
            state.withLock { $0.open += 1 }
            let times = delivery.deliveries - 1
            return giveUp(
                delivery, because: "it was delivered \(times) times, and no worker has said what became of it")
        }
        let (isWanted, isFirst) = state.withLock { state in
            if state.isDisposed { return (false, false) }
            state.open += 1
            state.running[ObjectIdentifier(delivery)] = Running(delivery: delivery)
            defer { state.isTicking = true }
            return (true, !state.isTicking)
        }
        guard isWanted else { return delivery.giveBackAtDisposal() }
        if isFirst { extendLater() }
        if let deadline = settings.deadline {
            let timer = timers.schedule(after: timers.currentDate.addingTimeInterval(deadline.seconds)) {
                guard let running = self.take(delivery) else { return }
                running.work?.dispose()
                self.fail(delivery, because: "its handler has taken longer than \(deadline)")
            }
            keep(timer, of: delivery) { $0.deadline = timer }
        }
        let work = handler(delivery, Handling(processing: self, delivery: delivery))
        keep(work, of: delivery) { $0.work = work }
    }

    /// No more deliveries come.
    func complete() { finish() }

    // MARK: The table

    /// Keeps what is to be disposed of with a delivery, unless its handler has ended, or if it is given up, its publication.
    private func keep(
        _ disposable: (any Disposable)?, of delivery: NATSDelivery, isGivenUp: Bool = false,
        _ keep: (inout Running) -> Void
    ) {
        guard let disposable else { return }
        let isKept = state.withLock { state in
            guard let index = state.running.index(forKey: ObjectIdentifier(delivery)),
                state.running.values[index].isGivenUp == isGivenUp
            else { return false }
            keep(&state.running.values[index])
            return true
        }
        if !isKept { disposable.dispose() }
    }

    /// The handler of a delivery has ended, or is to. Returns what it was, unless that has happened before.
    private func take(_ delivery: NATSDelivery) -> Running? {
        let running = state.withLock { state -> Running? in
            guard let index = state.running.index(forKey: ObjectIdentifier(delivery)),
                !state.running.values[index].isGivenUp
            else { return nil }
            return state.running.remove(at: index).value
        }
        running?.deadline?.dispose()
        return running
    }

    private func extendLater() {
        let third = max(settings.ackWait.seconds / 3, 0.001)
        extending.inner = timers.schedule(after: timers.currentDate.addingTimeInterval(third)) { [weak self] in
            self?.extend()
        }
    }

    private func extend() {
        let deliveries = state.withLock { state in
            state.isTicking = !state.running.isEmpty
            return state.running.values.map(\.delivery)
        }
        for delivery in deliveries { delivery.extend() }
        if !deliveries.isEmpty { extendLater() }
    }

    // MARK: Outcomes

    private func end(_ delivery: NATSDelivery, _ end: HandlerEnd) {
        guard take(delivery) != nil else { return }
        switch end {
        case .completed:
            delivery.acknowledge()
            send(.acknowledged, of: delivery)
        case .interrupted:
            delivery.giveBack()
            finish()
        case .failed(let reason): fail(delivery, because: reason)
        case .undecodable(let reason):
            giveUp(delivery, because: "\(jetStream.connection.core.undecodable(delivery, because: reason))")
        }
    }

    private func fail(_ delivery: NATSDelivery, because reason: String) {
        if let policy = settings.policy, delivery.deliveries >= policy.afterDeliveries {
            return giveUp(delivery, because: reason)
        }
        delivery.giveBack(after: settings.delay)
        send(.givenBack(reason: reason), of: delivery)
    }

    /// Publishes a message to the dead-letter subject, and terminates its delivery.
    private func giveUp(_ delivery: NATSDelivery, because reason: String) {
        guard let subject = settings.policy?.subject else {
            delivery.terminate()
            return send(.deadLettered(reason: reason), of: delivery)
        }
        let isWanted = state.withLock { state in
            if !state.isDisposed {
                state.running[ObjectIdentifier(delivery)] = Running(delivery: delivery, isGivenUp: true)
            }
            return !state.isDisposed
        }
        guard isWanted else { return delivery.giveBackAtDisposal() }
        let publication = jetStream.publishLetter(of: delivery, by: delivery.origin, to: subject, because: reason)
            .startWithResult { result in
                guard self.state.withLock({ $0.running.removeValue(forKey: ObjectIdentifier(delivery)) }) != nil else {
                    return
                }
                switch result {
                case .success:
                    delivery.terminate()
                    self.send(.deadLettered(reason: reason), of: delivery)
                case .failure(let error):
                    self.jetStream.connection.core.report(error)
                    delivery.giveBack(after: self.settings.delay)
                    self.send(.givenBack(reason: "\(reason); \(error)"), of: delivery)
                }
            }
        keep(publication, of: delivery, isGivenUp: true) { $0.work = publication }
    }

    private func send(_ kind: NATSOutcome.Kind, of delivery: NATSDelivery) {
        observer.send(
            value: NATSOutcome(
                kind: kind, subject: delivery.subject, sequence: delivery.sequence, deliveries: delivery.deliveries))
        finish()
    }

    private func finish() {
        let isLast = state.withLock { state in
            state.open -= 1
            return state.open == 0
        }
        if isLast { observer.sendCompleted() }
    }

    /// Gives back what isn't settled.
    func dispose() {
        let running = state.withLock { state in
            state.isDisposed = true
            defer { state.running = [:] }
            return Array(state.running.values)
        }
        extending.dispose()
        for running in running {
            running.deadline?.dispose()
            running.delivery.giveBackAtDisposal()
            running.work?.dispose()
        }
    }
}
#endif
