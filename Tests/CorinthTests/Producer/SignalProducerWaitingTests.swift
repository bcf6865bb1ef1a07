import Corinth
import CorinthTesting
import Dispatch
import Testing

struct SignalProducerWaitingTests {
    typealias Producer = SignalProducer<Int, TestError>

    /// A producer that sends the values and the end from another thread.
    static func elsewhere(_ values: [Int], then end: Signal<Int, TestError>.Event) -> Producer {
        Producer { observer, _ in
            DispatchQueue.global().async {
                for value in values { observer.send(value: value) }
                observer.send(end)
            }
        }
    }

    static func here(_ values: [Int], then end: Signal<Int, TestError>.Event) -> Producer {
        Producer { observer, _ in
            for value in values { observer.send(value: value) }
            observer.send(end)
        }
    }

    static let makers: [@Sendable ([Int], Signal<Int, TestError>.Event) -> Producer] = [
        { elsewhere($0, then: $1) }, { here($0, then: $1) },
    ]

    @Test(arguments: makers.indices)
    func first(index: Int) {
        let make = Self.makers[index]
        #expect(make([1, 2], .completed).first() == .success(1))
        #expect(make([1], .failed(.first)).first() == .success(1))
        #expect(make([], .failed(.first)).first() == .failure(.first))
        #expect(make([], .completed).first() == nil)
        #expect(make([], .interrupted).first() == nil)
    }

    @Test(arguments: makers.indices)
    func single(index: Int) {
        let make = Self.makers[index]
        #expect(make([1], .completed).single() == .success(1))
        #expect(make([1], .interrupted).single() == .success(1))
        #expect(make([1, 2], .completed).single() == nil)
        #expect(make([1, 2, 3], .failed(.first)).single() == nil)
        #expect(make([1], .failed(.first)).single() == .failure(.first))
        #expect(make([], .failed(.second)).single() == .failure(.second))
        #expect(make([], .completed).single() == nil)
    }

    @Test(arguments: makers.indices)
    func last(index: Int) {
        let make = Self.makers[index]
        #expect(make([1, 2, 3], .completed).last() == .success(3))
        #expect(make([1, 2], .failed(.first)).last() == .failure(.first))
        #expect(make([1], .interrupted).last() == nil)
        #expect(make([], .completed).last() == nil)
    }

    @Test(arguments: makers.indices)
    func wait(index: Int) throws {
        let make = Self.makers[index]
        try make([1, 2, 3], .completed).wait().get()
        try make([1], .interrupted).wait().get()
        #expect(throws: TestError.first) { try make([1], .failed(.first)).wait().get() }
    }

    /// `first` and `single` cancel a source that doesn't end.
    @Test func endlessSources() {
        let disposed = DispatchSemaphore(value: 0)
        let endless = Producer { observer, lifetime in
            lifetime.observeEnded {
                _ = observer
                disposed.signal()
            }
            DispatchQueue.global().async { for value in 0..<3 { observer.send(value: value) } }
        }
        #expect(endless.first() == .success(0))
        disposed.wait()
        #expect(endless.single() == nil)
        disposed.wait()
        #expect(Producer(sequence(first: 7) { $0 + 1 }).first() == .success(7))
    }

    @Test func isWorthNothingToIgnore() {
        let starts = Atomic(0)
        let producer = Producer { observer, _ in
            starts.modify { $0 += 1 }
            observer.sendCompleted()
        }
        producer.first()
        producer.single()
        producer.last()
        producer.wait()
        #expect(starts.value == 4)
    }
}
