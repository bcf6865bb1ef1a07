import Corinth
import CorinthTesting
import Dispatch
import Foundation

/// An operator between its sources and its observers, as a law tries it.
final class Rig: @unchecked Sendable {  // Set up by one thread; its inputs may be used by many.
    enum Sources {
        /// Pipes. A producer is made of the signal of its pipe.
        case pipes
        /// Producers whose starts have inputs of their own.
        case taps
        /// Producers that send so many values at once, and complete.
        case arrays(Int)
    }

    let entry: OperatorEntry
    let face: OperatorEntry.Face
    let live = Live()
    let calls = Counter()
    let scheduler = TestScheduler()
    let tap = Tap()
    private(set) var pipes: [Stream.Observer] = []
    private let kind: Sources
    private let turns = NSLock()
    private var token: Lifetime.Token?

    /// The result; nil once it was let go of.
    private(set) var signal: Stream?
    private(set) var producer: StreamProducer?

    /// - Parameter lifted: Whether a producer is made by lifting the signal's operator.
    init(_ entry: OperatorEntry, _ face: OperatorEntry.Face, _ kind: Sources? = nil, lifted: Bool = false) {
        self.entry = entry
        self.face = face
        let kind = kind ?? (face == .signal ? .pipes : .taps)
        self.kind = kind
        let made = (0...entry.others).map { _ in Stream.pipe() }
        let producers: [StreamProducer]
        switch kind {
        case .pipes:
            pipes = made.map(\.input)
            producers = made.map { StreamProducer($0.output) }
        case .taps:
            producers = (0...entry.others).map(tap.producer)
        case .arrays(let count):
            producers = (0...entry.others).map { source in
                StreamProducer((1...count).map { Item(source * 100 + $0) })
            }
        }
        let (lifetime, token) = Lifetime.make()
        self.token = token
        let bench = Bench(
            signals: made.dropFirst().map(\.output), producers: Array(producers.dropFirst()), scheduler: scheduler,
            lifetime: lifetime, live: live, calls: calls)
        switch face {
        case .signal: signal = entry.signal?(made[0].output, bench)
        case .producer:
            if lifted, let operation = entry.signal {
                producer = producers[0].lift { operation($0, bench) }
            } else {
                producer = entry.producer?(producers[0], bench)
            }
        }
    }

    // MARK: Observing

    /// Observes the signal, or starts the producer.
    @discardableResult
    func run(_ log: EventLog) -> (any Disposable)? {
        let disposable = signal?.observe { log.receive($0) } ?? producer?.start { log.receive($0) }
        startLate()
        return disposable
    }

    /// Several observers of one signal; of a start's, if this is a producer.
    @discardableResult
    func run(_ logs: [EventLog]) -> (signal: Stream?, disposable: (any Disposable)?) {
        if let signal {
            for log in logs { signal.observe { log.receive($0) } }
            return (signal, nil)
        }
        let result = producer?.startWithSignal { signal, disposable -> (Stream, any Disposable) in
            for log in logs { signal.observe { log.receive($0) } }
            return (signal, disposable)
        }
        startLate()
        return (result?.0, result?.1)
    }

    /// What a scheduler starts begins before the first move.
    private func startLate() {
        if face == .producer, entry.facts.contains(.startsLater) { scheduler.advance(by: .seconds(1)) }
    }

    // MARK: Moving

    func send(_ event: Signal<Int, TestError>.Event, to source: Int) {
        let event = event.map { Item($0, live.token()) }
        if pipes.isEmpty { tap.send(event, to: source) } else { pipes[source].send(event) }
    }

    /// Makes a move among those of other threads.
    ///
    /// In the naive build, where several sources meet, they have to take turns: a thread that ends one source while it
    /// delivers another waits for who waits for it. That it doesn't is what law E5 says, which that build doesn't keep.
    func take(_ move: () -> Void) {
        if !Law.reentrancy.isKept, entry.others > 0 || entry.facts.contains(.timed) {
            turns.withLock(move)
        } else {
            move()
        }
    }

    func make(_ move: Move) {
        switch move {
        case .value(let number, let source): send(.value(number), to: source)
        case .end(let ending, let source): send(ending.termination.map(\.number), to: source)
        case .advance(let seconds): scheduler.advance(by: .seconds(seconds))
        }
    }

    func make(_ moves: [Move], _ log: EventLog? = nil) {
        for (step, move) in moves.enumerated() {
            log?.step = step + 1
            make(move)
        }
    }

    /// What has to come from the other sources, so that what the main one sends matters.
    var prelude: [Move] {
        let others = entry.others == 0 ? [] : Array(1...entry.others)
        switch (entry.facts.contains(.waitsForOther), entry.facts.contains(.endsWithOther)) {
        case (true, true): return others.map { .end(.completed, source: $0) }
        case (false, true): return []
        default: return others.map { .value(2, source: $0) }
        }
    }

    /// What ends the result normally: as often as sources may be started again.
    var completion: [Move] {
        let once = Move.completion(sources: entry.others + 1)
        return entry.facts.contains(.restarts) ? Array(repeatElement(once, count: 8).joined()) : once
    }

    func randomMoves(_ seed: Int) -> [Move] {
        Move.random(seed: seed, sources: entry.others + 1, isTimed: entry.facts.contains(.timed))
    }

    /// The events that such moves lead to.
    static func trace(
        _ entry: OperatorEntry, _ face: OperatorEntry.Face, _ moves: [Move], _ kind: Sources? = nil,
        lifted: Bool = false
    ) -> [EventLog.Seen] {
        let rig = Rig(entry, face, kind, lifted: lifted)
        let log = EventLog()
        rig.run(log)
        rig.make(moves, log)
        return log.seen
    }

    // MARK: Letting go

    /// Lets go of the result.
    func releaseResult() {
        signal = nil
        producer = nil
    }

    /// Lets go of the inputs.
    func releaseInputs() {
        pipes = []
        tap.release()
        token = nil
    }
}
