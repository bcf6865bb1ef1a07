import Corinth
import CorinthTesting
import Foundation
import Testing

/// A log that stores what it is called with.
// The name is qualified, because the tests of the laws have an event log, too.
private final class StoredLog: Corinth.EventLog {
    struct Entry: Sendable {
        let interval: LoggedInterval
        let text: String
    }

    let entries = Atomic<[Entry]>([])

    /// Runs for each value.
    private let onValue: @Sendable (any Sendable) -> Void

    init(onValue: @escaping @Sendable (any Sendable) -> Void = { _ in }) {
        self.onValue = onValue
    }

    func note(_ text: String, _ interval: LoggedInterval) {
        entries.modify { $0.append(Entry(interval: interval, text: text)) }
    }

    func begin(_ interval: LoggedInterval) { note("begin", interval) }

    func record<Value>(_ value: Value, in interval: LoggedInterval) {
        note("\(value)", interval)
        if let value = value as? Int { onValue(value) }
    }

    func end<Failure: Error>(_ interval: LoggedInterval, _ termination: Termination<Failure>?) {
        note(termination.map { "end \($0)" } ?? "end", interval)
    }

    var texts: [String] { entries.value.map(\.text) }

    /// Whether each interval begins once, first, and ends once, last.
    var isLinked: Bool {
        Dictionary(grouping: entries.value, by: \.interval).values.allSatisfy { entries in
            entries.first?.text == "begin" && entries.filter { $0.text == "begin" }.count == 1
                && entries.last?.text.hasPrefix("end") == true
                && entries.filter { $0.text.hasPrefix("end") }.count == 1
        }
    }
}

struct LogIntervalsTests {
    private typealias Stream = Signal<Int, TestError>
    private typealias Recipe = SignalProducer<Int, TestError>

    static let endings: [(Signal<Int, TestError>.Event, String)] = [
        (.completed, "end completed"), (.failed(.first), "end failed(\(TestError.self).first)"),
        (.interrupted, "end interrupted"),
    ]

    @Test(arguments: endings.indices)
    func `The interval ends as the stream does, before the observer is called`(index: Int) {
        let (event, text) = Self.endings[index]
        let log = StoredLog()
        let (signal, input) = Stream.pipe()
        let logged = signal.logIntervals(to: log, name: "a")
        #expect(log.texts == ["begin"])
        let before = Atomic<[Int]>([])
        logged.observe { _ in before.modify { $0.append(log.texts.count) } }
        logged.observe { _ in }
        input.send(value: 1)
        input.send(event)
        input.send(value: 2)
        #expect(log.texts.dropLast() == ["begin", "1"] && Self.isEnd(log.texts.last, text))
        #expect(before.value == [2, 3])
        #expect(log.isLinked)

        let starts = StoredLog()
        let producer = Recipe { observer, _ in
            observer.send(value: 1)
            observer.send(event)
        }.logIntervals(to: starts, name: "b")
        #expect(starts.texts.isEmpty)
        for _ in 0..<2 { producer.start { _ in } }
        #expect(starts.texts.count == 6 && Self.isEnd(starts.texts.last, text))
        #expect(starts.isLinked)
        #expect(Set(starts.entries.value.map(\.interval)).count == 2)
        #expect(starts.entries.value.allSatisfy { $0.interval.name == "b" && $0.interval.parent == nil })
    }

    /// The description of an error depends on its module.
    private static func isEnd(_ text: String?, _ expected: String) -> Bool {
        guard let text else { return false }
        return text == expected || (expected.hasPrefix("end failed") && text.hasPrefix("end failed"))
    }

    @Test func `A delivery is an interval around the observers, within that of the stream`() {
        let log = StoredLog()
        let (signal, input) = Stream.pipe()
        let logged = signal.logIntervals(to: log, name: "a", values: .deliveries)
        let stream = log.entries.value[0].interval
        logged.observe { if let value = $0.value { log.note("observer \(value)", stream) } }
        input.send(value: 1)
        input.sendCompleted()
        #expect(log.texts == ["begin", "begin", "1", "observer 1", "end", "end completed"])
        let delivery = log.entries.value[1].interval
        #expect(delivery.parent == stream.id && delivery.name == "a" && delivery.id != stream.id)
        #expect(log.entries.value[2].interval == delivery && log.entries.value[4].interval == delivery)
        #expect(log.isLinked)
    }

    @Test func withoutValues() {
        let log = StoredLog()
        let overloads = Overloads<Int, TestError, Int, TestError>(
            { $0.logIntervals(to: log, name: "a", values: .none) },
            { $0.logIntervals(to: log, name: "a", values: .none) })
        overloads.expect([.value(1), .value(2), .completed], of: [1, 2], then: .completed)
        #expect(log.texts.allSatisfy { $0 == "begin" || $0 == "end completed" })
        #expect(log.isLinked)
    }

    @Test func `S3: the interval of a signal that can't be observed any more ends`() {
        let log = StoredLog()
        let (signal, input) = Stream.pipe()
        let disposable = signal.logIntervals(to: log, name: "a").observe { _ in }
        input.send(value: 1)
        disposable?.dispose()
        input.send(value: 2)
        #expect(log.texts == ["begin", "1", "end"])
        let ended = StoredLog()
        input.sendCompleted()
        signal.logIntervals(to: ended, name: "b").observe { _ in }
        #expect(ended.texts == ["begin", "end interrupted"])
    }

    @Test func `P2: a start that is disposed of ends with an interruption, however it was disposed of`() {
        let log = StoredLog()
        Recipe.never.logIntervals(to: log, name: "a").start { _ in }.dispose()
        #expect(log.texts == ["begin", "end interrupted"])
        let (signal, input) = Stream.pipe()
        let taken = StoredLog()
        let recorder = EventRecorder<Int, TestError>()
        signal.producer.logIntervals(to: taken, name: "b").take(first: 1).start(recorder.observer)
        input.send(value: 1)
        #expect(recorder.events == [.value(1), .completed])
        #expect(taken.texts == ["begin", "1", "end interrupted"])
        let sequence = StoredLog()
        Recipe([1, 2, 3]).logIntervals(to: sequence, name: "c").take(first: 2).start { _ in }
        #expect(sequence.texts.prefix(3) == ["begin", "1", "2"])
        #expect(sequence.isLinked)
        let latest = StoredLog()
        Recipe([1, 2]).flatMap(.latest) { _ in Recipe.never.logIntervals(to: latest, name: "d") }
            .start { _ in }.dispose()
        #expect(latest.texts == ["begin", "end interrupted", "begin", "end interrupted"])
        #expect(latest.isLinked)
    }

    @Test func `E5: a log may send to the signal that it logs`() {
        let (signal, input) = Stream.pipe()
        let log = StoredLog { if let value = $0 as? Int, value < 3 { input.send(value: value + 1) } }
        let recorder = EventRecorder<Int, TestError>()
        let logged = signal.logIntervals(to: log, name: "a")
        logged.observe(recorder.observer)
        logged.observe { if let value = $0.value { log.note("observed \(value)", log.entries.value[0].interval) } }
        input.send(value: 1)
        #expect(recorder.values == [1, 2, 3])
        #expect(log.texts == ["begin", "1", "observed 1", "2", "observed 2", "3", "observed 3"])
        input.sendCompleted()
    }

    @Test
    func `E2 and E4: with several threads, values are logged in the order of delivery, and each interval ends once`() {
        Stress.repeated(share: 0.1) {
            let log = StoredLog()
            let (signal, input) = Stream.pipe()
            let recorder = EventRecorder<Int, TestError>()
            let disposable = signal.logIntervals(to: log, name: "a").observe(recorder.observer)
            let starts = StoredLog()
            let producer = signal.producer.logIntervals(to: starts, name: "b", values: .none)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 0..<20 { input.send(value: thread * 20 + number) }
                let start = producer.start { _ in }
                if thread == 3 { input.sendCompleted() } else { start.dispose() }
            }
            // Another thread may still deliver what was sent. An observer that is disposed of meanwhile gets less than is logged.
            #expect(Stress.eventually { log.texts.last?.hasPrefix("end") == true && starts.isLinked })
            disposable?.dispose()
            #expect(log.texts.dropFirst().dropLast() == recorder.values.map { "\($0)" }[...])
            #expect(log.isLinked)
            #expect(starts.isLinked)
            #expect(Set(starts.entries.value.map(\.interval.id)).count == 4)
        }
    }

    @Test func `If a result is released while another thread sends, its interval ends once`() {
        Stress.repeated(share: 0.1) {
            let log = StoredLog()
            let (signal, input) = Stream.pipe()
            let disposable = signal.logIntervals(to: log, name: "a", values: .none).observe { _ in }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 { disposable?.dispose() } else { input.sendCompleted() }
            }
            #expect(log.texts.count == 2 && log.isLinked)
        }
    }

    @Test func `Lines have the time, the event, and the name and number of the interval`() throws {
        let lines = Atomic<[String]>([])
        let log = LineEventLog { line in lines.modify { $0.append(line) } }
        let (signal, input) = Stream.pipe()
        signal.logIntervals(to: log, name: "download", values: .deliveries).observe { _ in }
        input.send(value: 200)
        input.send(error: .first)
        Recipe.empty.logIntervals(to: log, name: "b").start { _ in }
        Recipe.never.logIntervals(to: log, name: "c").start { _ in }.dispose()
        let fields = lines.value.map { $0.split(separator: " ").map(String.init) }
        let times = try fields.map { try #require(UInt64($0[0])) }
        #expect(times == times.sorted())
        let (stream, delivery, b, c) = (fields[0][3], fields[1][3], fields[5][3], fields[7][3])
        let expected: [String] = [
            "begin download \(stream)", "begin download \(delivery) in \(stream)",
            "value download \(delivery) in \(stream): 200", "end download \(delivery) in \(stream)",
            "end download \(stream) failed: first", "begin b \(b)", "end b \(b) completed", "begin c \(c)",
            "end c \(c) interrupted",
        ]
        #expect(fields.map { $0.dropFirst().joined(separator: " ") } == expected)
        #expect(Set([stream, delivery, b, c]).count == 4)
    }
}
