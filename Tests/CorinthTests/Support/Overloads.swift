import Corinth
import CorinthTesting
import Testing

/// The signal's and the producer's overload of an operator, which must behave the same.
struct Overloads<Value, Error: Swift.Error, Result, Failure: Swift.Error> {
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

    /// Returns what an observer of the signal receives when the source sends the values and the end.
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

    /// Returns what the second start of the producer receives in the same case. The first start must not affect it (law P1).
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

    /// Returns what two starts of a producer receive if its source sends everything during the start.
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

    /// Returns how many times the source was released after the values, and after disposal.
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

extension Overloads where Result: Equatable, Failure: Equatable {
    /// Expects the same events from all three ways of running the operator.
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

    /// Expects an interruption at disposal, after the events that `values` give. Expects that the source is released once, at
    /// disposal.
    func expectDisposal(
        after values: [Value], gives expected: [Output], at location: SourceLocation = #_sourceLocation
    ) {
        let result = disposals(after: values)
        #expect(result.before == 0, sourceLocation: location)
        #expect(result.after == 1, sourceLocation: location)
        #expect(result.events == expected + [.interrupted], sourceLocation: location)
    }

    /// Expects that `values` end the stream, and that the source is released at once.
    func expectEnd(
        after values: [Value], gives expected: [Output], at location: SourceLocation = #_sourceLocation
    ) {
        let result = disposals(after: values)
        #expect(result.before == 1, sourceLocation: location)
        #expect(result.after == 1, sourceLocation: location)
        #expect(result.events == expected, sourceLocation: location)
    }
}

/// The three terminating events of a stream of integers.
let terminations: [Signal<Int, TestError>.Event] = [.completed, .interrupted, .failed(.first)]
