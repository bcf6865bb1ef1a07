import Corinth
import CorinthTesting
import Testing

/// Both faces of an operator, which must do the same.
struct Faces<Value, Error: Swift.Error, Result, Failure: Swift.Error> {
    typealias Source = Signal<Value, Error>
    typealias Output = Signal<Result, Failure>.Event

    let onSignal: @Sendable (Source) -> Signal<Result, Failure>
    let onProducer: @Sendable (SignalProducer<Value, Error>) -> SignalProducer<Result, Failure>

    init(
        _ onSignal: @escaping @Sendable (Source) -> Signal<Result, Failure>,
        _ onProducer: @escaping @Sendable (SignalProducer<Value, Error>) -> SignalProducer<Result, Failure>
    ) {
        self.onSignal = onSignal
        self.onProducer = onProducer
    }

    /// What an observer of the signal gets of some values and an end.
    func signalEvents(of values: [Value], then end: Source.Event? = nil) -> [Output] {
        let (signal, input) = Source.pipe()
        let recorder = EventRecorder<Result, Failure>()
        onSignal(signal).observe(recorder.observer)
        for value in values { input.send(value: value) }
        if let end {
            input.send(end)
            for value in values { input.send(value: value) }
        }
        return withExtendedLifetime(input) { recorder.events }
    }

    /// What the second start of the producer gets of the same. The first one leaves nothing behind (law P1).
    func producerEvents(of values: [Value], then end: Source.Event? = nil) -> [Output] {
        let (signal, input) = Source.pipe()
        let producer = onProducer(SignalProducer(signal))
        var recorders: [EventRecorder<Result, Failure>] = []
        for _ in 0..<2 {
            let recorder = EventRecorder<Result, Failure>()
            recorders.append(recorder)
            producer.start(recorder.observer)
        }
        for value in values { input.send(value: value) }
        if let end { input.send(end) }
        return withExtendedLifetime(input) { recorders[1].events }
    }

    /// What comes of a producer that sends everything as it is started, twice.
    func synchronousEvents(of values: [Value], then end: Source.Event) -> [[Output]] {
        nonisolated(unsafe) let (values, end) = (values, end)
        let source = SignalProducer<Value, Error> { observer, _ in
            for value in unsafe values { observer.send(value: value) }
            unsafe observer.send(end)
        }
        let producer = onProducer(source)
        return (0..<2).map { _ in
            let recorder = EventRecorder<Result, Failure>()
            producer.start(recorder.observer)
            return recorder.events
        }
    }

    /// How often the source has been let go of when `values` have been sent, and after disposal.
    func disposals(after values: [Value]) -> (before: Int, after: Int, events: [Output]) {
        let count = Atomic(0)
        let (signal, input) = Source.pipe()
        let source = SignalProducer<Value, Error> { observer, lifetime in
            lifetime.observeEnded { count.modify { $0 += 1 } }
            lifetime += signal.observe(observer)
        }
        let recorder = EventRecorder<Result, Failure>()
        let disposable = onProducer(source).start(recorder.observer)
        for value in values { input.send(value: value) }
        let before = count.value
        disposable.dispose()
        disposable.dispose()
        return (before, count.value, recorder.events)
    }
}

extension Faces where Result: Equatable, Failure: Equatable {
    /// Expects the same events of all three ways to run it.
    func expect(
        _ expected: [Output], of values: [Value], then end: Source.Event,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(signalEvents(of: values, then: end) == expected, "signal", sourceLocation: location)
        #expect(producerEvents(of: values, then: end) == expected, "producer", sourceLocation: location)
        for events in synchronousEvents(of: values, then: end) {
            #expect(events == expected, "synchronous producer", sourceLocation: location)
        }
    }

    /// Expects that disposal interrupts after what `values` give, and lets go of the source once, not before.
    func expectDisposal(
        after values: [Value], gives expected: [Output], at location: SourceLocation = #_sourceLocation
    ) {
        let result = disposals(after: values)
        #expect(result.before == 0, sourceLocation: location)
        #expect(result.after == 1, sourceLocation: location)
        #expect(result.events == expected + [.interrupted], sourceLocation: location)
    }

    /// Expects that `values` end it, which lets go of the source at once.
    func expectEnd(
        after values: [Value], gives expected: [Output], at location: SourceLocation = #_sourceLocation
    ) {
        let result = disposals(after: values)
        #expect(result.before == 1, sourceLocation: location)
        #expect(result.after == 1, sourceLocation: location)
        #expect(result.events == expected, sourceLocation: location)
    }
}

/// The three ways in which a stream of integers may end.
let terminations: [Signal<Int, TestError>.Event] = [.completed, .interrupted, .failed(.first)]
