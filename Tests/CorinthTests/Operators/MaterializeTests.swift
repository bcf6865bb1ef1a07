import Corinth
import CorinthTesting
import Testing

struct MaterializeTests {
    typealias Event = Signal<Int, TestError>.Event

    let events = Overloads<Int, TestError, Event, Never>({ $0.materialize() }, { $0.materialize() })
    let results = Overloads<Int, TestError, Result<Int, TestError>, Never>(
        { $0.materializeResults() }, { $0.materializeResults() })

    @Test func eventsAsValues() {
        events.expect([.value(.value(1)), .value(.completed), .completed], of: [1], then: .completed)
        events.expect([.value(.value(1)), .value(.failed(.first)), .completed], of: [1], then: .failed(.first))
        events.expect([.value(.value(1)), .value(.interrupted), .interrupted], of: [1], then: .interrupted)
        events.expectDisposal(after: [1], gives: [.value(.value(1)), .value(.interrupted)])
    }

    @Test func resultsAsValues() {
        results.expect([.value(.success(1)), .completed], of: [1], then: .completed)
        results.expect(
            [.value(.success(1)), .value(.failure(.first)), .completed], of: [1], then: .failed(.first))
        results.expect([.value(.success(1)), .interrupted], of: [1], then: .interrupted)
        results.expectDisposal(after: [1], gives: [.value(.success(1))])
    }

    @Test(arguments: terminations)
    func thereAndBack(termination: Event) {
        let throughEvents = Overloads<Int, TestError, Int, TestError>(
            { $0.materialize().dematerialize() }, { $0.materialize().dematerialize() })
        let throughResults = Overloads<Int, TestError, Int, TestError>(
            { $0.materializeResults().dematerializeResults() }, { $0.materializeResults().dematerializeResults() })
        for overloads in [throughEvents, throughResults] {
            overloads.expect([.value(1), .value(2), termination], of: [1, 2], then: termination)
            overloads.expectDisposal(after: [1], gives: [.value(1)])
        }
    }

    @Test func endsWithAnEventThatDoes() {
        let overloads = Overloads<Event, Never, Int, TestError>({ $0.dematerialize() }, { $0.dematerialize() })
        for termination in terminations {
            overloads.expect(
                [.value(1), termination], of: [.value(1), termination, .value(2), .completed], then: .interrupted)
            overloads.expectEnd(after: [.value(1), termination, .value(2)], gives: [.value(1), termination])
        }
        overloads.expect([.value(1), .completed], of: [.value(1)], then: .completed)
        overloads.expect([.value(1), .interrupted], of: [.value(1)], then: .interrupted)
        overloads.expectDisposal(after: [.value(1)], gives: [.value(1)])
    }

    @Test func endsWithTheFirstFailure() {
        let overloads = Overloads<Result<Int, TestError>, Never, Int, TestError>(
            { $0.dematerializeResults() }, { $0.dematerializeResults() })
        let values: [Result<Int, TestError>] = [.success(1), .failure(.second), .success(2), .failure(.first)]
        overloads.expect([.value(1), .failed(.second)], of: values, then: .completed)
        overloads.expectEnd(after: values, gives: [.value(1), .failed(.second)])
        overloads.expect([.value(1), .interrupted], of: [.success(1)], then: .interrupted)
        overloads.expectDisposal(after: [.success(1)], gives: [.value(1)])
    }
}
