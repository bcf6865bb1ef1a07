import Corinth
import CorinthTesting
import Testing

struct AttemptTests {
    @Sendable static func check(_ value: Int) -> Result<(), TestError> {
        value < 3 ? .success(()) : .failure(.second)
    }

    @Sendable static func describe(_ value: Int) -> Result<String, TestError> {
        check(value).map { "\(value)" }
    }

    @Sendable static func checkOrThrow(_ value: Int) throws { try check(value).get() }

    @Sendable static func describeOrThrow(_ value: Int) throws -> String { try describe(value).get() }

    @Test(arguments: terminations)
    func results(termination: Signal<Int, TestError>.Event) {
        let attempt = Overloads<Int, TestError, Int, TestError>(
            { $0.attempt(Self.check) }, { $0.attempt(Self.check) })
        attempt.expect([.value(1), .value(2), termination], of: [1, 2], then: termination)
        attempt.expect([.value(1), .failed(.second)], of: [1, 3, 2], then: termination)
        attempt.expectEnd(after: [1, 3, 2], gives: [.value(1), .failed(.second)])
        attempt.expectDisposal(after: [1], gives: [.value(1)])
        let mapped = Overloads<Int, TestError, String, TestError>(
            { $0.attemptMap(Self.describe) }, { $0.attemptMap(Self.describe) })
        mapped.expect(
            [.value("1"), termination.map { "\($0)" }], of: [1], then: termination)
        mapped.expect([.value("1"), .failed(.second)], of: [1, 3, 2], then: termination)
        mapped.expectEnd(after: [1, 3, 2], gives: [.value("1"), .failed(.second)])
    }

    @Test func thrownInASourceThatCannotFail() {
        let attempt = Overloads<Int, Never, Int, any Error>(
            { $0.attempt(Self.checkOrThrow) }, { $0.attempt(Self.checkOrThrow) })
        let mapped = Overloads<Int, Never, String, any Error>(
            { $0.attemptMap(Self.describeOrThrow) }, { $0.attemptMap(Self.describeOrThrow) })
        #expect(
            attempt.signalEvents(of: [1, 3, 2], then: .completed).map(\.description) == ["VALUE 1", "FAILED second"])
        #expect(attempt.disposals(after: [1, 3, 2]).events.map(\.description) == ["VALUE 1", "FAILED second"])
        #expect(attempt.disposals(after: [1, 3, 2]).before == 1)
        #expect(
            mapped.signalEvents(of: [1, 3, 2], then: .completed).map(\.description) == ["VALUE 1", "FAILED second"])
        #expect(mapped.disposals(after: [1, 3, 2]).events.map(\.description) == ["VALUE 1", "FAILED second"])
        #expect(
            mapped.producerEvents(of: [1, 2], then: .completed).map(\.description) == [
                "VALUE 1", "VALUE 2", "COMPLETED",
            ])
        #expect(mapped.signalEvents(of: [1], then: .interrupted).map(\.description) == ["VALUE 1", "INTERRUPTED"])
    }

    @Test func thrownInASourceWithAnyError() {
        let attempt = Overloads<Int, any Error, Int, any Error>(
            { $0.attempt(Self.checkOrThrow) }, { $0.attempt(Self.checkOrThrow) })
        let mapped = Overloads<Int, any Error, String, any Error>(
            { $0.attemptMap(Self.describeOrThrow) }, { $0.attemptMap(Self.describeOrThrow) })
        let ended = ["VALUE 1", "FAILED second"]
        #expect(attempt.signalEvents(of: [1, 3, 2], then: .completed).map(\.description) == ended)
        #expect(attempt.producerEvents(of: [1, 3, 2], then: .completed).map(\.description) == ended)
        #expect(mapped.signalEvents(of: [1, 3, 2], then: .completed).map(\.description) == ended)
        #expect(mapped.producerEvents(of: [1, 3, 2], then: .completed).map(\.description) == ended)
        #expect(mapped.signalEvents(of: [], then: .failed(TestError.first)).map(\.description) == ["FAILED first"])
        #expect(mapped.disposals(after: [1, 3]).before == 1)
    }

    /// The closure isn't called again after it has failed, even if the source continues.
    @Test func isNotCalledAgain() {
        let calls = Atomic(0)
        let source = SignalProducer<Int, TestError> { observer, _ in
            for value in 1...5 { observer.send(value: value) }
        }
        source.attempt { value in
            calls.modify { $0 += 1 }
            return Self.check(value + 1)
        }.start()
        #expect(calls.value == 2)
    }
}
