import Corinth
import CorinthTesting
import Dispatch
import Foundation

/// Connects an operator under test to its sources and observers.
final class OperatorHarness: @unchecked Sendable {  // One thread sets it up; many may use its inputs.
    enum Sources {
        /// Pipes. Each producer wraps the signal of its pipe.
        case pipes
        /// Producers. Each start has its own input.
        case coldInputs
        /// Producers that emit this many values during the start and complete.
        case arrays(Int)
    }

    let entry: OperatorEntry
    let overload: OperatorEntry.Overload
    let leaks = LeakCounter()
    let calls = Counter()
    let scheduler = TestScheduler()
    static let ended = EndedSchedulers()
    let coldInputs = ColdInputs()
    private(set) var pipes: [Stream.Observer] = []
    private let kind: Sources
    private let stimulusLock = NSLock()
    private var token: Lifetime.Token?
    private var logs: [EventLog] = []
    private var starts: [any Disposable] = []

    /// The operator's result; nil after its release.
    private(set) var signal: Stream?
    private(set) var producer: StreamProducer?

    /// - Parameters:
    ///   - lifted: Whether the producer is made by lifting the signal's operator.
    ///   - stages: How often the operator is applied, to its own result.
    init(
        _ entry: OperatorEntry, _ overload: OperatorEntry.Overload, _ kind: Sources? = nil, lifted: Bool = false,
        stages: Int = 1
    ) {
        self.entry = entry
        self.overload = overload
        let kind = kind ?? (overload == .signal ? .pipes : .coldInputs)
        self.kind = kind
        let made = (0...entry.others).map { _ in Stream.pipe() }
        let producers: [StreamProducer]
        switch kind {
        case .pipes:
            pipes = made.map(\.input)
            producers = made.map { StreamProducer($0.output) }
        case .coldInputs:
            producers = (0...entry.others).map(coldInputs.producer)
        case .arrays(let count):
            producers = (0...entry.others).map { source in
                StreamProducer((1...count).map { Item(source * 100 + $0) })
            }
        }
        let (lifetime, token) = Lifetime.make()
        self.token = token
        let inputs = HarnessInputs(
            signals: made.dropFirst().map(\.output), producers: Array(producers.dropFirst()), scheduler: scheduler,
            lifetime: lifetime, leaks: leaks, calls: calls)
        switch overload {
        case .signal:
            guard let operation = entry.signal else { return }
            signal = (0..<stages).reduce(made[0].output) { stream, _ in operation(stream, inputs) }
        case .producer:
            if lifted, let operation = entry.signal {
                producer = (0..<stages).reduce(producers[0]) { stream, _ in stream.lift { operation($0, inputs) } }
            } else if let operation = entry.producer {
                producer = (0..<stages).reduce(producers[0]) { stream, _ in operation(stream, inputs) }
            }
        }
    }

    // MARK: Observing

    /// Observes the signal, or starts the producer.
    @discardableResult
    func run(_ log: EventLog) -> (any Disposable)? {
        logs.append(log)
        return run { log.receive($0) }
    }

    @discardableResult
    func run(_ observer: @escaping @Sendable (Stream.Event) -> Void) -> (any Disposable)? {
        let disposable = signal?.observe(observer) ?? producer?.start(observer)
        if let disposable { starts.append(disposable) }
        startLate()
        return disposable
    }

    /// Adds several observers to one signal. For a producer, that is the signal of one start.
    @discardableResult
    func run(_ logs: [EventLog]) -> (signal: Stream?, disposable: (any Disposable)?) {
        self.logs += logs
        if let signal {
            for log in logs { signal.observe { log.receive($0) } }
            return (signal, nil)
        }
        let result = producer?.startWithSignal { signal, disposable -> (Stream, any Disposable) in
            for log in logs { signal.observe { log.receive($0) } }
            return (signal, disposable)
        }
        if let result { starts.append(result.1) }
        startLate()
        return (result?.0, result?.1)
    }

    /// Advances the scheduler before the first stimulus, for operators whose source it starts.
    private func startLate() {
        if overload == .producer, entry.facts.contains(.startsLater) { scheduler.advance(by: .seconds(1)) }
    }

    // MARK: Stimuli

    func send(_ event: Signal<Int, TestError>.Event, to source: Int) {
        let event = event.map { Item($0, leaks.token()) }
        if pipes.isEmpty { coldInputs.send(event, to: source) } else { pipes[source].send(event) }
    }

    /// Applies a stimulus while other threads apply theirs.
    ///
    /// In the naive build, stimuli are serialised if several sources meet. In that build a thread that ends one source while it
    /// delivers another can deadlock with the thread that does the reverse. Law E5 rules this out, and the naive build doesn't
    /// keep law E5.
    func serialised(_ stimulus: () -> Void) {
        if !Law.reentrancy.isKept, entry.others > 0 || entry.facts.contains(.timed) {
            stimulusLock.withLock(stimulus)
        } else {
            stimulus()
        }
    }

    func apply(_ stimulus: Stimulus) {
        switch stimulus {
        case .value(let number, let source): send(.value(number), to: source)
        case .end(let ending, let source): send(ending.termination.map(\.number), to: source)
        case .advance(let seconds): scheduler.advance(by: .seconds(seconds))
        }
    }

    func apply(_ stimuli: [Stimulus], _ log: EventLog? = nil) {
        for (step, stimulus) in stimuli.enumerated() {
            log?.step = step + 1
            apply(stimulus)
        }
    }

    /// The stimuli for the other sources without which the operator ignores the main source.
    var prelude: [Stimulus] {
        let others = entry.others == 0 ? [] : Array(1...entry.others)
        switch (entry.facts.contains(.waitsForOther), entry.facts.contains(.endsWithOther)) {
        case (true, true): return others.map { .end(.completed, source: $0) }
        case (false, true): return []
        default: return others.map { .value(2, source: $0) }
        }
    }

    /// The stimuli that complete the result. They are repeated if the operator restarts its sources.
    var completion: [Stimulus] {
        let once = Stimulus.completion(sources: entry.others + 1)
        return entry.facts.contains(.restarts) ? Array(repeatElement(once, count: 8).joined()) : once
    }

    func randomStimuli(_ seed: Int) -> [Stimulus] {
        Stimulus.random(seed: seed, sources: entry.others + 1, isTimed: entry.facts.contains(.timed))
    }

    /// Returns the events that the stimuli produce.
    static func trace(
        _ entry: OperatorEntry, _ overload: OperatorEntry.Overload, _ stimuli: [Stimulus], _ kind: Sources? = nil,
        lifted: Bool = false
    ) -> [EventLog.Seen] {
        let harness = OperatorHarness(entry, overload, kind, lifted: lifted)
        let log = EventLog()
        harness.run(log)
        harness.apply(stimuli, log)
        return log.seen
    }

    // MARK: Releasing

    /// Releases the result.
    func releaseResult() {
        signal = nil
        producer = nil
    }

    /// Releases the inputs.
    func releaseInputs() {
        pipes = []
        coldInputs.release()
        token = nil
    }

    /// Ends what the test has left running, so that nothing is kept by an input or by a scheduled action. The test may still
    /// read its logs.
    deinit {
        for log in logs { log.close() }
        for start in starts { start.dispose() }
        releaseInputs()
        scheduler.advance(by: .seconds(100))
        if entry.facts.contains(.timed) { Self.ended.note(scheduler) }
    }
}
