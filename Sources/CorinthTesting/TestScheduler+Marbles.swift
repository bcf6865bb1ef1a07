public import Corinth
public import Foundation

extension TestScheduler {
    /// A signal that sends the events of a line, starting now, with one second for each step.
    ///
    /// ```swift
    /// let scheduler = TestScheduler()
    /// let recorder = scheduler.record(scheduler.hot("ab--|").delay(1, on: scheduler))
    /// scheduler.advance(by: .seconds(10))
    /// #expect(recorder.marbles == "-ab--|")
    /// ```
    public func hot(_ marbles: Marbles) -> Signal<String, MarbleError> {
        Signal { observer, lifetime in
            play(marbles) { observer.send($0) }
            // A line without a termination never ends.
            lifetime.observeEnded { withExtendedLifetime(observer) {} }
        }
    }

    /// A producer that sends the events of a line from each start on, with one second for each step.
    public func cold(_ marbles: Marbles) -> SignalProducer<String, MarbleError> {
        SignalProducer { observer, lifetime in
            for action in self.play(marbles, { observer.send($0) }) { lifetime += action }
            // A line without a termination never ends.
            lifetime.observeEnded { withExtendedLifetime(observer) {} }
        }
    }

    /// Observes a signal, and records its events with their times.
    ///
    /// - Parameters:
    ///   - signal: The signal.
    ///   - start: The time of the first step. By default, now. Must be finite.
    @discardableResult
    public func record<Value, Error>(
        _ signal: Signal<Value, Error>, since start: Date? = nil
    ) -> MarbleRecorder<Value, Error> {
        let recorder = MarbleRecorder<Value, Error>(on: self, since: start)
        recorder.disposable = signal.observe { recorder.record($0) }
        return recorder
    }

    /// Starts a producer, and records its events with their times.
    ///
    /// - Parameters:
    ///   - producer: The producer.
    ///   - start: The time of the first step. By default, now. Must be finite.
    @discardableResult
    public func record<Value, Error>(
        _ producer: SignalProducer<Value, Error>, since start: Date? = nil
    ) -> MarbleRecorder<Value, Error> {
        let recorder = MarbleRecorder<Value, Error>(on: self, since: start)
        recorder.disposable = producer.start { recorder.record($0) }
        return recorder
    }

    @discardableResult
    private func play(
        _ marbles: Marbles, _ send: @escaping @Sendable (Signal<String, MarbleError>.Event) -> Void
    ) -> [(any Disposable)?] {
        let start = currentDate
        return marbles.steps.enumerated().flatMap { step, events in
            events.map { marble in
                schedule(after: start.addingTimeInterval(TimeInterval(step))) { send(marble.event) }
            }
        }
    }
}

extension Marbles.Marble {
    fileprivate var event: Signal<String, MarbleError>.Event {
        switch self {
        case .value(let text): .value(text)
        case .failed: .failed(MarbleError())
        case .completed: .completed
        case .interrupted: .interrupted
        }
    }
}

/// Records the events of one stream with their virtual times.
///
/// ## Concurrency
/// Events may arrive on any thread, and any thread may read them.
public final class MarbleRecorder<Value, Error: Swift.Error>: @unchecked Sendable {  // The lock guards the list.
    private let lock = NSLock()
    private let scheduler: TestScheduler
    private let start: Date
    private var list: [(seconds: TimeInterval, event: Signal<Value, Error>.Event)] = []

    /// Ends the recording. Set once, before the recorder is returned.
    public internal(set) var disposable: (any Disposable)?

    init(on scheduler: TestScheduler, since start: Date?) {
        start?.requireFinite("start")
        self.scheduler = scheduler
        self.start = start ?? scheduler.currentDate
    }

    func record(_ event: Signal<Value, Error>.Event) {
        let seconds = scheduler.currentDate.timeIntervalSince(start)
        lock.withLock { list.append((seconds.rounded(), event)) }
    }

    /// All recorded events, in order.
    public var events: [Signal<Value, Error>.Event] { lock.withLock { list.map(\.event) } }

    /// The recorded events as a line with one step for each second. Values are shown by their descriptions, arrays without
    /// separators. Stops the program if an event came before the start, or 1,000,000 s or more after it.
    public var marbles: Marbles {
        var marbles = Marbles()
        for (seconds, event) in lock.withLock({ list }) {
            precondition(
                (0..<1e6).contains(seconds),
                "an event came \(seconds) s after start, but must come at least 0 and less than 1,000,000 s after it")
            let step = Int(seconds)
            switch event {
            case .value(let value): marbles.add(.value(MarbleRecorder.text(of: value)), at: step)
            case .failed: marbles.add(.failed, at: step)
            case .completed: marbles.add(.completed, at: step)
            case .interrupted: marbles.add(.interrupted, at: step)
            }
        }
        return marbles
    }

    private static func text(of value: Value) -> String {
        if let texts = value as? [String] { texts.joined() } else { String(describing: value) }
    }
}
