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

    @Test
    func `An operator that ends before its source delivers the end, and then has the source's resources disposed of`() {
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

    @Test func `An operator's actions at the end run after what follows it, unless its start has yet to return`() {
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

    @Test(arguments: [FlattenStrategy.race, .merge, .latest])
    func `A list ends, although a later round of its first producer ends inside its start`(strategy: FlattenStrategy) {
        let (work, input) = Signal<Int, TestError>.pipe()
        let rounds = Atomic(0)
        let inner = Producer { observer, lifetime in
            let round = rounds.modify { count -> Int in
                count += 1
                return count
            }
            if round == 1 {
                lifetime += work.observe(observer)
            } else {
                observer.send(value: 5)
                observer.sendCompleted()
            }
        }
        let list = Producer(value: 1).flatMap(strategy) { _ in inner }.retry(upTo: 1).concat(value: 9)
        list.start { note($0.description.lowercased()) }
        input.send(error: .first)
        #expect(log.value == ["value 5", "value 9", "completed"])
    }

    @Test func `Starts and sends that a user makes in the callback of an end are not delayed`() {
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
}
