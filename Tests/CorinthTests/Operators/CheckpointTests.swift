import Corinth
import CorinthTesting
import Testing

struct CheckpointTests {
    /// An error type that stores its own breadcrumbs.
    struct Kept: CheckpointRecording, Equatable {
        var labels: [String] = []
        mutating func record(_ checkpoint: Checkpoint) { labels.append(checkpoint.label) }
    }

    @Test func addsBreadcrumbsToTheFailure() {
        let overloads = Overloads<Int, TestError, Int, CheckpointFailure<TestError>>(
            { $0.checkpoint("a", file: "F", line: 1).checkpoint("b", file: "F", line: 2) },
            { $0.checkpoint("a", file: "F", line: 1).checkpoint("b", file: "F", line: 2) })
        let trail = [Checkpoint("a", file: "F", line: 1), Checkpoint("b", file: "F", line: 2)]
        overloads.expect(
            [.value(1), .failed(CheckpointFailure(.second, trail: trail))], of: [1], then: .failed(.second))
        overloads.expect([.value(1), .completed], of: [1], then: .completed)
        overloads.expect([.value(1), .interrupted], of: [1], then: .interrupted)
        overloads.expectDisposal(after: [1], gives: [.value(1)])
    }

    /// If the error type can store breadcrumbs, the type stays the same.
    @Test func staysInTheErrorThatKeepsIt() {
        let overloads = Overloads<Int, Kept, Int, Kept>(
            { $0.checkpoint("a").map { $0 }.checkpoint("b") }, { $0.checkpoint("a").map { $0 }.checkpoint("b") })
        overloads.expect([.failed(Kept(labels: ["a", "b"]))], of: [], then: .failed(Kept()))
    }

    @Test func anyError() throws {
        let overloads = Overloads<Int, any Error, Int, any Error>(
            { $0.checkpoint("a").checkpoint("b") }, { $0.checkpoint("a").checkpoint("b") })
        for events in [
            overloads.signalEvents(of: [1], then: .failed(TestError.first)),
            overloads.producerEvents(of: [1], then: .failed(TestError.first)),
        ] {
            #expect(events.first?.value == 1)
            let failure = try #require(events.last?.error as? CheckpointFailure<any Error>)
            #expect(failure.underlying as? TestError == .first)
            #expect(failure.trail.map(\.label) == ["a", "b"])
        }
        let kept = overloads.signalEvents(of: [], then: .failed(Kept())).first?.error
        #expect(kept as? Kept == Kept(labels: ["a", "b"]))
        let typed = CheckpointFailure(TestError.first, trail: [Checkpoint("o")])
        let continued = overloads.signalEvents(of: [], then: .failed(typed)).first?.error
        #expect((continued as? CheckpointFailure<TestError>)?.trail.map(\.label) == ["o", "a", "b"])
    }

    @Test func streamsThatCannotFailKeepTheirType() {
        let signal: Signal<Int, Never> = .never
        #expect(signal.checkpoint("a") === signal)
        let producer: SignalProducer<Int, Never> = SignalProducer<Int, Never>([1]).checkpoint("a").map { $0 + 1 }
        let recorder = EventRecorder<Int, Never>()
        producer.start(recorder.observer)
        #expect(recorder.events == [.value(2), .completed])
    }

    @Test func `S2 and P1: each failure has its own breadcrumbs`() {
        let producer = SignalProducer<Int, TestError>(error: .first).checkpoint("a")
        for _ in 0..<2 {
            let recorder = EventRecorder<Int, CheckpointFailure<TestError>>()
            producer.start(recorder.observer)
            #expect(recorder.events.last?.error?.trail.map(\.label) == ["a"])
        }
    }

    @Test func description() {
        let failure = CheckpointFailure(
            TestError.first,
            trail: [
                Checkpoint("load", file: "App/Store.swift", line: 12), Checkpoint("", file: "App/A.swift", line: 3),
            ])
        #expect("\(failure)" == "first, by way of load (App/Store.swift:12), App/A.swift:3")
        #expect("\(CheckpointFailure(TestError.first))" == "first")
        let here = Checkpoint("here")
        #expect(here.file == "CorinthTests/CheckpointTests.swift")
        #expect(here.line == #line - 2)
    }

    @Test func whereItIsCalled() {
        let recorder = EventRecorder<Int, CheckpointFailure<TestError>>()
        SignalProducer<Int, TestError>(error: .first).checkpoint().start(recorder.observer)
        #expect(recorder.events.last?.error?.trail == [Checkpoint("", file: #fileID, line: #line - 1)])
    }
}
