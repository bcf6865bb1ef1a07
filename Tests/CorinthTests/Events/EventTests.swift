import Corinth
import Testing

@Suite("Event")
struct EventTests {
    typealias Event = Signal<Int, TestError>.Event

    @Test("What an event is")
    func queries() {
        let events: [Event] = [.value(1), .failed(.first), .completed, .interrupted]
        #expect(events.map(\.isTerminating) == [false, true, true, true])
        #expect(events.map(\.isCompleted) == [false, false, true, false])
        #expect(events.map(\.value) == [1, nil, nil, nil])
        #expect(events.map(\.error) == [nil, .first, nil, nil])
        #expect(events.map(\.description) == ["VALUE 1", "FAILED first", "COMPLETED", "INTERRUPTED"])
        #expect(events.map(\.event) == events)
    }

    @Test("Events are equal if they are of a kind, and so are their values and errors")
    func equality() {
        let events: [Event] = [.value(1), .value(2), .failed(.first), .failed(.second), .completed, .interrupted]
        for (row, left) in events.enumerated() {
            for (column, right) in events.enumerated() { #expect((left == right) == (row == column)) }
        }
    }

    @Test("Values and errors are transformed, the rest stays")
    func mapping() {
        #expect(Event.value(1).map { "\($0)" } == .value("1"))
        #expect(Event.failed(.first).map { "\($0)" } == .failed(.first))
        #expect(Event.completed.map { "\($0)" } == .completed)
        #expect(Event.interrupted.map { "\($0)" } == .interrupted)
        #expect(Event.failed(.first).mapError { _ in TestError.second } == .failed(.second))
        #expect(Event.value(1).mapError { _ in TestError.second } == .value(1))
        #expect(Event.completed.mapError { _ in TestError.second } == .completed)
        #expect(Event.interrupted.mapError { _ in TestError.second } == .interrupted)
    }

    @Test("An observer that is subclassed must override what it is called for")
    func abstractObserver() async {
        await #expect(processExitsWith: .failure) { Observer<Int, Never>().receive(1) }
        await #expect(processExitsWith: .failure) { Observer<Int, Never>().terminate(.completed) }
    }
}
