import Corinth
import CorinthTesting
import Foundation

/// A service over Corinth: connections whose requests are handled by a pool, a journal of the answers, and branches that observe
/// the answers.
///
///     connections ─ retry ─ merge ─ hop ─ pool, by connection ─ hop ─ journal
///                                                                  └─ branches
final class Service: @unchecked Sendable {  // The fault thread owns the branches; the rest is constant.
    private let accepted: Signal<ServiceLink, Never>.Observer
    private let answers: Signal<ServiceAnswer, Never>
    private let surroundings: ServiceSurroundings
    private let disposables = CompositeDisposable()
    private let ended = DispatchSemaphore(value: 0)
    private var branches: [ServiceBranch] = []

    let journal: ServiceJournal

    /// More requests than all buffers hold: the inboxes of the two streams that merge others have 16,384 places each, and so have
    /// the hops of the branches that have no policy. A stall of a hop admits more.
    static let capacity = 60_000

    /// - Parameters:
    ///   - surroundings: Used by this service alone. Stopped at its end.
    ///   - fault: A bug that is to be found.
    init(_ surroundings: ServiceSurroundings, fault: ServiceFault?) {
        self.surroundings = surroundings
        let (laws, timers) = (surroundings.laws, surroundings.timers)
        journal = ServiceJournal(laws)
        let (links, accepted) = Signal<ServiceLink, Never>.pipe()
        self.accepted = accepted
        answers =
            links
            .flatMap(.merge) { $0.requests(retryingOn: timers) }
            .observe(on: surroundings.entry, bufferingPolicy: .blocking(capacity: 1024))
            .observe(on: surroundings.pool, by: { $0.link.id }, bufferingPolicy: .blocking(capacity: 512)) {
                partition in
                Service.handled(fault == nil ? partition : Service.broken(partition, fault), retryingOn: timers)
            }
            .observe(on: surroundings.writer, bufferingPolicy: .blocking(capacity: 1024))
        let (journal, ended) = (journal, ended)
        disposables += answers.observe(
            laws.observer("the journal") {
                journal.add($0)
            } ended: { event in
                laws.expect(.loss, event.isCompleted, "the service has ended with \(event)")
                ended.signal()
            })
        branches = ServiceBranch.Kind.allCases.map { ServiceBranch($0, of: answers, surroundings) }
    }

    private static func broken(
        _ partition: Signal<ServiceItem, Never>, _ fault: ServiceFault?
    ) -> Signal<ServiceItem, Never> {
        let stage = ServiceFault.Stage(fault)
        return partition.map { stage.items(for: $0) }.flatten()
    }

    /// Handles the requests of a partition in order. One that fails is tried once more, and may fail for good.
    private static func handled(
        _ partition: Signal<ServiceItem, Never>, retryingOn timers: QueueScheduler
    ) -> Signal<ServiceAnswer, Never> {
        partition.flatMap(.concat) { item -> SignalProducer<ServiceAnswer, Never> in
            guard let number = item.event.value?.number else {
                return SignalProducer(value: ServiceAnswer(item: item, isFailure: false))
            }
            let attempts = Atomic(0)
            return SignalProducer<ServiceAnswer, ServiceError> { () -> Result<ServiceAnswer, ServiceError> in
                let attempt = attempts.modify { attempts -> Int in
                    attempts += 1
                    return attempts
                }
                if number % 101 == 0 || number % 53 == 0 && attempt == 1 { return .failure(.poisoned) }
                Work.spin(50)
                return .success(ServiceAnswer(item: item, isFailure: false))
            }
            .retry(upTo: 1)
            .flatMapError { _ in SignalProducer(value: ServiceAnswer(item: item, isFailure: true)) }
        }
    }

    /// A client has connected.
    func accept(_ link: ServiceLink) { accepted.send(value: link) }

    // MARK: Faults

    /// What goes wrong around the service.
    enum Trouble: String, CaseIterable {
        case stalledJournal = "the journal stalls"
        case stalledConsumer = "a consumer stalls"
        case stoppedScheduler = "a scheduler stops"
        case disposal = "a branch is disposed of"
        case completion = "a branch completes and is built again"
        case burst = "the clients send a burst"
        case vanishing = "clients vanish"
    }

    /// Does what is to go wrong in the service itself. A thread of faults calls it.
    func suffer(_ trouble: Trouble, using generator: inout SeededGenerator) {
        switch trouble {
        case .stalledJournal: stall(surroundings.writer, milliseconds: Int.random(in: 5...30, using: &generator))
        case .stalledConsumer: stall(surroundings.slow, milliseconds: Int.random(in: 20...100, using: &generator))
        case .stoppedScheduler:
            for index in branches.indices where branches[index].stopScheduler() {
                branches[index].waitForEnd()
                rebuild(index)
            }
        case .disposal:
            let index = branches.indices.randomElement(using: &generator) ?? 0
            branches[index].dispose()
            rebuild(index)
        case .completion:
            let index = branches.indices.randomElement(using: &generator) ?? 0
            branches[index].complete()
            branches[index].waitForEnd()
            rebuild(index)
        case .burst, .vanishing: break
        }
    }

    private func stall(_ scheduler: QueueScheduler, milliseconds: Int) {
        scheduler.queue.suspend()
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
        scheduler.queue.resume()
    }

    private func rebuild(_ index: Int) {
        branches[index] = ServiceBranch(branches[index].kind, of: answers, surroundings)
    }

    // MARK: The end

    /// Ends in order, after all links were closed and the last fault is over.
    func end() {
        for branch in branches { branch.complete() }
        for branch in branches { branch.waitForEnd() }
        branches = []
        accepted.sendCompleted()
        ended.wait(orElse: "the service has not ended")
        disposables.dispose()
        let isDown = DispatchSemaphore(value: 0)
        surroundings.pool.shutDown(.draining) { isDown.signal() }
        isDown.wait(orElse: "the pool of the service has not shut down")
        surroundings.entry.stop()
    }
}
