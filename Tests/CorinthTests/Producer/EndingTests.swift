import Corinth
import CorinthTesting
import Testing

/// The order of events when a source ends: the end itself, the disposal of what the source held, and the next start.
struct EndingTests {
    private typealias Producer = SignalProducer<Int, TestError>

    private let log = Atomic<[String]>([])

    private func note(_ entry: String) { log.modify { $0.append(entry) } }

    /// Sends a number and completes, at once or when `ends` does.
    private func source(_ number: Int, until ends: Signal<(), Never>? = nil) -> Producer {
        Producer { [log] observer, lifetime in
            log.modify { $0.append("start \(number)") }
            lifetime.observeEnded { log.modify { $0.append("release \(number)") } }
            observer.send(value: number)
            if let ends {
                lifetime += ends.observeCompleted { observer.sendCompleted() }
            } else {
                observer.sendCompleted()
            }
        }
    }

    /// Records the order of events in a start, for a source that ends at once and for one that ends later.
    private func order(_ make: (Producer, Producer) -> Producer) -> [[String]] {
        [false, true].map { isLater in
            log.value = []
            let (ends, input) = Signal<(), Never>.pipe()
            let handle = make(source(1, until: isLater ? ends : nil), source(2)).start {
                note($0.description.lowercased())
            }
            if isLater { input.sendCompleted() }
            handle.dispose()
            return log.value
        }
    }

    /// The first one ends inside its start; the second one, too, so that the list of the two ends after its start.
    private static let atOnce = ["start 1", "value 1", "release 1", "start 2", "value 2", "release 2", "completed"]

    /// The first one ends later: everything that follows is inside that end.
    private static let later = ["start 1", "value 1", "start 2", "value 2", "completed", "release 2", "release 1"]

    @Test("concat, prefix and flatten start the next producer when the start of the previous one has returned")
    func concat() {
        #expect(order { $0.concat($1) } == [Self.atOnce, Self.later])
        #expect(order { $1.prefix($0) } == [Self.atOnce, Self.later])
        #expect(order { Producer.never.take(first: 0).concat($0).concat($1) } == [Self.atOnce, Self.later])
        #expect(order { SignalProducer<Producer, TestError>([$0, $1]).flatten(.concat) } == [Self.atOnce, Self.later])
        #expect(
            order { SignalProducer([$0, $1]).flatMap(.concurrent(limit: 1)) { $0.map { $0 }.take(first: 5) } }
                == [Self.atOnce, Self.later])
    }

    @Test("merge completes inside the end of its last source, or when all have been started")
    func merge() {
        let later = ["start 1", "value 1", "start 2", "value 2", "release 2", "completed", "release 1"]
        #expect(order { Producer.merge($0, $1) } == [Self.atOnce, later])
        #expect(order { SignalProducer([$0, $1]).flatten(.merge) } == [Self.atOnce, later])
        #expect(order { $0.merge(with: $1) } == [Self.atOnce, later])
    }

    @Test("An operator that ends before its source delivers the end, and then has the source's resources disposed of")
    func endingBeforeTheSource() {
        let operators: [(Producer) -> Producer] = [
            { $0.take(first: 1) }, { $0.take(while: { $0 > 1 }) }, { $0.take(until: { $0 > 1 }) },
            { $0.attempt { _ in .failure(.first) } },
        ]
        for make in operators {
            log.value = []
            let scheduler = TestScheduler()
            let (never, input) = Signal<(), Never>.pipe()
            // After the hop, so that the source isn't sending when the operator ends.
            make(source(1, until: never).observe(on: scheduler)).start { if $0.isTerminating { note("end") } }
            scheduler.run()
            #expect(log.value == ["start 1", "end", "release 1"])
            input.sendCompleted()
        }
    }

    @Test("An operator's actions at the end run after what follows it, unless its start has yet to return")
    func operators() {
        let marked = order { first, second in first.on(disposed: { note("disposed") }).concat(second) }
        #expect(marked[0].prefix(5) == ["start 1", "value 1", "disposed", "release 1", "start 2"])
        #expect(marked[1].suffix(4) == ["completed", "release 2", "disposed", "release 1"])
        let cleaned = order { first, second in first.finally { note("disposed") }.concat(second) }
        #expect(cleaned[0].prefix(5) == ["start 1", "value 1", "disposed", "release 1", "start 2"])
        // An operator that may end before its source ends the source after the end of its own.
        for events in order({ first, _ in first.take(while: { _ in true }) }) {
            #expect(events == ["start 1", "value 1", "completed", "release 1"])
        }
        log.value = []
        Producer(value: 1).on(disposed: { note("disposed") }).concat(source(2)).start()
        #expect(log.value == ["disposed", "start 2", "release 2"])
    }

    @Test("Starts and sends that a user makes in the callback of an end are not delayed")
    func fromCallbacks() {
        let (output, input) = Signal<Producer, TestError>.pipe()
        output.flatten(.concat).observe { note("flattened \($0.description.lowercased())") }
        source(1).on(completed: {
            source(3).concat(source(4)).start()
            note("started")
            input.send(value: source(5))
            note("sent")
        }).start()
        #expect(
            log.value == [
                "start 1", "start 3", "release 3", "start 4", "release 4", "started", "start 5", "flattened value 5",
                "release 5", "sent", "release 1",
            ])
    }

    @Test("then, repeat, retry and flatMapError start the next producer inside the end")
    func inside() {
        for events in order({ $0.then($1) }) {
            #expect(events == ["start 1", "start 2", "value 2", "completed", "release 2", "release 1"])
        }
        let recovered = order { first, second in first.concat(error: .first).flatMapError { _ in second } }
        #expect(
            recovered == [
                ["start 1", "value 1", "release 1", "start 2", "value 2", "completed", "release 2"], Self.later,
            ])
    }

    @Test("combineLatest and zip complete with their last source, and dispose of its resources then")
    func joins() {
        let expected = ["start 1", "release 1", "start 2", "value 3", "completed", "release 2"]
        #expect(order { $0.combineLatest(with: $1).map { $0 + $1 } }.first == expected)
        #expect(order { $0.zip(with: $1).map { $0 + $1 } }.first == expected)
    }
}
