import Corinth
import Testing

@Suite("Event")
struct EventTests {
    typealias Event = Signal<Int, TestError>.Event

    @Test func `An event answers queries about its kind, value and error`() {
        let events: [Event] = [.value(1), .failed(.first), .completed, .interrupted]
        #expect(events.map(\.isTerminating) == [false, true, true, true])
        #expect(events.map(\.isCompleted) == [false, false, true, false])
        #expect(events.map(\.value) == [1, nil, nil, nil])
        #expect(events.map(\.error) == [nil, .first, nil, nil])
        #expect(events.map(\.description) == ["VALUE 1", "FAILED first", "COMPLETED", "INTERRUPTED"])
        #expect(events.map(\.event) == events)
    }

    @Test func `Events are equal if their kinds, values and errors are equal`() {
        let events: [Event] = [.value(1), .value(2), .failed(.first), .failed(.second), .completed, .interrupted]
        for (row, left) in events.enumerated() {
            for (column, right) in events.enumerated() { #expect((left == right) == (row == column)) }
        }
    }

    @Test func `map and mapError transform values and errors; other events stay the same`() {
        #expect(Event.value(1).map { "\($0)" } == .value("1"))
        #expect(Event.failed(.first).map { "\($0)" } == .failed(.first))
        #expect(Event.completed.map { "\($0)" } == .completed)
        #expect(Event.interrupted.map { "\($0)" } == .interrupted)
        #expect(Event.failed(.first).mapError { _ in TestError.second } == .failed(.second))
        #expect(Event.value(1).mapError { _ in TestError.second } == .value(1))
        #expect(Event.completed.mapError { _ in TestError.second } == .completed)
        #expect(Event.interrupted.mapError { _ in TestError.second } == .interrupted)
    }

    @Test func `A subclass of Observer must override the methods that are called`() async {
        await #expect(processExitsWith: .failure) { Observer<Int, Never>().receive(1) }
        await #expect(processExitsWith: .failure) { Observer<Int, Never>().terminate(.completed) }
    }
}
