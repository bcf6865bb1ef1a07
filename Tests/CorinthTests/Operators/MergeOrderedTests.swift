@testable import Corinth
import CorinthTesting
import Foundation
import Testing

/// `merge(ordered:)`: the values of several ordered streams, in order.
struct MergeOrderedTests {
    /// A value with a key, and where it came from.
    private struct Entry: Equatable {
        let key: Int
        let source: Int
        var number = 0

        static func isInOrder(_ left: Entry, _ right: Entry) -> Bool { left.key < right.key }
    }

    /// A merge of several pipes, as a signal or as a producer.
    private struct Merged {
        let recorder = EventRecorder<Int, TestError>()
        let statistics = BufferStatistics()
        let inputs: [Signal<Int, TestError>.Observer]
        let observation: (any Disposable)?

        init(
            _ count: Int, _ policy: BufferingPolicy<TestError> = .unbounded, asProducer: Bool,
            by areInIncreasingOrder: @escaping @Sendable (Int, Int) -> Bool = { $0 < $1 }
        ) {
            let pipes = (0..<count).map { _ in Signal<Int, TestError>.pipe() }
            inputs = pipes.map(\.input)
            let signals = pipes.map(\.output)
            if asProducer {
                observation = SignalProducer.merge(
                    ordered: signals, bufferingPolicy: policy, statistics: statistics, by: areInIncreasingOrder
                ).start(recorder.observer)
            } else {
                observation = Signal.merge(
                    ordered: signals, bufferingPolicy: policy, statistics: statistics, by: areInIncreasingOrder
                ).observe(recorder.observer)
            }
        }
    }

    @Test func marbles() {
        let lines: [Marbles] = ["1---4-----6-|", "--2---3-5--|"]
        let scheduler = TestScheduler()
        let recorders = [
            scheduler.record(Signal.merge(ordered: lines.map { scheduler.hot($0) })),
            scheduler.record(SignalProducer.merge(ordered: lines.map { scheduler.cold($0) })),
        ]
        scheduler.run()
        for recorder in recorders { #expect(recorder.marbles == "--1-2-3-4-56|") }
    }

    @Test(arguments: [false, true])
    func `Values are sent as soon as no stream can send a smaller one`(asProducer: Bool) {
        let merged = Merged(3, asProducer: asProducer)
        for value in [1, 4, 9] { merged.inputs[0].send(value: value) }
        for value in [2, 3] { merged.inputs[2].send(value: value) }
        #expect(merged.recorder.events.isEmpty)
        merged.inputs[1].send(value: 3)
        #expect(merged.recorder.values == [1, 2, 3])
        merged.inputs[1].send(value: 5)
        #expect(merged.recorder.values == [1, 2, 3, 3])
        merged.inputs[2].sendCompleted()
        #expect(merged.recorder.values == [1, 2, 3, 3, 4, 5])
        merged.inputs[0].sendCompleted()
        #expect(merged.recorder.events.count == 6)
        merged.inputs[1].sendCompleted()
        #expect(merged.recorder.values == [1, 2, 3, 3, 4, 5, 9])
        #expect(merged.recorder.termination == .completed)
        merged.statistics.expect(sent: 7, delivered: 7, dropped: 0)
    }

    /// Also if the number of streams isn't a power of 2.
    @Test(arguments: 1...9)
    func `Of equal values, that of an earlier stream is sent first`(count: Int) {
        let pipes = (0..<count).map { _ in Signal<Entry, Never>.pipe() }
        let recorder = EventRecorder<Entry, Never>()
        Signal.merge(ordered: pipes.map(\.output), by: Entry.isInOrder).observe(recorder.observer)
        for (source, pipe) in pipes.enumerated().reversed() {
            for number in 0..<3 { pipe.input.send(value: Entry(key: number / 2, source: source, number: number)) }
            pipe.input.sendCompleted()
        }
        let expected = [0...1, 2...2].flatMap { numbers in
            (0..<count).flatMap { source in numbers.map { Entry(key: $0 / 2, source: source, number: $0) } }
        }
        #expect(recorder.values == expected)
        #expect(recorder.termination == .completed)
    }

    @Test func otherOrders() {
        let descending = [[9, 4, 2], [7, 5], []].map { SignalProducer<Int, Never>($0) }
        let recorder = EventRecorder<Int, Never>()
        SignalProducer.merge(ordered: descending, by: >).start(recorder.observer)
        #expect(recorder.events == [9, 7, 5, 4, 2].map { .value($0) } + [.completed])
    }

    @Test(arguments: [false, true])
    func `A value that breaks the order of its stream is sent when it is the smallest of the next ones`(
        asProducer: Bool
    ) {
        let merged = Merged(2, asProducer: asProducer)
        for value in [5, 1, 6] { merged.inputs[0].send(value: value) }
        for value in [2, 7] { merged.inputs[1].send(value: value) }
        #expect(merged.recorder.values == [2, 5, 1, 6])
    }

    @Test func withoutStreams() {
        let none: [SignalProducer<Int, Never>] = []
        let recorder = EventRecorder<Int, Never>()
        SignalProducer.merge(ordered: none).start(recorder.observer)
        #expect(recorder.events == [.completed])
        let late = EventRecorder<Int, Never>()
        Signal.merge(ordered: [Signal<Int, Never>]()).observe(late.observer)
        #expect(late.events == [.interrupted])
    }

    // MARK: Ends

    @Test(arguments: [Signal<Int, TestError>.Event.failed(.first), .interrupted], [false, true])
    func `E6: it fails or is interrupted at once, and drops what waits`(
        termination: Signal<Int, TestError>.Event, asProducer: Bool
    ) {
        let merged = Merged(3, asProducer: asProducer)
        for value in 1...3 { merged.inputs[0].send(value: value) }
        merged.inputs[1].sendCompleted()
        merged.inputs[2].send(termination)
        merged.inputs[0].sendCompleted()
        #expect(merged.recorder.events == [termination])
        merged.statistics.expect(sent: 3, delivered: 0, dropped: 3)
    }

    @Test(arguments: [false, true])
    func `A stream that completes without a value holds nothing up`(asProducer: Bool) {
        let merged = Merged(3, asProducer: asProducer)
        merged.inputs[0].sendCompleted()
        merged.inputs[1].send(value: 2)
        merged.inputs[2].sendCompleted()
        #expect(merged.recorder.events == [.value(2)])
        merged.inputs[1].send(value: 3)
        merged.inputs[1].sendCompleted()
        #expect(merged.recorder.events == [.value(2), .value(3), .completed])
    }

    @Test func `P2, E7: a disposal between values that are sent together ends at once`() {
        let ends = [Signal<Int, TestError>.Event.completed, .value(9)]
        for end in ends {
            for asProducer in [false, true] {
                let pipes = (0..<2).map { _ in Signal<Int, TestError>.pipe() }
                let (recorder, statistics) = (EventRecorder<Int, TestError>(), BufferStatistics())
                let serial = SerialDisposable()
                let note = { @Sendable (event: Signal<Int, TestError>.Event) in
                    recorder.observer.send(event)
                    if event.value == 2 { serial.dispose() }
                }
                let signals = pipes.map(\.output)
                serial.inner =
                    asProducer
                    ? SignalProducer.merge(ordered: signals, statistics: statistics).start(note)
                    : Signal.merge(ordered: signals, statistics: statistics).observe(note)
                for value in 1...5 { pipes[0].input.send(value: value) }
                if case .completed = end { pipes[0].input.sendCompleted() }
                pipes[1].input.send(end)
                #expect(recorder.events == [.value(1), .value(2)] + (asProducer ? [.interrupted] : []))
                #expect(statistics.delivered == 2 && statistics.waiting == 0)
                withExtendedLifetime(pipes) {}
            }
        }
    }

    @Test func `E5: a value that is sent inside a callback is sent after the ones that don't wait`() {
        let pipes = (0..<2).map { _ in Signal<Int, Never>.pipe() }
        let recorder = EventRecorder<Int, Never>()
        let merged = Signal.merge(ordered: pipes.map(\.output))
        merged.observeValues { if $0 == 1 { pipes[1].input.send(value: 4) } }
        merged.observe(recorder.observer)
        for value in [1, 2, 5] { pipes[0].input.send(value: value) }
        pipes[1].input.send(value: 3)
        #expect(recorder.values == [1, 2, 3, 4])
    }

    @Test func `S3: it holds nothing when it can't be observed any more`() {
        let leaks = LeakCounter()
        let pipes = (0..<2).map { _ in Signal<(Int, LeakCounter.Token), Never>.pipe() }
        do {
            let merged = Signal.merge(ordered: pipes.map(\.output), bufferingPolicy: .dropOldest(capacity: 3)) {
                $0.0 < $1.0
            }
            let observation = merged.observeValues { _ in }
            for value in 1...5 { pipes[0].input.send(value: (value, leaks.token())) }
            #expect(leaks.count == 3)
            observation?.dispose()
        }
        #expect(leaks.count == 0)
        withExtendedLifetime(pipes) {}
    }

    // MARK: Policies

    @Test(arguments: [false, true])
    func dropNewest(asProducer: Bool) {
        let merged = Merged(2, .dropNewest(capacity: 2), asProducer: asProducer)
        for value in 1...5 { merged.inputs[0].send(value: value) }
        merged.inputs[1].send(value: 9)
        #expect(merged.recorder.values == [1, 2])
        merged.statistics.expect(sent: 6, delivered: 2, dropped: 3)
    }

    @Test(arguments: [false, true])
    func dropOldest(asProducer: Bool) {
        let merged = Merged(4, .dropOldest(capacity: 2), asProducer: asProducer)
        for (source, value) in [1, 2, 3, 4].enumerated() { merged.inputs[source].send(value: value) }
        #expect(merged.recorder.values == [1])
        // The order of the others changes while they wait for the first.
        for value in [7, 9] { merged.inputs[1].send(value: value) }
        for value in [8, 10] { merged.inputs[2].send(value: value) }
        merged.inputs[0].send(value: 5)
        #expect(merged.recorder.values == [1, 4])
        merged.inputs[3].send(value: 11)
        #expect(merged.recorder.values == [1, 4, 5])
        merged.inputs[0].send(value: 12)
        #expect(merged.recorder.values == [1, 4, 5, 7, 8, 9])
        merged.statistics.expect(sent: 11, delivered: 6, dropped: 2)
    }

    @Test(arguments: [false, true])
    func `E6: an overflow fails it at once`(asProducer: Bool) {
        let merged = Merged(2, .failing(capacity: 2, with: .second), asProducer: asProducer)
        for value in 1...5 { merged.inputs[0].send(value: value) }
        #expect(merged.recorder.events == [.failed(.second)])
        merged.statistics.expect(sent: 3, delivered: 0, dropped: 3)
    }

    // MARK: Any order of events

    private static let policies: [BufferingPolicy<TestError>] = [
        .unbounded, .dropNewest(capacity: 2), .dropOldest(capacity: 2), .latest, .failing(capacity: 4, with: .first),
    ]

    /// What should come out: a plain queue for each source, and a search for the smallest head.
    private struct Model {
        var queues: [[Entry]]
        var active: Set<Int>
        var events: [Signal<Entry, TestError>.Event] = []
        let policy: BufferingPolicy<TestError>

        init(_ count: Int, _ policy: BufferingPolicy<TestError>) {
            queues = Array(repeating: [], count: count)
            active = Set(0..<count)
            self.policy = policy
        }

        mutating func apply(_ entry: Entry) {
            if events.last?.isTerminating == true { return }
            if queues[entry.source].count < policy.bound.capacity {
                queues[entry.source].append(entry)
            } else if let failure = policy.failure {
                events.append(.failed(failure))
                return
            } else if policy.bound.dropsOldest {
                queues[entry.source].removeFirst()
                queues[entry.source].append(entry)
            }
            send()
        }

        mutating func complete(_ source: Int) {
            if events.last?.isTerminating == true { return }
            active.remove(source)
            send()
            if active.isEmpty { events.append(.completed) }
        }

        private mutating func send() {
            while active.allSatisfy({ !queues[$0].isEmpty }) {
                let heads = queues.compactMap(\.first)
                guard let smallest = heads.map(\.key).min() else { return }
                let next = heads.first { $0.key == smallest }!
                queues[next.source].removeFirst()
                events.append(.value(next))
            }
        }
    }

    @Test(arguments: policies.indices)
    func `It does what a plain search does`(policy: Int) {
        let policy = Self.policies[policy]
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            let count = Int.random(in: 1...9, using: &generator)
            let pipes = (0..<count).map { _ in Signal<Entry, TestError>.pipe() }
            let (ofSignal, ofProducer) = (EventRecorder<Entry, TestError>(), EventRecorder<Entry, TestError>())
            let signals = pipes.map(\.output)
            Signal.merge(ordered: signals, bufferingPolicy: policy, by: Entry.isInOrder).observe(ofSignal.observer)
            SignalProducer.merge(ordered: signals, bufferingPolicy: policy, by: Entry.isInOrder)
                .start(ofProducer.observer)
            var model = Model(count, policy)
            var keys = Array(repeating: 0, count: count)
            for number in 0..<60 {
                let source = Int.random(in: 0..<count, using: &generator)
                if !model.active.contains(source) { continue }
                if Int.random(in: 0..<20, using: &generator) == 0 {
                    model.complete(source)
                    pipes[source].input.sendCompleted()
                    continue
                }
                // Now and then a key is smaller than the one before.
                keys[source] += Int.random(in: -1...3, using: &generator)
                let entry = Entry(key: keys[source], source: source, number: number)
                model.apply(entry)
                pipes[source].input.send(value: entry)
            }
            for source in model.active.sorted() {
                model.complete(source)
                pipes[source].input.sendCompleted()
            }
            #expect(ofSignal.events == model.events)
            #expect(ofProducer.events == model.events)
        }
    }

    @Test(arguments: [2, 3, 64, 1_000])
    func `A value takes a number of comparisons that grows as the logarithm of the number of streams`(count: Int) {
        let comparisons = Counter()
        let merged = Merged(count, .latest, asProducer: false) {
            comparisons.increment()
            return $0 < $1
        }
        for value in 0..<count { merged.inputs[value].send(value: value) }
        #expect(comparisons.value <= count)
        let levels = Int(log2(Double(count)).rounded(.up))
        let before = comparisons.value
        // A stream that has sent goes to the end, and another one has its value replaced.
        for value in count..<2 * count {
            merged.inputs[(value + 1) % count].send(value: value)
            merged.inputs[value - count].send(value: value)
        }
        #expect(merged.recorder.values.count > count / 2)
        #expect(comparisons.value - before <= 3 * levels * count)
    }

    @Test func `Streams on several threads`() {
        let (threads, last) = (4, Stress.fewer(5_000))
        for asProducer in [false, true] {
            let merged = Merged(threads, asProducer: asProducer)
            ThreadGroup.run(threads) { thread in
                for value in 0..<last { merged.inputs[thread].send(value: value * threads + thread) }
                merged.inputs[thread].sendCompleted()
            }
            // A thread of the library may still deliver.
            #expect(Stress.eventually { merged.recorder.termination == .completed })
            #expect(merged.recorder.values == Array(0..<last * threads))
            merged.statistics.expect(sent: last * threads, delivered: last * threads, dropped: 0)
        }
    }
}
