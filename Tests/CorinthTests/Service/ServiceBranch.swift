import Corinth
import Foundation

/// A part of the service that observes its answers. It is taken down and built again while the service runs.
final class ServiceBranch: Sendable {
    enum Kind: String, CaseIterable {
        case windows, batches, groups, dashboard, lookups, slow, tasks, worker
    }

    let kind: Kind
    /// The number of requests that have come in.
    private let entered = Atomic(0)
    private let laws: ServiceLaws
    private let latest: MutableProperty<Int>
    private let token: LeakCounter.Token
    private let stopInput: Signal<(), Never>.Observer
    private let disposables = CompositeDisposable()
    private let ended = DispatchGroup()
    private let worker: ThreadScheduler?

    init(_ kind: Kind, of answers: Signal<ServiceAnswer, Never>, _ surroundings: ServiceSurroundings) {
        self.kind = kind
        laws = surroundings.laws
        latest = surroundings.latest
        token = surroundings.objects.token()
        let (stop, stopInput) = Signal<(), Never>.pipe()
        self.stopInput = stopInput
        worker = kind == .worker ? ThreadScheduler(name: "worker", waiting: .park) : nil
        let entered = entered
        // A stage of a signal begins when it is made. All of them are there before the first answer.
        let (source, input) = Signal<ServiceAnswer, Never>.pipe()
        observe(
            source
                .filter { $0.request != nil }
                .on(value: { _ in entered.modify { $0 += 1 } }),
            surroundings)
        // The token shows a branch that has ended, but still observes the answers.
        let token = token
        disposables += answers.take(until: stop).on(value: { _ in token.touch() }).observe(input)
    }

    /// Completes the branch. Everything that it holds arrives first.
    func complete() { stopInput.send(value: ()) }

    /// Takes the branch down at once.
    func dispose() {
        disposables.dispose()
        worker?.stop()
    }

    /// Stops the branch's scheduler, if it has one of its own. Returns whether it has.
    func stopScheduler() -> Bool {
        worker?.stop()
        return worker != nil
    }

    /// Waits for the end, after ``complete()`` or ``stopScheduler()``. Then it observes the answers no more.
    func waitForEnd() {
        if ended.wait(timeout: .now() + WaitLimit.seconds) == .timedOut {
            WaitLimit.exceeded("the branch \(kind) of the service has not ended")
        }
        disposables.dispose()
        worker?.stop()
    }

    // MARK: What the branches do

    private func observe(_ requests: Signal<ServiceAnswer, Never>, _ surroundings: ServiceSurroundings) {
        let (timers, pool) = (surroundings.timers, surroundings.pool)
        switch kind {
        case .windows:
            sum(
                requests.window(count: 100, within: 0.02, on: timers).flatMap(.concat) { window in
                    window.reduce(into: 0) { count, _ in count += 1 }
                })
        case .batches:
            let flush = flush
            sum(
                requests
                    .collect(count: 64, within: 0.02, on: timers)
                    .observe(on: pool.next, bufferingPolicy: .blocking(capacity: 64))
                    .flatMap(.concat) { batch in
                        // The execution before ends after its completion is delivered.
                        flush.apply(batch.count)
                            .retry(upTo: .max, interval: 0.001, on: timers)
                            .flatMapError { _ in .empty }
                    })
        case .groups:
            sum(
                requests.group(limit: 8) { $0.item.link.id % 16 }.flatMap(.merge) { group in
                    group.signal.map { _ in 1 }
                })
        case .dashboard: watch(requests, timers)
        case .lookups: lookUp(requests, timers)
        case .slow:
            let statistics = BufferStatistics()
            let order = ServiceOrder(laws, "the slow branch")
            let entered = entered
            check(
                requests.observe(
                    on: surroundings.slow, bufferingPolicy: .dropOldest(capacity: 64), statistics: statistics)
            ) {
                order.add($0)
            } isWhole: {
                statistics.delivered + statistics.dropped == entered.value
            }
        case .tasks: iterate(requests)
        case .worker:
            guard let worker else { return }
            let order = ServiceOrder(laws, "the worker")
            let (entered, count) = (entered, Atomic(0))
            check(requests.observe(on: worker, bufferingPolicy: .blocking(capacity: 256))) {
                order.add($0)
                count.modify { $0 += 1 }
            } isWhole: {
                count.value == entered.value
            }
        }
    }

    /// Checks a stream of this branch. If it completes, nothing may be missing.
    private func check<Value>(
        _ signal: Signal<Value, Never>, _ value: sending @escaping (Value) -> Void,
        isWhole: sending @escaping () -> Bool
    ) {
        let (laws, kind, ended, entered, token) = (laws, kind, ended, entered, token)
        ended.enter()
        let hasLeft = Atomic(false)
        let leave: @Sendable () -> Void = { if !hasLeft.swap(true) { ended.leave() } }
        disposables += signal.observe(
            laws.observer("the branch \(kind)") {
                token.touch()
                value($0)
            } ended: { event in
                if event.isCompleted {
                    laws.expect(
                        .loss, isWhole(),
                        "the branch \(kind) has lost some of \(entered.value) requests, and has completed")
                }
                leave()
            })
        disposables += AnyDisposable(leave)
    }

    /// The numbers add up to that of the requests.
    private func sum(_ numbers: Signal<Int, Never>) {
        let (total, entered, latest) = (Atomic(0), entered, latest)
        check(numbers) { number in
            total.modify { $0 += number }
            latest.value = number
        } isWhole: {
            total.value == entered.value
        }
    }

    /// Adds up, asynchronously and one at a time.
    private var flush: Action<Int, Int, Never> {
        let (laws, running) = (laws, Atomic(0))
        return Action { count in
            .task {
                laws.expect(
                    .actions,
                    running.modify {
                        $0 += 1; return $0
                    } == 1, "two executions overlap")
                await Task.yield()
                running.modify { $0 -= 1 }
                return count
            }
        }
    }

    /// A count that is shown now and then: it rises, and the last one is shown.
    private func watch(_ requests: Signal<ServiceAnswer, Never>, _ timers: QueueScheduler) {
        let total = MutableProperty(0)
        let shown = MutableProperty(0)
        let (laws, entered) = (laws, entered)
        disposables += shown <~ requests.map { _ in 1 }.scan(0, +).throttle(0.005, on: timers)
        disposables += latest <~ shown.signal
        disposables += latest.producer.combineLatest(with: shown.producer).startWithValues { latest, shown in
            laws.expect(.order, latest >= 0 && shown >= 0, "counts are \(latest) and \(shown)")
        }
        // Holds the property until the branch has ended.
        let doubled = shown.map { $0 * 2 }
        disposables += shown.signal.combinePrevious(0).observeValues { old, new in
            laws.expect(.order, old < new, "a throttled count goes from \(old) to \(new)")
        }
        disposables += doubled.signal.sample(every: .milliseconds(10), on: timers).observeValues { value in
            laws.expect(.order, value % 2 == 0, "a derived property is \(value)")
        }
        let last = Atomic(0)
        check(
            Signal.merge(
                requests.on(value: { _ in total.modify { $0 += 1 } }).filter { _ in false }.map { _ in 0 },
                requests.map { _ in 1 }.scan(0, +).debounce(0.003, on: timers, discardWhenCompleted: false))
        ) {
            last.value = $0
        } isWhole: {
            withExtendedLifetime((shown, doubled)) { last.value == entered.value && total.value == entered.value }
        }
    }

    /// Asks something else for some requests, which fails and is late now and then. Each has one result, or was dropped.
    private func lookUp(_ requests: Signal<ServiceAnswer, Never>, _ timers: QueueScheduler) {
        let statistics = BufferStatistics()
        let (asked, results) = (Atomic(0), Atomic(0))
        check(
            requests
                .filter { ($0.request?.number ?? 0) % 16 == 0 }
                .on(value: { _ in asked.modify { $0 += 1 } })
                .flatMap(.concurrent(limit: 8), bufferingPolicy: .dropOldest(capacity: 64), statistics: statistics) {
                    answer in
                    let number = answer.request?.number ?? 0
                    let attempts = Atomic(0)
                    return SignalProducer<Int, ServiceError>.task { () async throws(ServiceError) in
                        await Task.yield()
                        if number % 7 == 0,
                            attempts.modify({
                                $0 += 1; return $0
                            }) < 3
                        {
                            throw .poisoned
                        }
                        return number
                    }
                    .timeout(after: 5, raising: .late, on: timers)
                    .retry(upTo: 1, backoff: .constant(0.001), on: timers)
                    .materializeResults()
                }
        ) { _ in
            results.modify { $0 += 1 }
        } isWhole: {
            results.value == asked.value - statistics.dropped
        }
    }

    /// A task takes what it can.
    private func iterate(_ requests: Signal<ServiceAnswer, Never>) {
        let order = ServiceOrder(laws, "the task")
        let (ended, token) = (ended, token)
        ended.enter()
        var iterator = requests.values(bufferingPolicy: .dropOldest(capacity: 64)).makeAsyncIterator()
        let task = Task {
            while let answer = await iterator.next() { order.add(answer) }
            token.touch()
            ended.leave()
        }
        disposables += AnyDisposable { task.cancel() }
    }
}

extension ServiceOrder {
    func add(_ answer: ServiceAnswer) {
        if let request = answer.request { add(request.number, of: answer.item.link.id) }
    }
}
