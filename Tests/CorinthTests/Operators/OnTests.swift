import Corinth
import CorinthTesting
import Testing

/// The recorded actions, in order.
private final class Journal: Sendable {
    private let list = Atomic<[String]>([])

    var lines: [String] { list.value }

    @Sendable func note(_ line: String) { list.modify { $0.append(line) } }
}

struct OnTests {
    private static func noting(_ signal: Signal<Int, TestError>, _ journal: Journal) -> Signal<Int, TestError> {
        signal.on(
            event: { journal.note("event \($0)") },
            failed: { journal.note("failed \($0)") },
            completed: { journal.note("completed") },
            interrupted: { journal.note("interrupted") },
            terminated: { journal.note("terminated") },
            disposed: { journal.note("disposed") },
            value: { journal.note("value \($0)") })
    }

    private static func noting(
        _ producer: SignalProducer<Int, TestError>, _ journal: Journal, name: String = ""
    ) -> SignalProducer<Int, TestError> {
        producer.on(
            starting: { journal.note("\(name)starting") },
            started: { journal.note("\(name)started") },
            event: { journal.note("\(name)event \($0)") },
            failed: { journal.note("\(name)failed \($0)") },
            completed: { journal.note("\(name)completed") },
            interrupted: { journal.note("\(name)interrupted") },
            terminated: { journal.note("\(name)terminated") },
            disposed: { journal.note("\(name)disposed") },
            value: { journal.note("\(name)value \($0)") })
    }

    /// The record of a terminating event.
    private static func kind(of termination: Signal<Int, TestError>.Event) -> String {
        switch termination {
        case .value(let value): "value \(value)"
        case .failed(let error): "failed \(error)"
        case .completed: "completed"
        case .interrupted: "interrupted"
        }
    }

    @Test(arguments: terminations)
    func orderOnASignal(termination: Signal<Int, TestError>.Event) {
        let journal = Journal()
        let (signal, input) = Signal<Int, TestError>.pipe()
        Self.noting(signal, journal).observe { journal.note("observer \($0)") }
        input.send(value: 1)
        input.send(termination)
        #expect(
            journal.lines == [
                "event VALUE 1", "value 1", "observer VALUE 1", "event \(termination)", Self.kind(of: termination),
                "terminated", "observer \(termination)", "disposed",
            ])
    }

    @Test(arguments: terminations)
    func orderOnAProducer(termination: Signal<Int, TestError>.Event) {
        let journal = Journal()
        let source = SignalProducer<Int, TestError> { observer, _ in
            journal.note("start")
            observer.send(value: 1)
            observer.send(termination)
        }
        let producer = Self.noting(source, journal)
        #expect(journal.lines.isEmpty)
        let expected = [
            "starting", "start", "event VALUE 1", "value 1", "observer VALUE 1", "event \(termination)",
            Self.kind(of: termination), "terminated", "observer \(termination)", "disposed", "started",
        ]
        producer.start { journal.note("observer \($0)") }
        #expect(journal.lines == expected)
        producer.start { journal.note("observer \($0)") }
        #expect(journal.lines == expected + expected)
    }

    @Test func startedBeforeTheFirstEventOfAnAsynchronousSource() {
        let journal = Journal()
        let (signal, input) = Signal<Int, TestError>.pipe()
        Self.noting(SignalProducer(signal), journal).start()
        input.send(value: 1)
        #expect(journal.lines == ["starting", "started", "event VALUE 1", "value 1"])
    }

    @Test func severalInARow() {
        let journal = Journal()
        let (signal, input) = Signal<Int, TestError>.pipe()
        Self.noting(Self.noting(SignalProducer(signal), journal, name: "a "), journal, name: "b ").start()
        #expect(journal.lines == ["b starting", "a starting", "a started", "b started"])
        withExtendedLifetime(input) {}
    }

    /// P2
    @Test func disposalOfAStart() {
        let journal = Journal()
        let disposable = Self.noting(.never, journal).start { journal.note("observer \($0)") }
        disposable.dispose()
        disposable.dispose()
        #expect(
            journal.lines == [
                "starting", "started", "event INTERRUPTED", "interrupted", "terminated", "observer INTERRUPTED",
                "disposed",
            ])
    }

    @Test func `S2: each closure runs once per event, for any number of observers, including none`() {
        let journal = Journal()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let noted = signal.on(value: { journal.note("value \($0)") })
        for _ in 0..<3 { noted.observe { _ in } }
        input.send(value: 1)
        let unobserved = signal.on(completed: { journal.note("completed") })
        input.sendCompleted()
        withExtendedLifetime(unobserved) {}
        #expect(journal.lines == ["value 1", "completed"])
    }

    @Test func `S3: a signal that can't be observed any more is disposed of without an event`() {
        let journal = Journal()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let observation = Self.noting(signal, journal).observe { _ in }
        #expect(journal.lines.isEmpty)
        observation?.dispose()
        #expect(journal.lines == ["disposed"])
        input.sendCompleted()
        #expect(journal.lines == ["disposed"])
        withExtendedLifetime(signal) {}
    }

    /// S4
    @Test func onASignalThatHasEnded() {
        let journal = Journal()
        _ = Self.noting(.empty, journal)
        #expect(journal.lines == ["event INTERRUPTED", "interrupted", "terminated", "disposed"])
    }

    @Test func logOfASignal() {
        let journal = Journal()
        let (signal, input) = Signal<Int, TestError>.pipe()
        signal.logEvents(identifier: "here") { identifier, event, file, function, line in
            let isFullPath = file.hasPrefix("/") && file.hasSuffix("Operators/OnTests.swift")
            journal.note("\(identifier) \(event) \(isFullPath) \(function) \(line > 0)")
        }.observe { _ in }
        input.send(value: 1)
        input.send(error: .first)
        #expect(
            journal.lines
                == ["value 1", "failed first", "terminated", "disposed"].map { "here \($0) true logOfASignal() true" })
    }

    @Test func `The usual log prints a line`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            defaultEventLog(identifier: "here", event: "value 1", fileName: "a", functionName: "b", lineNumber: 2)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output.contains("[here] value 1 fileName: a, functionName: b, lineNumber: 2\n"))
    }

    @Test func logOfAProducer() {
        let journal = Journal()
        @Sendable func log(_: String, _ event: String, _: String, _: String, _: Int) { journal.note(event) }
        let producer = SignalProducer<Int, TestError>([1])
        producer.logEvents(logger: log).start()
        #expect(journal.lines == ["starting", "value 1", "completed", "terminated", "disposed", "started"])
        producer.logEvents(events: [.value, .completed], logger: log).start()
        #expect(journal.lines.dropFirst(6) == ["value 1", "completed"])
        SignalProducer<Int, TestError>.never.logEvents(events: [.interrupted], logger: log).start().dispose()
        #expect(journal.lines.last == "interrupted")
    }

    @Test func logOfAProducerHasTheFullPath() {
        let journal = Journal()
        SignalProducer<Int, TestError>(value: 1)
            .logEvents(events: [.value]) { _, _, file, _, _ in journal.note(file) }
            .start()
        #expect(journal.lines == [#filePath])
    }

    @Test func kindsOfLoggingEvents() {
        #expect(
            Set(LoggingEvent.Signal.allCases.map(\.rawValue))
                == ["value", "completed", "failed", "terminated", "disposed", "interrupted"])
        #expect(
            Set(LoggingEvent.SignalProducer.allCases.map(\.rawValue))
                == ["starting", "started", "value", "completed", "failed", "terminated", "disposed", "interrupted"])
        #expect(LoggingEvent.Signal(rawValue: "value") == .value)
        #expect(LoggingEvent.SignalProducer(rawValue: "nothing") == nil)
        let logger: EventLogger = defaultEventLog
        logger("log", "event", "file", "function", 1)
    }
}
