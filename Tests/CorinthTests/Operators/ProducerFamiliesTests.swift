import Corinth
import CorinthTesting
import Testing

/// `combineLatest`, `zip` and `merge` of producers and of types that convert to producers.
struct ProducerFamiliesTests {
    private func one(_ value: Int) -> SignalProducer<Int, Never> { SignalProducer(value: value) }

    private func result(_ value: String) -> Result<String, Never> { .success(value) }

    private func events<Value>(_ producer: SignalProducer<Value, Never>) -> [Signal<Value, Never>.Event] {
        let recorder = EventRecorder<Value, Never>()
        producer.start(recorder.observer)
        return recorder.events
    }

    /// Producers, results and signals with different types can be combined.
    @Test func ofDifferentTypes() {
        let (signal, input) = Signal<Bool, Never>.pipe()
        let latest = EventRecorder<String, Never>()
        let zipped = EventRecorder<String, Never>()
        SignalProducer.combineLatest(one(1), result("a"), signal).map { "\($0)\($1)\($2)" }.start(latest.observer)
        SignalProducer.zip(result("a"), signal, one(1)).map { "\($0)\($1)\($2)" }.start(zipped.observer)
        input.send(value: true)
        input.send(value: false)
        input.sendCompleted()
        #expect(latest.events == [.value("1atrue"), .value("1afalse"), .completed])
        #expect(zipped.events == [.value("atrue1"), .completed])
    }

    @Test func combineLatestOfEachNumber() {
        typealias P = SignalProducer<Int, Never>
        func check(_ count: Int, _ producer: SignalProducer<[Int], Never>) {
            #expect(events(producer) == [.value(Array(0..<count)), .completed])
        }
        let (a, b, c, d, e) = (one(0), one(1), one(2), one(3), one(4))
        let (f, g, h, i, j) = (one(5), one(6), one(7), one(8), one(9))
        check(2, P.combineLatest(a, b).map { [$0, $1] })
        check(3, P.combineLatest(a, b, c).map { [$0, $1, $2] })
        check(4, P.combineLatest(a, b, c, d).map { [$0, $1, $2, $3] })
        check(5, P.combineLatest(a, b, c, d, e).map { [$0, $1, $2, $3, $4] })
        check(6, P.combineLatest(a, b, c, d, e, f).map { [$0, $1, $2, $3, $4, $5] })
        check(7, P.combineLatest(a, b, c, d, e, f, g).map { [$0, $1, $2, $3, $4, $5, $6] })
        check(8, P.combineLatest(a, b, c, d, e, f, g, h).map { [$0, $1, $2, $3, $4, $5, $6, $7] })
        check(9, P.combineLatest(a, b, c, d, e, f, g, h, i).map { [$0, $1, $2, $3, $4, $5, $6, $7, $8] })
        check(10, P.combineLatest(a, b, c, d, e, f, g, h, i, j).map { [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9] })
    }

    @Test func zipOfEachNumber() {
        typealias P = SignalProducer<Int, Never>
        func check(_ count: Int, _ producer: SignalProducer<[Int], Never>) {
            #expect(events(producer) == [.value(Array(0..<count)), .completed])
        }
        let (a, b, c, d, e) = (one(0), one(1), one(2), one(3), one(4))
        let (f, g, h, i, j) = (one(5), one(6), one(7), one(8), one(9))
        check(2, P.zip(a, b).map { [$0, $1] })
        check(3, P.zip(a, b, c).map { [$0, $1, $2] })
        check(4, P.zip(a, b, c, d).map { [$0, $1, $2, $3] })
        check(5, P.zip(a, b, c, d, e).map { [$0, $1, $2, $3, $4] })
        check(6, P.zip(a, b, c, d, e, f).map { [$0, $1, $2, $3, $4, $5] })
        check(7, P.zip(a, b, c, d, e, f, g).map { [$0, $1, $2, $3, $4, $5, $6] })
        check(8, P.zip(a, b, c, d, e, f, g, h).map { [$0, $1, $2, $3, $4, $5, $6, $7] })
        check(9, P.zip(a, b, c, d, e, f, g, h, i).map { [$0, $1, $2, $3, $4, $5, $6, $7, $8] })
        check(10, P.zip(a, b, c, d, e, f, g, h, i, j).map { [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9] })
    }

    @Test func mergeOfEachNumber() {
        typealias P = SignalProducer<Int, Never>
        func check(_ count: Int, _ producer: P) {
            #expect(events(producer) == (0..<count).map { .value($0) } + [.completed])
        }
        let (a, b, c, d, e) = (one(0), one(1), one(2), one(3), Result<Int, Never>.success(4))
        let (f, g, h, i, j) = (one(5), one(6), one(7), one(8), one(9))
        check(2, P.merge(a, b))
        check(3, P.merge(a, b, c))
        check(4, P.merge(a, b, c, d))
        check(5, P.merge(a, b, c, d, e))
        check(6, P.merge(a, b, c, d, e, f))
        check(7, P.merge(a, b, c, d, e, f, g))
        check(8, P.merge(a, b, c, d, e, f, g, h))
        check(9, P.merge(a, b, c, d, e, f, g, h, i))
        check(10, P.merge(a, b, c, d, e, f, g, h, i, j))
    }

    @Test func withAnother() {
        #expect(events(one(1).combineLatest(with: one(2)).map { $0 + $1 }) == [.value(3), .completed])
        #expect(events(one(1).combineLatest(with: result("a")).map { "\($0)\($1)" }) == [.value("1a"), .completed])
        #expect(events(one(1).zip(with: one(2)).map { $0 + $1 }) == [.value(3), .completed])
        #expect(events(one(1).zip(with: result("a")).map { "\($0)\($1)" }) == [.value("1a"), .completed])
        #expect(events(one(1).merge(with: one(2))) == [.value(1), .value(2), .completed])
        #expect(events(one(1).merge(with: Result<Int, Never>.success(2))) == [.value(1), .value(2), .completed])
    }

    @Test func sequencesOfConvertibles() {
        let results = [1, 2, 3].map { Result<Int, Never>.success($0) }
        #expect(events(SignalProducer.combineLatest(results)) == [.value([1, 2, 3]), .completed])
        #expect(events(SignalProducer.zip(results)) == [.value([1, 2, 3]), .completed])
        #expect(events(SignalProducer.merge(results)) == [.value(1), .value(2), .value(3), .completed])
    }

    @Test func emptySentinels() {
        let none: [SignalProducer<Int, Never>] = []
        #expect(events(SignalProducer.combineLatest(none, emptySentinel: [])) == [.value([]), .completed])
        #expect(events(SignalProducer.combineLatest(none, emptySentinel: [7])) == [.value([7]), .completed])
        #expect(events(SignalProducer.combineLatest([one(1)], emptySentinel: [7])) == [.value([1]), .completed])
        #expect(events(SignalProducer.zip(none, emptySentinel: [7])) == [.value([7]), .completed])
        #expect(events(SignalProducer.zip([one(1), one(2)], emptySentinel: [7])) == [.value([1, 2]), .completed])
    }
}
