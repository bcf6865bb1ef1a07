import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// The laws E1 to E7 and P1 to P4 through every bridge between streams and tasks.
@Suite(.serialized)
struct BridgeLawTests {
    typealias Source = Signal<Int, TestError>
    typealias Event = Source.Event

    // MARK: Bridges

    /// A way of a stream's events into or through tasks or actors. Each passes on values and the end.
    enum Bridge: CaseIterable {
        case signalValues, producerValues, propertyValues
        case awaiting, generator, tasks
        case actor, serialExecutor, taskExecutor, isolation, startIsolation, mainActor, clock
        case suspendingSend

        /// Whether it tells an interruption from a completion. The sequence of a stream's values doesn't: it ends.
        var tellsInterruption: Bool {
            switch self {
            case .actor, .serialExecutor, .taskExecutor, .isolation, .startIsolation, .mainActor, .clock: true
            default: false
            }
        }

        /// Observes a signal through the bridge, from now on.
        ///
        /// - Returns: A closure that ends the observation. After it has returned, no later event is delivered.
        func connect(_ source: Source, to log: Log) async -> @Sendable () async -> Void {
            switch self {
            case .signalValues: return iterate(source.values(), log)
            case .producerValues: return await iterate(started(source.producer) { $0.values() }, log)
            case .propertyValues:
                // Every change, without the value that the property has at first.
                let property = MutableProperty<Event?>(nil)
                let link = source.observe { property.value = $0 }
                let changes = property.values(bufferingPolicy: .unbounded)
                let began = Flag()
                let task = Task {
                    for await change in changes {
                        guard let change else {
                            began.raise()
                            continue
                        }
                        log.receive(change)
                        if change.isTerminating { break }
                    }
                }
                _ = await Stress.eventually { began.isRaised }
                return {
                    link?.dispose()
                    task.cancel()
                    await task.value
                }
            case .awaiting: return start(SignalProducer(awaiting: Begun(source.values())), log)
            case .generator:
                nonisolated(unsafe) var iterator = source.values().makeAsyncIterator()
                return start(
                    .generator { output throws(TestError) in
                        while let value = try await unsafe iterator.next(isolation: nil) {
                            guard await output.send(value) else { return }
                        }
                    }, log)
            case .tasks:
                return start(
                    SignalProducer(source).flatMap(.concat) { value in
                        SignalProducer<Int, TestError>.task { () throws(TestError) in value }
                    }, log)
            case .actor: return observe(source.observe(on: ExecutorScheduler(actor: Place())), log)
            case .serialExecutor:
                return observe(source.observe(on: ExecutorScheduler(executor: QueueScheduler(name: "serial"))), log)
            case .taskExecutor:
                return observe(
                    source.observe(on: ExecutorScheduler(taskExecutor: ThreadScheduler(name: "tasks"))), log)
            case .isolation:
                let place = Place()
                let link = await place.observe(source, log)
                return { await place.dispose(link) }
            case .startIsolation:
                let place = Place()
                let link = await place.start(source.producer, log)
                return { await place.dispose(link) }
            case .mainActor:
                let link = await MainActor.run { Holder(source.observe(on: MainActor.self) { log.receive($0) }) }
                return { await MainActor.run { link.held?.dispose() } }
            case .clock: return observe(source.observe(on: ClockScheduler(ContinuousClock())), log)
            case .suspendingSend:
                let (output, input) = Source.pipe(buffering: .blocking(capacity: 2))
                let link = output.observe { log.receive($0) }
                nonisolated(unsafe) var iterator = source.values().makeAsyncIterator()
                let task = Task {
                    do throws(TestError) {
                        while let value = try await unsafe iterator.next(isolation: nil) {
                            try? await input.suspendingSend(value: value)
                        }
                        input.sendCompleted()
                    } catch {
                        input.send(error: error)
                    }
                }
                return {
                    link?.dispose()
                    task.cancel()
                    await task.value
                }
            }
        }

        private func iterate(_ values: AsyncValues<Int, TestError>, _ log: Log) -> @Sendable () async -> Void {
            nonisolated(unsafe) var iterator = values.makeAsyncIterator()
            return iterate({ () throws(TestError) in try await unsafe iterator.next(isolation: nil) }, log)
        }

        private func iterate(
            _ next: @escaping @Sendable () async throws(TestError) -> Int?, _ log: Log
        ) -> @Sendable () async -> Void {
            let task = Task {
                do throws(TestError) {
                    while let value = try await next() { log.receive(.value(value)) }
                    if !Task.isCancelled { log.receive(.completed) }
                } catch {
                    log.receive(.failed(error))
                }
            }
            return {
                task.cancel()
                await task.value
            }
        }

        /// The values of a producer, whose first iteration has started it.
        private func started(
            _ producer: SignalProducer<Int, TestError>,
            _ values: (SignalProducer<Int, TestError>) -> AsyncValues<Int, TestError>
        ) async -> @Sendable () async throws(TestError) -> Int? {
            let began = Flag()
            let values = values(producer.on(started: { began.raise() }))
            nonisolated(unsafe) var iterator = values.makeAsyncIterator()
            // The first request starts the producer, and then waits for the value.
            let first = Task { () async -> Result<Int?, TestError> in
                do throws(TestError) {
                    return .success(try await unsafe iterator.next(isolation: nil))
                } catch {
                    return .failure(error)
                }
            }
            _ = await Stress.eventually { began.isRaised }
            let isFirst = Atomic(true)
            return { () throws(TestError) in
                if isFirst.swap(false) {
                    let result = await withTaskCancellationHandler {
                        await first.value
                    } onCancel: {
                        first.cancel()
                    }
                    return try result.get()
                }
                return try await unsafe iterator.next(isolation: nil)
            }
        }

        private func start(
            _ producer: SignalProducer<Int, TestError>, _ log: Log
        ) -> @Sendable () async -> Void {
            let began = producer.start { log.receive($0) }
            return { began.dispose() }
        }

        private func observe(_ signal: Source, _ log: Log) -> @Sendable () async -> Void {
            let link = signal.observe { log.receive($0) }
            return { link?.dispose() }
        }
    }

    /// A sequence that is iterated once, and whose iteration has begun: it observes the signal before the task runs.
    private struct Begun: AsyncSequence, Sendable {
        nonisolated(unsafe) private let iterator: AsyncValues<Int, TestError>.AsyncIterator

        init(_ values: AsyncValues<Int, TestError>) { unsafe iterator = values.makeAsyncIterator() }

        func makeAsyncIterator() -> AsyncValues<Int, TestError>.AsyncIterator { unsafe iterator }
    }

    private actor Place {
        func observe(_ source: Source, _ log: Log) -> Holder<(any Disposable)?> {
            Holder(source.observe(isolation: self) { log.receive($0) })
        }

        func start(_ source: SignalProducer<Int, TestError>, _ log: Log) -> Holder<(any Disposable)?> {
            Holder(source.start(isolation: self) { log.receive($0) })
        }

        func dispose(_ link: Holder<(any Disposable)?>) { link.held?.dispose() }
    }

    /// What comes out of a bridge.
    final class Log: Sendable {
        private let seen = Atomic<[Event]>([])
        private let inside = Counter()
        private let left = Counter()
        private let overlapping = Counter()
        private let onEvent: (@Sendable (Event) -> Void)?

        init(_ onEvent: (@Sendable (Event) -> Void)? = nil) {
            self.onEvent = onEvent
        }

        func receive(_ event: Event) {
            if inside.increment() != left.value + 1 { overlapping.increment() }
            seen.modify { $0.append(event) }
            onEvent?(event)
            left.increment()
        }

        var events: [Event] { seen.value }

        var values: [Int] { events.compactMap { if case .value(let value) = $0 { value } else { nil } } }

        var isEnded: Bool { events.last?.isTerminating == true }

        /// How many callbacks began before another one had returned.
        var overlaps: Int { overlapping.value }
    }

    // MARK: E

    @Test(arguments: Bridge.allCases)
    func `E1, E6: values, then one end, after which nothing comes`(_ bridge: Bridge) async {
        let ends: [Event] = [.completed, .failed(.first), .interrupted]
        for end in ends {
            let (output, input) = Source.pipe()
            let log = Log()
            let stop = await bridge.connect(output, to: log)
            for value in 1...5 { input.send(value: value) }
            input.send(end)
            input.send(value: 6)
            input.sendCompleted()
            #expect(await Stress.eventually { log.isEnded }, "\(end)")
            let events = log.events
            #expect(events.filter(\.isTerminating).count == 1)
            #expect(log.values == Array((1...5).prefix(log.values.count)))
            switch end {
            // A completion waits for what is buffered, and the failure of a hop keeps its place.
            case .completed: #expect(events.last == .completed && log.values == [1, 2, 3, 4, 5])
            // What an operator in between has buffered is dropped.
            case .failed: #expect(events.last == .failed(.first) && (bridge == .tasks || log.values.count == 5))
            default: if bridge.tellsInterruption { #expect(events.last == .interrupted) }
            }
            #expect(log.overlaps == 0)
            await stop()
            #expect(log.events == events)
        }
    }

    /// Whether a sender waits for no user code. The naive build doesn't keep law E5.
    private static var keepsE5: Bool {
        #if NaiveLocks
            false
        #else
            true
        #endif
    }

    @Test(.enabled(if: keepsE5), arguments: Bridge.allCases)
    func `E6: an interruption overtakes the values that wait`(_ bridge: Bridge) async {
        let gate = DispatchSemaphore(value: 0)
        let (output, input) = Source.pipe()
        // The first value holds up the bridge for as long as the sends take.
        let began = Flag()
        let log = Log { event in
            guard event == .value(1) else { return }
            began.raise()
            gate.wait(orElse: "the gate isn't opened")
        }
        let stop = await bridge.connect(output, to: log)
        let sender = Thread {
            input.send(value: 1)
            while !began.isRaised { Work.yield() }
            for value in 2...100 { input.send(value: value) }
            input.sendInterrupted()
            gate.signal()
        }
        sender.start()
        #expect(await Stress.eventually { log.isEnded })
        // The property has the end as its value, behind the others. Elsewhere, a value may be on its way between two tasks.
        if bridge != .propertyValues { #expect(log.values.count <= 3, "\(log.values.count) values") }
        await stop()
    }

    @Test(arguments: Bridge.allCases)
    func `E2, E3, E4: serial, the same for all observers, and in the order of each sender`(_ bridge: Bridge) async {
        let (output, input) = Source.pipe()
        let logs = [Log(), Log()]
        var stops: [@Sendable () async -> Void] = []
        for log in logs { stops.append(await bridge.connect(output, to: log)) }
        let count = 500
        await withCheckedContinuation { done in
            let senders = DispatchGroup()
            for sender in 0..<3 {
                DispatchQueue(label: "sender").async(group: senders) {
                    for value in 0..<count { input.send(value: sender * count + value) }
                }
            }
            senders.notify(queue: .global()) { done.resume() }
        }
        input.sendCompleted()
        for log in logs { #expect(await Stress.eventually { log.isEnded }) }
        #expect(logs[0].events == logs[1].events)
        #expect(logs[0].values.count == 3 * count)
        for sender in 0..<3 {
            let values = logs[0].values.filter { $0 / count == sender }
            #expect(values == values.sorted() && values.count == count)
        }
        for log in logs { #expect(log.overlaps == 0) }
        for stop in stops { await stop() }
    }

    @Test(.enabled(if: keepsE5), arguments: Bridge.allCases)
    func `E5: what an observer sends to its own source comes later, once, and nothing deadlocks`(_ bridge: Bridge) async
    {
        let (output, input) = Source.pipe()
        let log = Log { event in
            guard case .value(let value) = event else { return }
            if value < 200 { input.send(value: value + 1) } else { input.sendCompleted() }
        }
        let stop = await bridge.connect(output, to: log)
        input.send(value: 1)
        #expect(await Stress.eventually { log.isEnded })
        #expect(log.values == Array(1...200) && log.overlaps == 0)
        await stop()
    }

    @Test(arguments: Bridge.allCases)
    func `E7: after a disposal, nothing of a later event comes; twice is harmless`(_ bridge: Bridge) async {
        let (output, input) = Source.pipe()
        let (log, witness) = (Log(), Log())
        let stop = await bridge.connect(output, to: log)
        let stopWitness = await bridge.connect(output, to: witness)
        for value in 1...3 { input.send(value: value) }
        await stop()
        await stop()
        for value in 4...10 { input.send(value: value) }
        input.sendCompleted()
        // What the other observer has received, this one would have, too.
        #expect(await Stress.eventually { witness.isEnded })
        for _ in 0..<100 { await Task.yield() }
        #expect(witness.values == Array(1...10))
        #expect(log.values.allSatisfy { $0 <= 3 })
        #expect(log.events.filter(\.isTerminating).allSatisfy { $0 == .interrupted })
        await stopWitness()
    }

    // MARK: P

    /// A way to start a producer from a task. Each awaits the end of the start.
    enum Start: CaseIterable {
        case values, first, last, single, all, termination, awaiting, generator, tasks, isolation

        func run(_ producer: SignalProducer<Int, Never>) async {
            switch self {
            case .values: for await _ in producer.values() {}
            case .first: _ = await producer.filter { _ in false }.firstValue()
            case .last: _ = await producer.lastValue()
            case .single: _ = await producer.filter { _ in false }.singleValue()
            case .all: _ = await producer.allValues()
            case .termination: _ = await producer.termination()
            case .awaiting: _ = await SignalProducer(awaiting: producer.values()).termination()
            case .generator:
                _ = await SignalProducer<Int, Never>.generator { output in
                    for await value in producer.values() { await output.send(value) }
                }.termination()
            case .tasks: _ = await SignalProducer<Int?, Never>.task { await producer.lastValue() }.termination()
            case .isolation:
                _ = await producer.observe(on: ExecutorScheduler(actor: Place())).termination()
            }
        }
    }

    @Test(arguments: Start.allCases)
    func `P1: nothing happens before a start, each runs anew, and concurrent ones share nothing`(_ way: Start) async {
        let (starts, ends) = (Counter(), Counter())
        let producer = SignalProducer<Int, Never> { observer, lifetime in
            starts.increment()
            lifetime.observeEnded { ends.increment() }
            observer.send(value: 1)
            observer.sendCompleted()
        }
        // Made, but not started.
        _ = (producer.values(), SignalProducer(awaiting: producer.values()))
        #expect(starts.value == 0)
        await way.run(producer)
        #expect(starts.value == 1 && ends.value == 1)
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await way.run(producer) } }
        }
        #expect(starts.value == 21 && ends.value == 21)
    }

    @Test(arguments: Start.allCases)
    func `P2: the cancellation of the task interrupts the start and releases its resources once`(_ way: Start) async {
        let leaks = LeakCounter()
        let (starts, ends, interruptions) = (Counter(), Counter(), Counter())
        do {
            let token = leaks.token()
            let producer = SignalProducer<Int, Never> { observer, lifetime in
                lifetime.observeEnded { ends.increment() }
                observer.send(value: 1)
                starts.increment()
                token.touch()
            }.on(interrupted: { interruptions.increment() })
            let task = Task { await way.run(producer) }
            #expect(await Stress.eventually { starts.value == 1 })
            task.cancel()
            await task.value
            #expect(await Stress.eventually { ends.value == 1 && interruptions.value == 1 })
        }
        #expect(await Stress.eventually { leaks.count == 0 })
        #expect(ends.value == 1 && interruptions.value == 1)
    }

    @Test(arguments: Bridge.allCases)
    func `P3: signals and producers pass the same through a bridge`(_ bridge: Bridge) async {
        var traces: [[Event]] = []
        for isProducer in [false, true] {
            let (output, input) = Source.pipe()
            let kept = Source.pipe()
            // The signal of a start, in place of the pipe's.
            let start = isProducer ? output.producer.start(kept.input) : nil
            let log = Log()
            let stop = await bridge.connect(isProducer ? kept.output : output, to: log)
            for value in 1...20 { input.send(value: value) }
            input.sendCompleted()
            #expect(await Stress.eventually { log.isEnded })
            traces.append(log.events)
            await stop()
            start?.dispose()
        }
        #expect(traces[0] == traces[1])
    }

    @Test func `P4: recursion through a bridge uses constant stack`() async {
        let once = SignalProducer<Int, Never>.task { 1 }
        #expect(await once.repeat(5_000).values().reduce(0, +) == 5_000)
        #expect(await once.repeat(5_000).allValues()?.count == 5_000)
        let generated = SignalProducer<Int, Never>.generator { output in await output.send(1) }
        #expect(await generated.repeat(5_000).allValues()?.count == 5_000)
        let failures = Counter()
        let failing = SignalProducer<Int, TestError>.task { () throws(TestError) in
            if failures.increment() <= 5_000 { throw .first }
            return 1
        }
        #expect(try! await failing.retry(upTo: 5_000).lastValue() == 1)
        // Each start awaits the next one on the same stack. The value passes through all of them.
        @Sendable func count(_ left: Int) -> SignalProducer<Int, Never> {
            left == 0 ? SignalProducer(value: 0) : once.flatMap(.latest) { _ in count(left - 1) }
        }
        #expect(await Nesting.deep(2_000) { await count($0).lastValue() } == 0)
        let sequences = SignalProducer(awaiting: SignalProducer<Int, Never>(0..<2).values())
        #expect(await sequences.repeat(2_000).values().reduce(0) { sum, _ in sum + 1 } == 4_000)
    }
}
