import CorinthTesting
import Testing

@testable import Corinth

struct LazySignalTests {
    // With mutexes, each plain stage looks whether it was disposed of: a disposal in a closure keeps a value from the next ones.
    #if !NaiveLocks
        /// Random operators on random events, with closures that dispose, send and end: the closures that run and the events that are
        /// delivered are those of the plain operators, in the same order.
        @Test func chainsBehaveAsPlainOnes() {
            for seed in 0..<Trial.scaled(3_000) {
                let test = LazyCase(seed: seed)
                let (lazy, plain) = (test.run { $0.lazily($1, $2) }, test.run { $0.plainly($1, $2) })
                if lazy != plain {
                    Issue.record("seed \(seed), \(test)\nlazy:  \(lazy)\nplain: \(plain)")
                    return
                }
            }
        }
    #endif

    /// Every operator occurs among these cases, and every event ends some of them.
    @Test func everyOperatorIsGenerated() {
        var missing = Set(LazyCase.Operator.allCases.map { "\($0)" }).union(["COMPLETED", "FAILED", "INTERRUPTED"])
        for seed in 0..<Trial.scaled(3_000) where !missing.isEmpty {
            let test = LazyCase(seed: seed)
            missing.subtract(test.operators.map { "\($0)" })
            for line in test.run({ $0.lazily($1, $2) }) {
                missing.subtract(line.split(separator: " ").map(String.init))
            }
        }
        #expect(missing.isEmpty)
    }

    /// What the compiler makes one function of does the same as the stages.
    @Test func rulesDoWhatStagesDo() {
        let (source, input) = Signal<Int, TestError>.pipe()
        let lazy = source.lazy.map { $0 * 3 }.filter { $0 % 2 == 0 }.mapError { _ in TestError.second }
            .compactMap { $0 > 20 ? nil : "\($0)" }.on { _ in }
        let (stages, rule) = (EventRecorder<String, TestError>(), EventRecorder<String, TestError>())
        lazy.observe(stages.observer)
        source.compactMap(lazy.rule).mapError { _ in .second }.observe(rule.observer)
        for value in 0..<10 { input.send(value: value) }
        input.send(error: .first)
        #expect(stages.events == [.value("0"), .value("6"), .value("12"), .value("18"), .failed(.second)])
        #expect(stages.events == rule.events)
    }

    @Test func closuresThatCaptureNothingAreTold() {
        // Not a constant, which an optimised build would not capture.
        let three = Int("3") ?? 0
        let captures = { (value: Int) in value * three }
        let told = (Transform { (value: Int) in value + 1 }.capturesNothing, Transform(captures).capturesNothing)
        #expect(told == (true, false))
    }

    /// Each observation has a state of its own, and runs the closures for itself; those of one signal share it.
    @Test func observationsShareNothing() {
        let (source, input) = Signal<Int, Never>.pipe()
        let calls = Counter()
        let sums = source.lazy.scan(0) { (sum: Int, value: Int) -> Int in
            calls.increment()
            return sum + value
        }
        let recorders = (0..<4).map { _ in EventRecorder<Int, Never>() }
        sums.observe(recorders[0].observer)
        input.send(value: 1)
        #expect(calls.value == 1)
        sums.observe(recorders[1].observer)
        let signal = sums.signal
        signal.observe(recorders[2].observer)
        signal.observe(recorders[3].observer)
        input.send(value: 2)
        #expect(calls.value == 4)
        #expect(recorders.map { $0.events } == [[.value(1), .value(3)], [.value(2)], [.value(2)], [.value(2)]])
    }

    /// A lazy signal that nobody observes attaches nothing to its source.
    @Test func nothingRunsBeforeTheObservation() {
        let (source, input) = Signal<Int, Never>.pipe()
        let calls = Counter()
        let doubled = source.lazy.map { (value: Int) -> Int in
            calls.increment()
            return value * 2
        }
        input.send(value: 1)
        #expect(calls.value == 0)
        input.sendCompleted()
        let recorder = EventRecorder<Int, Never>()
        #expect(doubled.observe(recorder.observer) == nil)
        #expect(recorder.events == [.interrupted])
    }

    @Test func resultsAreObserved() {
        let (source, input) = Signal<Int, TestError>.pipe()
        let results = EventRecorder<Result<Int, TestError>, Never>()
        source.lazy.map { $0 + 1 }.observeResult { results.observer.send(value: $0) }
        input.send(value: 1)
        input.send(error: .first)
        #expect(results.events == [.value(.success(2)), .value(.failure(.first))])
    }

    /// The last value is passed on before the end, and the stage that is farthest down decides how the stream ends.
    @Test func theLastEndCounts() {
        let (source, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        source.lazy.take(until: { $0 < 2 }).attempt { $0 < 2 ? .success(()) : .failure(.second) }
            .observe(recorder.observer)
        for value in 0..<4 { input.send(value: value) }
        #expect(recorder.events == [.value(0), .value(1), .failed(.second)])
    }
}

/// Operators, what is sent to them, and what their closures do besides.
struct LazyCase: CustomStringConvertible {
    typealias Source = Signal<Int, TestError>

    enum Operator: CaseIterable {
        case map, filter, compactMap, on, mapError, scan, scanInto, scanMap, skipWhile, skipRepeats, skipRepeatsBy
        case takeWhile, takeUntil, attempt, attemptMap
    }

    /// What happens inside a callback, or between two events.
    enum Action: CaseIterable {
        case dispose, send, complete, fail, interrupt
    }

    let operators: [Operator]
    let events: [Source.Event]

    /// By the number of callbacks before.
    let actions: [Int: Action]

    init(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        operators = (0..<Int.random(in: 0...6, using: &dice)).map { _ in
            Operator.allCases.randomElement(using: &dice) ?? .map
        }
        events = (0..<12).map { _ in
            switch Int.random(in: 0..<40, using: &dice) {
            case 0: .completed
            case 1: .failed(.first)
            case 2: .interrupted
            default: .value(Int.random(in: 0..<9, using: &dice))
            }
        }
        let count = Int.random(in: 0...2, using: &dice)
        actions = [Int: Action](
            (0..<count).map { _ in
                (Int.random(in: 0..<20, using: &dice), Action.allCases.randomElement(using: &dice) ?? .send)
            },
            uniquingKeysWith: { $1 })
    }

    var description: String { "\(operators), \(events), \(actions)" }

    /// The calls of closures and the events that are delivered.
    func run(_ build: (LazyWorld, Source, ArraySlice<Operator>) -> Source) -> [String] {
        let world = LazyWorld(actions)
        let (source, input) = Source.pipe(disposable: AnyDisposable { world.note("resources") })
        world.input = input
        world.disposable = build(world, source, operators[...]).observe { world.receive($0) }
        for event in events {
            input.send(event)
            world.note("sent")
        }
        world.note("disposed: \(world.disposable?.isDisposed ?? true)")
        world.input = nil
        return world.log
    }
}

/// Where one run of a case writes what happens.
final class LazyWorld: @unchecked Sendable {  // One thread uses it.
    private(set) var log: [String] = []
    private let actions: [Int: LazyCase.Action]
    var input: LazyCase.Source.Observer?
    var disposable: (any Disposable)?

    init(_ actions: [Int: LazyCase.Action]) { self.actions = actions }

    /// Whether the end has been delivered. Closures of plain operators above the one that has ended still run for events that its
    /// observer sends then. Those of lazy ones don't.
    private var hasEnded = false

    func receive(_ event: LazyCase.Source.Event) {
        hasEnded = event.isTerminating
        note("\(event)")
    }

    private func noteCall(_ text: String) { if !hasEnded { note(text) } }

    func note(_ text: String) {
        log.append(text)
        switch actions[log.count] {
        case .dispose?: disposable?.dispose()
        case .send?: input?.send(value: 4)
        case .complete?: input?.sendCompleted()
        case .fail?: input?.send(error: .second)
        case .interrupt?: input?.sendInterrupted()
        case nil: break
        }
    }

    /// A closure that notes its calls.
    private func noting<R>(_ name: Int, _ body: @escaping (Int) -> R) -> (Int) -> R {
        { value in
            self.noteCall("\(name)(\(value))")
            return body(value)
        }
    }

    private func notingBoth<R>(_ name: Int, _ body: @escaping (Int, Int) -> R) -> (Int, Int) -> R {
        { first, second in
            self.noteCall("\(name)(\(first), \(second))")
            return body(first, second)
        }
    }

    private func mapsError(_ name: Int) -> (TestError) -> TestError {
        { error in
            self.noteCall("\(name)(\(error))")
            return error == .first ? .second : .first
        }
    }

    private func attempts(_ value: Int) -> Result<Int, TestError> {
        value % 11 == 10 ? .failure(.second) : .success(value + 1)
    }

    func plainly(_ source: LazyCase.Source, _ operators: ArraySlice<LazyCase.Operator>) -> LazyCase.Source {
        var result = source
        for (name, next) in zip(operators.indices, operators) {
            switch next {
            case .map: result = result.map(noting(name) { ($0 * 3 + 1) % 23 })
            case .filter: result = result.filter(noting(name) { $0 % 3 != 0 })
            case .compactMap: result = result.compactMap(noting(name) { $0 % 4 == 0 ? nil : $0 + 1 })
            case .on: result = result.on(value: noting(name) { _ in })
            case .mapError: result = result.mapError(mapsError(name))
            case .scan: result = result.scan(1, notingBoth(name) { ($0 + $1) % 19 })
            case .scanInto: result = result.scan(into: 1) { [self] in $0 = notingBoth(name) { ($0 + $1) % 17 }($0, $1) }
            case .scanMap:
                result = result.scanMap(into: 1) { [self] state, value in
                    state = notingBoth(name) { ($0 + $1) % 13 }(state, value)
                    return state + 1
                }
            case .skipWhile: result = result.skip(while: noting(name) { $0 < 3 })
            case .skipRepeats: result = result.skipRepeats()
            case .skipRepeatsBy: result = result.skipRepeats(notingBoth(name) { $0 / 2 == $1 / 2 })
            case .takeWhile: result = result.take(while: noting(name) { $0 % 8 != 7 })
            case .takeUntil: result = result.take(until: noting(name) { $0 % 7 != 6 })
            case .attempt: result = result.attempt(noting(name) { [self] in attempts($0).map { _ in } })
            case .attemptMap: result = result.attemptMap(noting(name) { [self] in attempts($0) })
            }
        }
        return result
    }

    func lazily(_ source: LazyCase.Source, _ operators: ArraySlice<LazyCase.Operator>) -> LazyCase.Source {
        lazily(source.lazy, operators)
    }

    private func lazily<Stages: LazyStages<Int, TestError>>(
        _ source: LazySignal<Stages>, _ operators: ArraySlice<LazyCase.Operator>
    ) -> LazyCase.Source {
        let (name, rest) = (operators.startIndex, operators.dropFirst())
        switch operators.first {
        case .map?: return lazily(source.map(noting(name) { ($0 * 3 + 1) % 23 }), rest)
        case .filter?: return lazily(source.filter(noting(name) { $0 % 3 != 0 }), rest)
        case .compactMap?: return lazily(source.compactMap(noting(name) { $0 % 4 == 0 ? nil : $0 + 1 }), rest)
        case .on?: return lazily(source.on(value: noting(name) { _ in }), rest)
        case .mapError?: return lazily(source.mapError(mapsError(name)), rest)
        case .scan?: return lazily(source.scan(1, notingBoth(name) { ($0 + $1) % 19 }), rest)
        case .scanInto?:
            return lazily(source.scan(into: 1) { [self] in $0 = notingBoth(name) { ($0 + $1) % 17 }($0, $1) }, rest)
        case .scanMap?:
            let stage = source.scanMap(into: 1) { [self] (state: inout Int, value: Int) -> Int in
                state = notingBoth(name) { ($0 + $1) % 13 }(state, value)
                return state + 1
            }
            return lazily(stage, rest)
        case .skipWhile?: return lazily(source.skip(while: noting(name) { $0 < 3 }), rest)
        case .skipRepeats?: return lazily(source.skipRepeats(), rest)
        case .skipRepeatsBy?: return lazily(source.skipRepeats(notingBoth(name) { $0 / 2 == $1 / 2 }), rest)
        case .takeWhile?: return lazily(source.take(while: noting(name) { $0 % 8 != 7 }), rest)
        case .takeUntil?: return lazily(source.take(until: noting(name) { $0 % 7 != 6 }), rest)
        case .attempt?: return lazily(source.attempt(noting(name) { [self] in attempts($0).map { _ in } }), rest)
        case .attemptMap?: return lazily(source.attemptMap(noting(name) { [self] in attempts($0) }), rest)
        case nil: return source.signal
        }
    }
}
