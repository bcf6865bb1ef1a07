import Corinth
import CorinthTesting
import Dispatch
import Testing

/// `group(limit:by:)` and `group(limit:idle:on:by:)`.
struct GroupTests {
    /// The actions of groups, in order: `+1` creates a group, `1:11` is a value in it, `1|` is its end.
    static func trace(_ groups: Signal<Group<Int, Int, TestError>, TestError>) -> Atomic<[String]> {
        let log = Atomic<[String]>([])
        groups.observe { event in
            guard let group = event.value else {
                log.modify { $0.append(event.description) }
                return
            }
            log.modify { $0.append("+\(group.key)") }
            group.signal.observe { event in
                switch event {
                case .value(let value): log.modify { $0.append("\(group.key):\(value)") }
                case .completed: log.modify { $0.append("\(group.key)|") }
                case .interrupted: log.modify { $0.append("\(group.key)!") }
                case .failed: log.modify { $0.append("\(group.key)#") }
                }
            }
        }
        return log
    }

    @Test func valuesGoToTheGroupOfTheirKey() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Self.trace(signal.group(limit: 10) { $0 / 10 })
        for value in [11, 21, 12, 22] { input.send(value: value) }
        input.sendCompleted()
        #expect(log.value == ["+1", "1:11", "+2", "2:21", "1:12", "2:22", "1|", "2|", "COMPLETED"])
    }

    @Test(arguments: [(Signal<Int, TestError>.Event.interrupted, "!"), (.failed(.first), "#")])
    func theEndIsThatOfTheSource(end: Signal<Int, TestError>.Event, mark: String) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Self.trace(signal.group(limit: 10) { $0 / 10 })
        input.send(value: 11)
        input.send(end)
        #expect(log.value == ["+1", "1:11", "1\(mark)", end.description])
    }

    /// At the limit, the group whose last value is the oldest is closed.
    @Test func limitClosesTheOldest() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Self.trace(signal.group(limit: 2) { $0 / 10 })
        for value in [11, 21, 12, 31, 22] { input.send(value: value) }
        #expect(log.value == ["+1", "1:11", "+2", "2:21", "1:12", "2|", "+3", "3:31", "1|", "+2", "2:22"])
    }

    @Test func idleGroupsAreClosed() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Self.trace(signal.group(limit: 10, idle: 5, on: scheduler) { $0 / 10 })
        input.send(value: 11)
        scheduler.advance(by: .seconds(3))
        input.send(value: 21)
        scheduler.advance(by: .seconds(1))
        input.send(value: 12)
        scheduler.advance(by: .seconds(4))
        #expect(log.value == ["+1", "1:11", "+2", "2:21", "1:12", "2|"])
        scheduler.advance(by: .seconds(1))
        #expect(log.value.last == "1|")
        input.send(value: 13)
        #expect(log.value.suffix(2) == ["+1", "1:13"])
        input.sendCompleted()
        #expect(log.value.suffix(2) == ["1|", "COMPLETED"])
    }

    @Test func `A producer's groups may be closed after less than a second`() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        let start = SignalProducer(signal)
            .group(limit: 10, idle: 0.5, on: scheduler) { $0 / 10 }
            .on(value: { $0.signal.observe(recorder.observer) })
            .start()
        input.send(value: 11)
        #expect(recorder.events == [.value(11)])
        scheduler.advance(by: .milliseconds(500))
        #expect(recorder.events == [.value(11), .completed])
        start.dispose()
    }

    @Test func producerOverload() {
        let recorder = EventRecorder<String, Never>()
        let groups = SignalProducer<Int, Never>([11, 21, 12]).group(limit: 4) { $0 / 10 }
        for _ in 0..<2 {
            groups.flatMap(.merge) { group in group.signal.map { "\(group.key):\($0)" } }.start(recorder.observer)
        }
        let once: [Signal<String, Never>.Event] = [.value("1:11"), .value("2:21"), .value("1:12"), .completed]
        #expect(recorder.events == once + once)
    }

    @Test func leaks() {
        let leaks = LeakCounter()
        do {
            let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
            let groups = signal.group(limit: 2) { _ in 1 }
            let ofGroup = leaks.token()
            let disposable = groups.observe { $0.value?.signal.observe { _ in ofGroup.touch() } }
            input.send(value: leaks.token())
            disposable?.dispose()
        }
        #expect(leaks.count == 0)
    }

    @Test func `Groups that are open when the result isn't observed any more are interrupted`() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorders = [EventRecorder<Int, TestError>(), EventRecorder<Int, TestError>()]
        let disposable = signal.group(limit: 2) { $0 % 2 }.observe {
            if let group = $0.value { group.signal.observe(recorders[group.key].observer) }
        }
        for value in 0..<4 { input.send(value: value) }
        disposable?.dispose()
        input.send(value: 4)
        #expect(recorders[0].events == [.value(0), .value(2), .interrupted])
        #expect(recorders[1].events == [.value(1), .value(3), .interrupted])
    }

    // MARK: Kept values

    @Test func `A group is worked off after another one, without a loss`() {
        let counts = Atomic<[Int: Int]>([:])
        SignalProducer<Int, Never>(0..<344).group(limit: 10) { $0 % 4 }
            .flatMap(.concat) { group in
                group.producer.reduce(0) { count, _ in count + 1 }.map { (group.key, $0) }
            }
            .startWithValues { key, count in counts.modify { $0[key] = count } }
        #expect(counts.value == [0: 86, 1: 86, 2: 86, 3: 86])
    }

    @Test func `A group that its observer has left is closed, and the next value of its key opens a new one`() {
        let (numbers, input) = Signal<Int, Never>.pipe()
        let statistics = BufferStatistics()
        let batches = Atomic<[[Int]]>([])
        numbers.group(limit: 10, statistics: statistics) { $0 % 2 }
            .flatMap(.merge) { $0.signal.take(first: 2).collect() }
            .observeValues { batch in batches.modify { $0.append(batch) } }
        for number in [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9] { input.send(value: number) }
        input.sendCompleted()
        #expect(batches.value == [[0, 2], [4, 6], [8, 10], [1, 3], [5, 7], [9]])
        #expect(statistics.sent == 11 && statistics.delivered == 11 && statistics.dropped == 0)
    }

    @Test func `A group that was left doesn't count as open, even if it is kept`() {
        let (numbers, input) = Signal<Int, TestError>.pipe()
        let log = Atomic<[String]>([])
        let kept = Atomic<[Group<Int, Int, TestError>]>([])
        numbers.group(limit: 2) { $0 / 10 }.observe { event in
            guard let group = event.value else { return }
            kept.modify { $0.append(group) }
            let first = group.signal.take(first: group.key == 2 ? 1 : .max)
            first.observe { event in
                log.modify { $0.append("\(group.key)\(event.value.map { ":\($0)" } ?? "|")") }
            }
        }
        // The second group is left, so the third one doesn't close the first.
        for value in [11, 21, 31, 12] { input.send(value: value) }
        #expect(log.value == ["1:11", "2:21", "2|", "3:31", "1:12"])
        // Observing one that was left is too late (law S4).
        let late = EventRecorder<Int, TestError>()
        #expect(kept.value[1].signal.observe(late.observer) == nil)
        #expect(late.events == [.interrupted])
    }

    @Test
    func `A group that is released without having been observed is closed, and its values are counted as dropped`() {
        let (numbers, input) = Signal<Int, Never>.pipe()
        let statistics = BufferStatistics()
        let keys = Atomic<[Int]>([])
        let values = Atomic<[Int]>([])
        numbers.group(limit: 10, statistics: statistics) { $0 % 2 }
            .on(value: { group in keys.modify { $0.append(group.key) } })
            .filter { $0.key == 1 }
            .flatMap(.merge) { $0.signal }
            .observeValues { value in values.modify { $0.append(value) } }
        for number in 0..<6 { input.send(value: number) }
        input.sendCompleted()
        #expect(values.value == [1, 3, 5])
        #expect(keys.value == [0, 1, 0, 0])
        #expect(statistics.sent == 6 && statistics.delivered == 3 && statistics.dropped == 3)
    }

    @Test func `The first observer receives what was kept, also through derived signals; a later one what comes later`()
    {
        let (numbers, input) = Signal<Int, TestError>.pipe()
        let groups = Atomic<[Group<Int, Int, TestError>]>([])
        numbers.group(limit: 1) { _ in 0 }.observe { event in
            if let group = event.value { groups.modify { $0.append(group) } }
        }
        for number in 1...3 { input.send(value: number) }
        let recorders = (0..<3).map { _ in EventRecorder<Int, TestError>() }
        // A derived signal alone is no observer.
        let doubled = groups.value[0].signal.map { $0 * 2 }.filter { $0 != 4 }
        input.send(value: 4)
        doubled.observe(recorders[0].observer)
        #expect(recorders[0].events == [.value(2), .value(6), .value(8)])
        groups.value[0].signal.observe(recorders[1].observer)
        groups.value[0].signal.map { -$0 }.observe(recorders[2].observer)
        input.send(value: 5)
        input.sendCompleted()
        #expect(recorders[0].events == [.value(2), .value(6), .value(8), .value(10), .completed])
        #expect(recorders[1].events == [.value(5), .completed])
        #expect(recorders[2].events == [.value(-5), .completed])
    }

    @Test(arguments: [Signal<Int, TestError>.Event.completed, .failed(.first), .interrupted])
    func `An end comes behind the kept values, but an interruption drops them`(end: Signal<Int, TestError>.Event) {
        let (numbers, input) = Signal<Int, TestError>.pipe()
        let statistics = BufferStatistics()
        let groups = Atomic<[Group<Int, Int, TestError>]>([])
        numbers.group(limit: 1, statistics: statistics) { _ in 0 }.observe { event in
            if let group = event.value { groups.modify { $0.append(group) } }
        }
        for number in 1...3 { input.send(value: number) }
        input.send(end)
        let recorder = EventRecorder<Int, TestError>()
        groups.value[0].signal.observe(recorder.observer)
        if end == .interrupted {
            #expect(recorder.events == [.interrupted])
            #expect(statistics.delivered == 0 && statistics.dropped == 3)
        } else {
            #expect(recorder.events == [.value(1), .value(2), .value(3), end])
            #expect(statistics.delivered == 3 && statistics.dropped == 0)
        }
    }

    @Test func `What is sent, and observed, while kept values are delivered comes behind them`() {
        let (numbers, input) = Signal<Int, TestError>.pipe()
        let groups = Atomic<[Group<Int, Int, TestError>]>([])
        numbers.group(limit: 1) { _ in 0 }.observe { event in
            if let group = event.value { groups.modify { $0.append(group) } }
        }
        for number in 1...3 { input.send(value: number) }
        let (first, second) = (EventRecorder<Int, TestError>(), EventRecorder<Int, TestError>())
        groups.value[0].signal.observe { event in
            first.observer.send(event)
            if event.value == 1 {
                input.send(value: 4)
                groups.value[0].signal.observe(second.observer)
                input.send(value: 5)
            }
        }
        #expect(first.events == (1...5).map { .value($0) })
        #if !NaiveLocks  // On mutexes, an observer that is added inside a callback has its place at once.
            #expect(second.events == [.value(5)])
        #endif
    }

    @Test
    func `An observer that leaves while it receives what was kept gets no more, and the rest is counted as dropped`() {
        let (numbers, input) = Signal<Int, TestError>.pipe()
        let statistics = BufferStatistics()
        let groups = Atomic<[Group<Int, Int, TestError>]>([])
        numbers.group(limit: 1, statistics: statistics) { _ in 0 }.observe { event in
            if let group = event.value { groups.modify { $0.append(group) } }
        }
        for number in 1...5 { input.send(value: number) }
        let recorder = EventRecorder<Int, TestError>()
        groups.value[0].signal.take(first: 2).observe(recorder.observer)
        #expect(recorder.events == [.value(1), .value(2), .completed])
        #expect(statistics.delivered == 2 && statistics.dropped == 3)
        input.send(value: 6)
        #expect(groups.value.count == 2 && statistics.sent == 6)
    }
}
