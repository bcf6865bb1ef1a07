import Corinth
import CorinthTesting
import Dispatch
import Testing

private enum Request {
    @TaskLocal static var name = "none"
}

/// Carries the request, and counts.
private struct CountingCarrier: ContextCarrier {
    let captures = Counter()
    let restorations = Counter()

    func capture() -> String {
        captures.increment()
        return Request.name
    }

    func restore(_ context: String, during body: () -> Void) {
        restorations.increment()
        Request.$name.withValue(context, operation: body)
    }
}

struct ObserveOnCarryingTests {
    typealias Numbers = Signal<Int, TestError>

    static let terminations: [Signal<Int, TestError>.Event] = [.completed, .failed(.first), .interrupted]

    /// Sends two values and a termination, each in another request. Returns what an observer behind a hop saw.
    ///
    /// - Parameters:
    ///   - waits: Whether the events come on another thread. An interruption overtakes values that wait (law E6).
    ///   - run: Runs what is scheduled.
    private func deliver(
        _ termination: Numbers.Event, through hop: (Numbers, @escaping @Sendable (Numbers.Event) -> Void) -> Void,
        waits: Bool = false, run: () -> Void = {}
    ) -> [String] {
        let (signal, input) = Numbers.pipe()
        let seen = Atomic<[String]>([])
        let come = DispatchSemaphore(value: 0)
        func wait(for event: String) { if waits { come.wait(orElse: "\(event) has not come") } }
        hop(signal) { event in
            seen.modify { $0.append("\(Request.name): \(event)") }
            come.signal()
        }
        Request.$name.withValue("a") { input.send(value: 1) }
        Request.$name.withValue("b") { input.send(value: 2) }
        run()
        for value in 1...2 { wait(for: "value \(value)") }
        Request.$name.withValue("c") { input.send(termination) }
        run()
        wait(for: "the termination")
        #expect(Request.name == "none")
        return seen.value
    }

    @Test(arguments: terminations)
    func `Each event is delivered in its own context, the termination too`(termination: Numbers.Event) {
        let carrier = TaskLocalCarrier(Request.$name)
        let expected = ["a: VALUE 1", "b: VALUE 2", "c: \(termination)"]
        let test = TestScheduler()
        let (immediate, queue) = (ImmediateScheduler(), QueueScheduler())
        #expect(
            deliver(termination, through: { $0.observe(on: test, carrying: carrier).observe($1) }) { test.advance() }
                == expected)
        #expect(
            deliver(termination, through: { $0.producer.observe(on: test, carrying: carrier).start($1) }) {
                test.advance()
            } == expected)
        #expect(
            deliver(termination, through: { $0.observe(on: immediate, carrying: carrier).observe($1) }) == expected)
        #expect(
            deliver(termination, through: { $0.observe(on: queue, carrying: carrier).observe($1) }, waits: true)
                == expected)
    }

    @Test func `Without a carrier, the scheduler's own context holds`() {
        let test = TestScheduler()
        #expect(
            deliver(.completed, through: { $0.observe(on: test).observe($1) }) { test.advance() }
                == ["none: VALUE 1", "none: VALUE 2", "none: \(Numbers.Event.completed)"])
    }

    @Test func `One capture and one restoration for each event`() {
        let carrier = CountingCarrier()
        let scheduler = TestScheduler()
        let (signal, input) = Numbers.pipe()
        let carried = signal.observe(on: scheduler, carrying: carrier)
        for _ in 0..<3 { carried.observe { _ in } }
        for value in 0..<10 { input.send(value: value) }
        #expect(carrier.captures.value == 10 && carrier.restorations.value == 0)
        scheduler.advance()
        input.sendCompleted()
        scheduler.advance()
        #expect(carrier.captures.value == 11 && carrier.restorations.value == 11)
    }

    @Test func `A termination of the hop itself has no context: disposal, and overflow`() {
        let scheduler = TestScheduler()
        let carrier = CountingCarrier()
        let seen = Atomic<[String]>([])
        let start = SignalProducer<Int, TestError>.never.observe(on: scheduler, carrying: carrier)
            .start { event in seen.modify { $0.append("\(Request.name): \(event)") } }
        Request.$name.withValue("a") { start.dispose() }
        scheduler.advance()
        #expect(seen.value.count == 1)

        let statistics = BufferStatistics()
        let (signal, input) = Numbers.pipe()
        let events = Atomic<[String]>([])
        signal.observe(
            on: scheduler, carrying: carrier, bufferingPolicy: .failing(capacity: 2, with: .second),
            statistics: statistics
        ).observe { event in events.modify { $0.append("\(Request.name): \(event)") } }
        Request.$name.withValue("a") { for value in 0..<3 { input.send(value: value) } }
        scheduler.advance()
        #expect(
            events.value == ["a: VALUE 0", "a: VALUE 1", "none: \(Numbers.Event.failed(.second))"], "\(events.value)")
        #expect(statistics.sent == 3 && statistics.dropped == 1)
    }

    @Test func `Several tasks, each with a value of its own`() async {
        let queue = QueueScheduler()
        let seen = Atomic<[String]>([])
        // The inputs are kept until all values have come: the release of an input interrupts its signal, and an interruption
        // overtakes the values that wait (law E6).
        let inputs = await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let (signal, input) = Signal<Int, Never>.pipe()
                    signal.observe(on: queue, carrying: TaskLocalCarrier(Request.$name))
                        .observeValues { value in seen.modify { $0.append("\(Request.name) \(value)") } }
                    Request.$name.withValue("task \(number)") { input.send(value: number) }
                    return input
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(await Stress.eventually { seen.value.count == 8 })
        #expect(Set(seen.value) == Set((0..<8).map { "task \($0) \($0)" }))
        for input in inputs { input.sendCompleted() }
    }

    @Test func `An event that is queued while the source delivers has the context of that delivery`() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let seen = Atomic<[String]>([])
        signal.observeValues { value in if value == 1 { Request.$name.withValue("b") { input.send(value: 2) } } }
        signal.observe(on: scheduler, carrying: TaskLocalCarrier(Request.$name))
            .observeValues { value in seen.modify { $0.append("\(Request.name) \(value)") } }
        Request.$name.withValue("a") { input.send(value: 1) }
        scheduler.advance()
        #expect(seen.value == ["a 1", "a 2"])
        input.sendCompleted()
        scheduler.run()
    }

    @Test func `Contexts are released with their events`() {
        enum Local {
            @TaskLocal static var token: LeakCounter.Token?
        }
        let leaks = LeakCounter()
        let scheduler = TestScheduler()
        let (signal, input) = Numbers.pipe()
        let carried = signal.observe(on: scheduler, carrying: TaskLocalCarrier(Local.$token))
        let disposable = carried.observe { _ in #expect(Local.token != nil) }
        for value in 0..<5 { Local.$token.withValue(leaks.token()) { input.send(value: value) } }
        #expect(leaks.count == 5)
        scheduler.advance()
        #expect(leaks.count == 0)
        for value in 0..<5 { Local.$token.withValue(leaks.token()) { input.send(value: value) } }
        disposable?.dispose()
        scheduler.advance()
        #expect(leaks.count == 0)
    }
}
