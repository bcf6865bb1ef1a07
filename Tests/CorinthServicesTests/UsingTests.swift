import Corinth
import CorinthServices
import CorinthTesting
import Testing

struct UsingTests {
    /// What happens to resources, which are numbers.
    private final class Pool: Sendable {
        let log = Atomic<[String]>([])
        private let next = Atomic(0)
        let closing = Signal<Void, Never>.pipe()
        let closesAtOnce: Bool

        init(closesAtOnce: Bool = true) { self.closesAtOnce = closesAtOnce }

        func note(_ text: String) { log.modify { $0.append(text) } }

        var acquire: SignalProducer<Int, ServiceError> {
            SignalProducer { [self] in
                let number = next.modify { number -> Int in
                    number += 1
                    return number
                }
                note("open \(number)")
                return number
            }
        }

        func using(
            _ body: @escaping @Sendable (Int) -> SignalProducer<Int, ServiceError>,
            acquire other: SignalProducer<Int, ServiceError>? = nil
        ) -> SignalProducer<Int, ServiceError> {
            .using(other ?? acquire, body: body) { [self] resource -> SignalProducer<Void, Never> in
                SignalProducer { [self] observer, lifetime in
                    note("close \(resource)")
                    if closesAtOnce { return observer.sendCompleted() }
                    lifetime += closing.output.take(first: 1).observe(observer)
                }
            }
        }
    }

    @Test func `Each start has a resource of its own, which is released before the end`() {
        let pool = Pool()
        let rows = pool.using { SignalProducer(values: $0 * 10, $0 * 10 + 1) }
        for _ in 0..<2 {
            rows.start { event in pool.note("\(event)") }
        }
        #expect(
            pool.log.value == [
                "open 1", "VALUE 10", "VALUE 11", "close 1", "COMPLETED", "open 2", "VALUE 20", "VALUE 21", "close 2",
                "COMPLETED",
            ])
    }

    @Test func `The end waits for a release that takes time`() {
        for error in [nil, ServiceError.broken] {
            let pool = Pool(closesAtOnce: false)
            let recorder = EventRecorder<Int, ServiceError>()
            pool.using { _ in error.map { SignalProducer(error: $0) } ?? SignalProducer(value: 1) }.start(
                recorder.observer)
            #expect(pool.log.value == ["open 1", "close 1"])
            #expect(recorder.termination == nil)
            pool.closing.input.send(value: ())
            #expect(recorder.termination == (error.map { .failed($0) } ?? .completed))
            #expect(pool.log.value == ["open 1", "close 1"])
        }
    }

    @Test func `A start that is disposed of ends at once, and its release goes on`() {
        let pool = Pool(closesAtOnce: false)
        let recorder = EventRecorder<Int, ServiceError>()
        let start = pool.using { _ in .never }.start(recorder.observer)
        start.dispose()
        #expect(recorder.events == [.interrupted])
        #expect(pool.log.value == ["open 1", "close 1"])
        pool.closing.input.send(value: ())
        #expect(recorder.events == [.interrupted])
    }

    @Test func `A start that is disposed of while it releases releases once`() {
        let pool = Pool(closesAtOnce: false)
        let recorder = EventRecorder<Int, ServiceError>()
        let start = pool.using { _ in .empty }.start(recorder.observer)
        start.dispose()
        pool.closing.input.send(value: ())
        #expect(recorder.events == [.interrupted])
        #expect(pool.log.value == ["open 1", "close 1"])
    }

    @Test func `The closure that releases isn't called before the end`() {
        let (work, end) = Signal<Int, ServiceError>.pipe()
        let calls = Atomic(0)
        SignalProducer<Int, ServiceError>.using(SignalProducer(value: 1)) { _ in
            SignalProducer(work)
        } release: { _ -> SignalProducer<Void, Never> in
            calls.modify { $0 += 1 }
            return .empty
        }
        .start()
        #expect(calls.value == 0)
        end.sendCompleted()
        #expect(calls.value == 1)
    }

    @Test func `An interruption stays one, and releases`() {
        let pool = Pool()
        let recorder = EventRecorder<Int, ServiceError>()
        let interrupted = SignalProducer<Int, ServiceError> { observer, _ in observer.sendInterrupted() }
        pool.using { _ in interrupted }.start(recorder.observer)
        #expect(recorder.events == [.interrupted])
        #expect(pool.log.value == ["open 1", "close 1"])
    }

    @Test func `Without a resource there is nothing to release`() {
        let pool = Pool()
        let recorders = (0..<2).map { _ in EventRecorder<Int, ServiceError>() }
        pool.using({ _ in .never }, acquire: .init(error: .broken)).start(recorders[0].observer)
        pool.using({ _ in .never }, acquire: .empty).start(recorders[1].observer)
        #expect(recorders.map(\.events) == [[.failed(.broken)], [.completed]])
        #expect(pool.log.value.isEmpty)
    }

    @Test func `A second resource, and one that comes too late, are released`() {
        let pool = Pool()
        let (late, send) = Signal<Int, ServiceError>.pipe()
        pool.using({ _ in .empty }, acquire: SignalProducer(values: 7, 8)).start()
        #expect(pool.log.value == ["close 7"] || pool.log.value == ["close 7", "close 8"])
        // A source that doesn't stop when it is told to.
        let stubborn = SignalProducer<Int, ServiceError> { observer, _ in late.observe(observer) }
        let start = pool.using({ _ in .never }, acquire: stubborn).start()
        start.dispose()
        send.send(value: 9)
        #expect(pool.log.value.last != "open 9")
    }
}
