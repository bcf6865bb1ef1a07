@testable import Corinth
import CorinthTesting
import Testing

/// A zip with a capacity for the values of each source that have no partner yet.
struct ZipBufferingTests {
    private struct Zipped {
        let recorder = EventRecorder<String, TestError>()
        let statistics = BufferStatistics()
        let a: Signal<Int, TestError>.Observer
        let b: Signal<String, TestError>.Observer

        init(_ policy: BufferingPolicy<TestError>, asProducer: Bool) {
            let (first, a) = Signal<Int, TestError>.pipe()
            let (second, b) = Signal<String, TestError>.pipe()
            self.a = a
            self.b = b
            if asProducer {
                SignalProducer(first).zip(with: second, bufferingPolicy: policy, statistics: statistics)
                    .map { "\($0)\($1)" }.start(recorder.observer)
            } else {
                first.zip(with: second, bufferingPolicy: policy, statistics: statistics)
                    .map { "\($0)\($1)" }.observe(recorder.observer)
            }
        }
    }

    @Test(arguments: [false, true])
    func dropNewest(asProducer: Bool) {
        let zipped = Zipped(.dropNewest(capacity: 2), asProducer: asProducer)
        for value in 1...5 { zipped.a.send(value: value) }
        for value in ["a", "b", "c", "d", "e", "f"] { zipped.b.send(value: value) }
        zipped.a.send(value: 6)
        zipped.a.send(value: 7)
        #expect(zipped.recorder.values == ["1a", "2b", "6c", "7d"])
        zipped.statistics.expect(sent: 13, delivered: 8, dropped: 5)
    }

    @Test(arguments: [false, true])
    func dropOldest(asProducer: Bool) {
        let zipped = Zipped(.dropOldest(capacity: 2), asProducer: asProducer)
        for value in 1...5 { zipped.a.send(value: value) }
        for value in ["a", "b", "c", "d", "e", "f"] { zipped.b.send(value: value) }
        zipped.a.send(value: 6)
        zipped.a.send(value: 7)
        #expect(zipped.recorder.values == ["4a", "5b", "6e", "7f"])
        zipped.statistics.expect(sent: 13, delivered: 8, dropped: 5)
    }

    @Test func latest() {
        let zipped = Zipped(.latest, asProducer: false)
        for value in 1...5 { zipped.a.send(value: value) }
        zipped.b.send(value: "a")
        #expect(zipped.recorder.values == ["5a"])
        zipped.statistics.expect(sent: 6, delivered: 2, dropped: 4)
    }

    @Test(arguments: [false, true])
    func `E6: it fails at once, and drops the buffered values`(asProducer: Bool) {
        let zipped = Zipped(.failing(capacity: 2, with: .second), asProducer: asProducer)
        zipped.a.send(value: 1)
        zipped.b.send(value: "a")
        for value in 2...5 { zipped.a.send(value: value) }
        zipped.b.send(value: "b")
        #expect(zipped.recorder.events == [.value("1a"), .failed(.second)])
        // Events after the end reach no observer.
        zipped.statistics.expect(sent: 5, delivered: 2, dropped: 3)
    }

    @Test func unboundedIsCounted() {
        let zipped = Zipped(.unbounded, asProducer: false)
        for value in 0..<1000 { zipped.a.send(value: value) }
        zipped.b.send(value: "a")
        zipped.statistics.expect(sent: 1001, delivered: 2, dropped: 0)
        #expect(zipped.statistics.waiting == 999)
    }

    /// A completion waits for the buffered values. Values that then have no partner are dropped.
    @Test(arguments: [false, true])
    func completion(asProducer: Bool) {
        let zipped = Zipped(.dropNewest(capacity: 3), asProducer: asProducer)
        zipped.a.send(value: 1)
        zipped.a.send(value: 2)
        zipped.a.sendCompleted()
        #expect(zipped.recorder.events.isEmpty)
        zipped.b.send(value: "a")
        zipped.b.send(value: "b")
        #expect(zipped.recorder.events == [.value("1a"), .value("2b"), .completed])
        zipped.statistics.expect(sent: 4, delivered: 4, dropped: 0)
    }

    @Test(arguments: terminations, [false, true])
    func bufferedValuesAreCounted(termination: Signal<Int, TestError>.Event, asProducer: Bool) {
        let zipped = Zipped(.dropNewest(capacity: 3), asProducer: asProducer)
        for value in 1...4 { zipped.a.send(value: value) }
        zipped.b.send(termination.map { "\($0)" })
        #expect(zipped.recorder.events.count == 1)
        zipped.statistics.expect(sent: 4, delivered: 0, dropped: 4)
    }

    @Test func `P1, P2: each start has its own buffers, and a disposal counts the buffered values`() {
        let statistics = BufferStatistics()
        let leaks = LeakCounter()
        let (signal, input) = Signal<LeakCounter.Token, TestError>.pipe()
        let producer = SignalProducer(signal)
            .zip(
                with: SignalProducer<Int, TestError>.never, bufferingPolicy: .dropOldest(capacity: 3),
                statistics: statistics)
        let starts = (0..<2).map { _ in producer.start() }
        for _ in 0..<10 { input.send(value: leaks.token()) }
        #expect(leaks.count == 3)
        #expect(statistics.sent == 20 && statistics.dropped == 14)
        for start in starts { start.dispose() }
        #expect(leaks.count == 0)
        #expect(statistics.dropped == 20 && statistics.waiting == 0)
    }

    @Test func `S3: a signal that can't be observed any more`() {
        let statistics = BufferStatistics()
        let leaks = LeakCounter()
        let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
        do {
            let zipped = signal.zip(
                with: Signal<Int, Never>.never, bufferingPolicy: .dropOldest(capacity: 3), statistics: statistics)
            let observation = zipped.observeValues { _ in }
            for _ in 0..<5 { input.send(value: leaks.token()) }
            #expect(leaks.count == 3)
            observation?.dispose()
        }
        #expect(leaks.count == 0)
        #expect(statistics.sent == 5 && statistics.dropped == 5)
    }

    @Test func sequences() {
        let inputs = (0..<3).map { _ in Signal<Int, TestError>.pipe() }
        let recorders = (0..<2).map { _ in EventRecorder<[Int], TestError>() }
        let statistics = BufferStatistics()
        Signal.zip(inputs.map(\.output), bufferingPolicy: .dropOldest(capacity: 1), statistics: statistics)
            .observe(recorders[0].observer)
        SignalProducer.zip(inputs.map { SignalProducer($0.output) }, bufferingPolicy: .dropOldest(capacity: 1))
            .start(recorders[1].observer)
        for value in 0..<4 {
            inputs[0].input.send(value: value)
            if value > 1 { inputs[1].input.send(value: value + 10) }
        }
        inputs[2].input.send(value: 20)
        for recorder in recorders { #expect(recorder.events == [.value([3, 13, 20])]) }
        #expect(statistics.sent == 7 && statistics.delivered == 3 && statistics.dropped == 4)
        // An optimised build releases them after their last use, which interrupts their streams.
        withExtendedLifetime(inputs) {}
        let none: [Signal<Int, TestError>] = []
        let empty = EventRecorder<[Int], TestError>()
        Signal.zip(none, bufferingPolicy: .latest).observe(empty.observer)
        #expect(empty.events == [.interrupted])
    }
}
