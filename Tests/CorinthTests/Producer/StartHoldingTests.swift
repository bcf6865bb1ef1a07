import Corinth
import CorinthTesting
import Testing

/// What keeps a start alive if its start handler stored no observer: every object that can end the start.
struct StartHoldingTests {
    private typealias Producer = SignalProducer<Int, TestError>

    private let ended = Atomic(0)
    private let recorder = EventRecorder<Int, TestError>()

    /// Work that emits nothing and ends only with its lifetime.
    private var work: Producer {
        Producer { [ended] _, lifetime in lifetime.observeEnded { ended.modify { $0 += 1 } } }
    }

    @Test func `A handle keeps its start alive, and can end it`() {
        let handle = work.start(recorder.observer)
        #expect(recorder.events.isEmpty && ended.value == 0 && !handle.isDisposed)
        handle.dispose()
        #expect(recorder.events == [.interrupted] && ended.value == 1 && handle.isDisposed)
    }

    @Test func `When the handle is released, the start is released`() {
        work.start(recorder.observer)
        #expect(recorder.events == [.interrupted] && ended.value == 1)
        var handle: (any Disposable)? = work.start(recorder.observer)
        #expect(ended.value == 1)
        if handle != nil { handle = nil }
        #expect(recorder.events == [.interrupted, .interrupted] && ended.value == 2)
    }

    @Test func `Operators between the source and the user don't change that`() {
        let scheduler = TestScheduler()
        let transformed = work.map { $0 + 1 }.filter { $0 > 0 }.take(first: 2).on(value: { _ in }).finally {}
        transformed.start(recorder.observer)
        #expect(recorder.events == [.interrupted] && ended.value == 1)
        let handle = transformed.start(recorder.observer)
        #expect(ended.value == 1)
        handle.dispose()
        #expect(ended.value == 2)
        work.delay(1, on: scheduler).start()
        #expect(ended.value == 3)
        work.observe(on: scheduler).start()
        #expect(ended.value == 4)
        scheduler.run()
    }

    @Test func `A start that a callback makes while another one begins doesn't change who holds that one`() {
        let inner = SignalProducer<Int, TestError>(value: 1)
        for begins in [work.on(starting: { inner.start() }), work.on(started: { inner.start() })] {
            let endedBefore = ended.value
            let recorder = EventRecorder<Int, TestError>()
            var handle: (any Disposable)? = begins.start(recorder.observer)
            #expect(recorder.events.isEmpty && ended.value == endedBefore)
            if handle != nil { handle = nil }
            #expect(recorder.events == [.interrupted] && ended.value == endedBefore + 1)
        }
    }

    @Test func `A start handler that stored its observer keeps the start alive without a handle`() {
        let kept = Atomic<Signal<Int, TestError>.Observer?>(nil)
        let producer = Producer { [ended] observer, lifetime in
            kept.value = observer
            lifetime.observeEnded { ended.modify { $0 += 1 } }
        }
        producer.start(recorder.observer)
        kept.value?.send(value: 1)
        #expect(recorder.events == [.value(1)] && ended.value == 0)
        kept.value = nil
        #expect(recorder.events == [.value(1), .interrupted] && ended.value == 1)
        let handle = producer.start(recorder.observer)
        kept.value = nil
        #expect(ended.value == 1)
        handle.dispose()
        #expect(ended.value == 2)
    }

    @Test func `A weak reference to the observer stays valid for as long as the start is held`() {
        let send = Atomic<(@Sendable (Int) -> Void)>({ _ in })
        let producer = Producer { observer, _ in send.value = { [weak observer] in observer?.send(value: $0) } }
        var handle: (any Disposable)? = producer.start(recorder.observer)
        send.value(1)
        #expect(recorder.events == [.value(1)])
        if handle != nil { handle = nil }
        send.value(2)
        #expect(recorder.events == [.value(1), .interrupted])
    }

    @Test func `The interrupt handle of a start's signal also holds the start`() {
        var handle: (any Disposable)?
        work.startWithSignal { signal, interruptHandle in
            signal.observe(recorder.observer)
            handle = interruptHandle
        }
        #expect(recorder.events.isEmpty)
        if handle != nil { handle = nil }
        #expect(recorder.events == [.interrupted] && ended.value == 1)
        work.startWithSignal { signal, _ in _ = signal.observe(recorder.observer) }
        #expect(recorder.events == [.interrupted, .interrupted] && ended.value == 2)
    }

    @Test(arguments: [FlattenStrategy.merge, .concat, .latest, .race, .throttle, .concurrent(limit: 2)])
    func `An operator holds the producers that it starts`(strategy: FlattenStrategy) {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let observation = signal.flatMap(strategy) { _ in work }.observe(recorder.observer)
        input.send(value: 1)
        #expect(recorder.events.isEmpty && ended.value == 0)
        input.sendCompleted()
        #expect(recorder.events.isEmpty && ended.value == 0)

        let second = EventRecorder<Int, TestError>()
        let handle = Producer(value: 1).flatMap(strategy) { _ in work }.start(second.observer)
        #expect(second.events.isEmpty && ended.value == 0)
        handle.dispose()
        #expect(second.events == [.interrupted] && ended.value == 1)
        observation?.dispose()
    }

    @Test func `The next producer doesn't start before the current one has ended`() {
        let followed: [Producer] = [
            work.concat(Producer(value: 2)), work.then(Producer(value: 2)), Producer(value: 2).prefix(work),
            work.repeat(2),
            work.retry(upTo: 2), Producer.merge(work, work), work.zip(with: work).map { $0 + $1 },
            Producer(value: 1).then(work), work.take(until: SignalProducer<(), Never>.never),
        ]
        for (index, producer) in followed.enumerated() {
            let recorder = EventRecorder<Int, TestError>()
            ended.value = 0
            let handle = producer.start(recorder.observer)
            #expect(recorder.events.isEmpty && ended.value == 0, "\(index)")
            handle.dispose()
            #expect(recorder.events == [.interrupted] && ended.value > 0, "\(index)")
        }
    }

    @Test func `An action with such work runs until it is disposed of`() {
        let action = Action<(), Int, TestError> { work }
        let handle = action.apply().start()
        #expect(action.isExecuting.value && ended.value == 0)
        handle.dispose()
        #expect(!action.isExecuting.value && ended.value == 1)
    }

    @Test func `A binding holds its source`() {
        let property = MutableProperty(0)
        let source = SignalProducer<Int, Never> { [ended] _, lifetime in
            lifetime.observeEnded { ended.modify { $0 += 1 } }
        }
        let binding = property <~ source
        #expect(ended.value == 0)
        binding?.dispose()
        #expect(ended.value == 1)
    }

    @Test func `A start that has ended holds nothing`() {
        final class Kept: Sendable {}
        weak var kept: Kept?
        func run(_ body: (Producer) -> Void) {
            let object = Kept()
            kept = object
            body(Producer { _, lifetime in lifetime.observeEnded { _ = object } })
        }
        run { $0.start() }
        #expect(kept == nil)
        run { $0.start().dispose() }
        #expect(kept == nil)
        run { $0.concat(.empty).start().dispose() }
        #expect(kept == nil)
        run { producer in
            let handle = producer.start()
            handle.dispose()
        }
        #expect(kept == nil)
    }
}
