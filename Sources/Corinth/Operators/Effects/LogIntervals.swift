/// The interval of one stream in a log.
@usableFromInline
final class LogIntervals<Log: EventLog>: @unchecked Sendable {  // The flag is atomic, the rest immutable.
    @usableFromInline let hasEnded = AtomicFlag()
    @usableFromInline let log: Log
    @usableFromInline let interval: LoggedInterval

    /// Begins the interval.
    @inlinable
    init(_ log: Log, _ name: String) {
        self.log = log
        interval = LoggedInterval(name: name)
        log.begin(interval)
    }

    /// Ends the interval, unless it has ended.
    // relaxed: the flag publishes nothing. It only decides who logs the end.
    @inlinable
    func end<Failure: Error>(_ termination: Termination<Failure>?) {
        if hasEnded.tryRaise(.relaxed) { log.end(interval, termination) }
    }

    @inlinable
    func kernel<Next: Receiver>(into next: Next, _ values: LoggedValues) -> Sink<Next.Value, Next.Error> {
        let termination = { (termination: Termination<Next.Error>) in
            self.end(termination)
            next.terminate(termination)
        }
        return switch values {
        case .none: Sink(value: next.onValue, termination: termination)
        case .points:
            Sink(
                value: {
                    if !self.isOver { self.log.record($0, in: self.interval) }
                    next.receive($0)
                }, termination: termination)
        case .deliveries: Sink(value: { self.deliver($0, to: next) }, termination: termination)
        }
    }

    /// Whether nothing more is logged. A released result may still get values of other threads, which nobody observes.
    @inlinable
    var isOver: Bool { hasEnded.isRaised(.relaxed) }

    @inlinable
    func deliver<Next: Receiver>(_ value: Next.Value, to next: Next) {
        if isOver { return next.receive(value) }
        let delivery = LoggedInterval(name: interval.name, parent: interval.id)
        log.begin(delivery)
        log.record(value, in: delivery)
        next.receive(value)
        log.end(delivery, Termination<Next.Error>?.none)
    }
}

extension Signal {
    /// Marks the life of this signal in a log, from this call to its end.
    ///
    /// ```swift
    /// downloads.logIntervals(to: LineEventLog.standardError, name: "downloads")
    /// ```
    ///
    /// An event is logged before it is forwarded, once, independent of the number of observers (law
    /// [S2](doc:Contracts#S2-Once-per-event)). The interval ends with the termination, or without one when the result can't be
    /// observed any more (law [S3](doc:Contracts#S3-Lifetime)).
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - name: The name of the interval.
    ///   - values: How values are logged.
    /// - Complexity: O(1) and no allocation per value, apart from what the log does. A delivery takes its number from a counter
    ///   that all streams share.
    /// ## Concurrency
    /// The log is called on the thread on which the source delivers; for a result that can't be observed any more, on the
    /// thread that releases it. It may send to this signal. Such an event is queued.
    @inlinable
    public func logIntervals(
        to log: some EventLog, name: String, values: LoggedValues = .points
    ) -> Signal<Value, Error> {
        let stage = LogIntervals(log, name)
        let release = AnyDisposable { stage.end(Termination<Error>?.none) }
        return derive(until: CompositeDisposable([release])) { stage.kernel(into: $0, values) }
    }
}

extension SignalProducer {
    /// Marks the life of each start in a log, from before the start to its end. See ``Signal/logIntervals(to:name:values:)``.
    ///
    /// A start that is disposed of ends with an interruption.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - name: The name of the intervals.
    ///   - values: How values are logged.
    @inlinable
    public func logIntervals(
        to log: some EventLog, name: String, values: LoggedValues = .points
    ) -> SignalProducer<Value, Error> {
        fuse { LogIntervals(log, name).kernel(into: $0, values) }
    }
}
