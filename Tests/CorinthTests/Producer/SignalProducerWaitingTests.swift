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
    func `A result that comes in time is that of the call without a limit`(index: Int) throws {
        let make = Self.makers[index]
        #expect(try make([1, 2], .completed).first(timeout: .seconds(60)) == .success(1))
        #expect(try make([], .completed).first(timeout: .seconds(60)) == nil)
        #expect(try make([1, 2], .completed).single(timeout: .seconds(60)) == nil)
        #expect(try make([1, 2], .completed).last(timeout: .seconds(60)) == .success(2))
        #expect(try make([1], .failed(.first)).last(timeout: .seconds(60)) == .failure(.first))
        #expect(throws: TestError.first) {
            try make([1], .failed(.first)).wait(timeout: .seconds(60)).get()
        }
    }

    @Test func `P2: without a result in time, the call throws and disposes of the start`() throws {
        let isFreed = Flag()
        let endless = Producer { observer, lifetime in
            observer.send(value: 1)
            lifetime.observeEnded {
                isFreed.raise()
                withExtendedLifetime(observer) {}
            }
        }
        let limit = WaitTimeout(timeout: .milliseconds(5))
        #expect(throws: limit) { try endless.single(timeout: limit.timeout) }
        #expect(isFreed.isRaised)
        #expect(throws: limit) { try endless.last(timeout: limit.timeout) }
        #expect(throws: limit) { try endless.wait(timeout: limit.timeout) }
        #expect(throws: WaitTimeout(timeout: .zero)) { try Producer.never.first(timeout: .zero) }
        #expect(try endless.first(timeout: .zero) == .success(1))
        #expect("\(limit)" == "no result within 0.005 seconds")
    }

    @Test func `A limited wait for a scheduler from its own action ends with the limit`() throws {
        let scheduler = QueueScheduler(name: "own")
        let outcome = Atomic<WaitTimeout?>(nil)
        SignalProducer<Void, Never> { () -> Void in
            do throws(WaitTimeout) {
                try SignalProducer<Int, Never>(value: 1).delay(0, on: scheduler).wait(timeout: .milliseconds(5))
            } catch {
                outcome.value = error
            }
        }.start(on: scheduler).wait()
        #expect(outcome.value == WaitTimeout(timeout: .milliseconds(5)))
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
