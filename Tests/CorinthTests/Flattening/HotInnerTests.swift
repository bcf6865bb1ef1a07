import Corinth
import CorinthTesting
import Foundation
import Testing

/// Inner streams that are signals. No event that they send after the event that introduced them is lost, even if other threads
/// observe the result or dispose of an observation meanwhile.
@Suite("Hot inner streams")
struct HotInnerTests {
    private static let count = Stress.fewer(3_000)

    @Test(arguments: [
        FlattenStrategy.merge, .concat, .concurrent(limit: 1), .concurrent(limit: 3), .concatEager(), .latest,
        .throttle,
    ])
    func `Flattened windows lose no value`(strategy: FlattenStrategy) {
        expectAll { $0.window(count: 3).flatten(strategy) }
        expectAll { $0.window(count: 3).flatMap(strategy) { $0.map { $0 } } }
        expectAll { source in source.producer.window(count: 3).flatten(strategy) }
    }

    @Test(arguments: [FlattenStrategy.merge, .concurrent(limit: 8), .concatEager(limit: 8)])
    func `Flattened groups lose no value`(strategy: FlattenStrategy) {
        expectAll(inOrder: false) { source in
            source.group(limit: 8) { $0 % 4 }.flatMap(strategy) { $0.signal }
        }
    }

    @Test func `Values and producers stay in order, and all are delivered`() {
        for strategy in [FlattenStrategy.concat, .concurrent(limit: 1), .concatEager(limit: 1)] {
            expectAll { source in
                source.flatMap(strategy) { value in
                    value.isMultiple(of: 2)
                        ? SignalProducer(value: value)
                        : SignalProducer { observer, _ in
                            observer.send(value: value)
                            observer.sendCompleted()
                        }
                }
            }
        }
    }

    @Test func `race passes on every value of the first stream that emits`() {
        expectAll { source in source.window(count: .max).flatten(.race) }
    }

    /// Sends values while another thread repeatedly observes the result and disposes of its observation.
    private func expectAll(
        inOrder: Bool = true, at place: SourceLocation = #_sourceLocation,
        _ make: (Signal<Int, Never>) -> Signal<Int, Never>
    ) {
        let (source, input) = Signal<Int, Never>.pipe()
        let result = make(source)
        let values = Atomic<[Int]>([])
        let ends = Counter()
        result.observe { event in
            if let value = event.value {
                values.modify { $0.append(value) }
            } else {
                ends.increment()
            }
        }
        ThreadGroup.run(2) { index in
            if index == 0 {
                for value in 0..<Self.count { input.send(value: value) }
                input.sendCompleted()
            } else {
                while ends.value == 0 { result.observeValues { _ in }?.dispose() }
            }
        }
        #expect(ends.value == 1, sourceLocation: place)
        let seen = values.value
        #expect(seen.count == Self.count, sourceLocation: place)
        #expect((inOrder ? seen : seen.sorted()) == Array(0..<seen.count), sourceLocation: place)
    }

    private func expectAll(
        at place: SourceLocation = #_sourceLocation, _ make: (Signal<Int, Never>) -> SignalProducer<Int, Never>
    ) {
        expectAll(at: place) { source in
            var result: Signal<Int, Never>?
            make(source).startWithSignal { signal, _ in result = signal }
            return result ?? .empty
        }
    }
}
