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

    @Test("A producer's groups may be closed after less than a second")
    func producerClosesIdleGroups() {
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

    @Test("Groups that are open when the result isn't observed any more are interrupted")
    func openGroups() {
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
}
