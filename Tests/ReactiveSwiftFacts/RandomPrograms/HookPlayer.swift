import ReactiveSwift

/// Plays a row of the family `hooks`.
///
/// Its third field begins with `H A[1, 2]3 B[5]0 vN`: which stages have hooks (0: none, 1: all, 2: the first), the values that the
/// start handlers of the sources `a` and `b` send, and how they end in the handler (0: not, 1: completed, 2: failed,
/// 3: interrupted), and `v0` if the observer disposes of the start at each value. The script follows, with the steps of the family
/// `signals`; `t` lets 700 milliseconds pass, and the sends go to the latest start of the source.
///
/// The output has `a(`, `a)` and `ax` for the begin and the end of a start handler and the end of its lifetime; `0s`, `0S`, `0t` and
/// `0d` for the hooks of the first stage (starting, started, terminated, disposed), and so on; `D` for a disposal in the setup of
/// `startWithSignal`, and a `|` before each step.
final class HookPlayer {
    private let trigger = Signal<(), Never>.pipe()
    private let scheduler = TestScheduler()
    private let lifetime: Lifetime
    private var token: Lifetime.Token?
    private var disposable: Disposable?
    private var starts: [String: [Numbers.Observer]] = ["a": [], "b": []]
    private let program: RandomProgram
    private let header: Header
    private let log = Log()

    init(_ program: RandomProgram) throws {
        self.program = program
        header = try Header(program)
        (lifetime, token) = Lifetime.make()
    }

    func play() throws -> String {
        // What this object holds is released after the last entry, in an optimised build, too.
        defer { withExtendedLifetime(self) {} }
        var names = program.operators.split(separator: ">").map(String.init)
        let isSetUp = names.last == "SWS"
        if isSetUp { names.removeLast() }

        let b = header.hasHooksOnB ? hooked(source("b", header.b), "b") : source("b", header.b)
        var stages = source("a", header.a)
        for (index, name) in names.enumerated() {
            stages = try applying(name, to: stages, with: b)
            if header.hooks == 1 || header.hooks == 2 && index == 0 { stages = hooked(stages, "\(index)") }
        }
        if isSetUp {
            stages.startWithSignal { signal, disposable in
                self.disposable = disposable
                signal.observe(observer)
                if header.isDisposedInSetup {
                    log("D")
                    disposable.dispose()
                }
            }
        } else {
            disposable = stages.start(observer)
        }
        for step in header.script {
            log("|")
            try play(step)
        }
        log("|")
        disposable?.dispose()
        return log.take().joined(separator: " ")
    }

    private func observer(_ event: Numbers.Event) {
        log(event.shorthand)
        if event.value != nil, header.disposesAtValues { disposable?.dispose() }
    }

    private func play(_ step: String) throws {
        switch step {
        case "u": trigger.input.send(value: ())
        case "t": scheduler.advance(by: .milliseconds(700))
        case "k": token = nil
        case "D": disposable?.dispose()
        case "end": scheduler.advance(by: .seconds(20))
        default:
            let name = String(step.prefix(1))
            guard let inputs = starts[name] else { throw MalformedRow(row: step) }
            switch step.dropFirst() {
            case "C": inputs.last?.sendCompleted()
            case "F": inputs.last?.send(error: Failure(number: name == "a" ? 1 : 2))
            case "I": inputs.last?.sendInterrupted()
            case let rest:
                guard let value = Int(rest) else { throw MalformedRow(row: step) }
                inputs.last?.send(value: value)
            }
        }
    }

    private func source(_ name: String, _ handler: Header.Handler) -> NumberProducer {
        NumberProducer { [log] input, lifetime in
            log("\(name)(")
            lifetime.observeEnded { log("\(name)x") }
            self.starts[name]?.append(input)
            for value in handler.values { input.send(value: value) }
            switch handler.end {
            case 1: input.sendCompleted()
            case 2: input.send(error: Failure(number: 1))
            case 3: input.sendInterrupted()
            default: break
            }
            log("\(name))")
        }
    }

    private func hooked(_ source: NumberProducer, _ name: String) -> NumberProducer {
        let log = log
        return source.on(
            starting: { log("\(name)s") }, started: { log("\(name)S") },
            terminated: { log("\(name)t") }, disposed: { log("\(name)d") })
    }

    private func applying(_ name: String, to source: NumberProducer, with b: NumberProducer) throws -> NumberProducer {
        switch name {
        case "map": return source.map { $0 &+ 1 }
        case "collect": return source.collect().map { $0.count }
        case "materialize": return source.materialize().map { _ in 3 }.promoteError(Failure.self)
        case "attempt":
            return source.attempt { value -> Result<(), Failure> in
                value == 2 ? .failure(Failure(number: 7)) : .success(())
            }
        case "take1": return source.take(first: 1)
        case "take2": return source.take(first: 2)
        case "takeLast": return source.take(last: 1)
        case "takeUntil": return source.take(until: trigger.output)
        case "takeDuring": return source.take(during: lifetime)
        case "untilReplB": return source.take(untilReplacement: b)
        case "sampleOn": return source.sample(on: trigger.output)
        case "withLatestB":
            return source.withLatest(from: b.flatMapError { _ in SignalProducer<Int, Never>.empty }).map { $0.0 }
        case "mergeB": return NumberProducer.merge([source, b])
        case "combineB": return source.combineLatest(with: b).map { digits($0) }
        case "zipB": return source.zip(with: b).map { digits($0) }
        case "fmMerge": return source.flatMap(.merge) { _ in b }
        case "fmConcat": return source.flatMap(.concat) { _ in b }
        case "fmConc2": return source.flatMap(.concurrent(limit: 2)) { _ in b }
        case "fmLatest": return source.flatMap(.latest) { _ in b }
        case "fmRace": return source.flatMap(.race) { _ in b }
        case "fme": return source.flatMapError { _ in b }
        case "retry": return source.retry(upTo: 1)
        case "retryI": return source.retry(upTo: 1, interval: 1, on: scheduler)
        case "repeat": return source.repeat(2)
        case "concatB": return source.concat(b)
        case "concatV": return source.concat(value: 77)
        case "concatE": return source.concat(error: Failure(number: 4))
        case "prefixB": return source.prefix(b)
        case "prefixV": return source.prefix(value: 66)
        case "thenB": return source.then(b)
        case "replay": return source.replayLazily(upTo: 1)
        case "startOn": return source.start(on: scheduler)
        case "observeOn": return source.observe(on: scheduler)
        case "delay": return source.delay(1, on: scheduler)
        case "debounce": return source.debounce(1, on: scheduler)
        default: throw MalformedRow(row: name)
        }
    }
}

extension HookPlayer {
    /// What the third field says before the script, and what only the output tells.
    struct Header {
        struct Handler {
            let values: [Int]
            let end: Int
        }

        let hooks: Int
        let a: Handler
        let b: Handler
        let disposesAtValues: Bool
        let script: [String]
        /// Whether source `b` has hooks. The row doesn't say it, but the first of them is in the output as soon as `b` is started.
        let hasHooksOnB: Bool
        /// Whether the setup of `startWithSignal` disposes of the start. The row doesn't say it, but the output has a `D` then.
        let isDisposedInSetup: Bool

        init(_ program: RandomProgram) throws {
            let pattern = #/(\d) A\[([\d, ]*)\](\d) B\[([\d, ]*)\](\d) v(\d) (.*)/#
            guard let match = program.script.wholeMatch(of: pattern), let hooks = Int(match.1),
                let endOfA = Int(match.3), let endOfB = Int(match.5)
            else { throw MalformedRow(row: program.script) }
            func values(_ list: Substring) -> [Int] { list.split(separator: ", ").compactMap { Int($0) } }
            self.hooks = hooks
            a = Handler(values: values(match.2), end: endOfA)
            b = Handler(values: values(match.4), end: endOfB)
            disposesAtValues = match.6 == "0"
            script = match.7.split(separator: " ").map(String.init)
            let printed = program.expected.split(separator: " ")
            hasHooksOnB = printed.contains("bs")
            isDisposedInSetup = printed.contains("D")
        }
    }
}
