import Foundation
import ReactiveSwift

/// Plays a row of the families `signals` and `producers`: the operators from the inside out on source `a`, then the script.
///
/// The steps of a script: `a3` sends 3 to source `a`, `aC`, `aF` and `aI` end it, and so for `b` and `c`; `u` triggers, `uC` ends
/// the trigger; `g` toggles the gate; `k` ends the lifetime; `t7` lets 300 milliseconds times 7 modulo 5 pass; `D` disposes of the
/// observation; `end` lets 20 seconds pass. The output has a `|` before each step.
final class StreamPlayer {
    let a = Numbers.pipe()
    let b = Numbers.pipe()
    let c = Numbers.pipe()
    let trigger = Signal<(), Never>.pipe()
    let scheduler = TestScheduler()
    let gate: MutableProperty<Bool>
    let lifetime: Lifetime
    private var token: Lifetime.Token?
    private var disposable: Disposable?
    private let program: RandomProgram
    private let log = Log()

    init(_ program: RandomProgram) {
        self.program = program
        gate = MutableProperty(Self.isGateClosed(seed: program.seed))
        (lifetime, token) = Lifetime.make()
    }

    /// Whether the gate holds values back at first. This is the only thing that a row doesn't say. The generator chose it first.
    private static func isGateClosed(seed: Int) -> Bool {
        var generator = RecordedGenerator(seed: seed, factor: 7919, summand: 12345)
        return generator.next(below: 2) == 0
    }

    func play() throws -> String {
        // What this object holds is released after the last entry, in an optimised build, too.
        defer { withExtendedLifetime(self) {} }
        let log = log
        let observe: Numbers.Observer.Action = { log($0.shorthand) }
        let names = program.operators.split(separator: ">").map(String.init)
        if program.family == .signals {
            disposable = try names.reduce(a.output) { try applying($1, to: $0) }.observe(observe)
        } else {
            disposable = try names.reduce(NumberProducer(a.output)) { try applying($1, to: $0) }.start(observe)
        }
        for step in program.script.split(separator: " ") {
            log("|")
            try play(String(step))
        }
        return log.take().joined(separator: " ")
    }

    private func play(_ step: String) throws {
        let subject = step.first
        let rest = step.dropFirst()
        switch subject {
        case "a": try send(rest, to: a.input, failure: 1)
        case "b": try send(rest, to: b.input, failure: 2)
        case "c": try send(rest, to: c.input, failure: 3)
        case "u" where rest.isEmpty: trigger.input.send(value: ())
        case "u" where rest == "C": trigger.input.sendCompleted()
        case "g" where rest.isEmpty: gate.value.toggle()
        case "k" where rest.isEmpty: token = nil
        case "D" where rest.isEmpty: disposable?.dispose()
        case "e" where rest == "nd": scheduler.advance(by: .seconds(20))
        case "t":
            guard let factor = Int(rest) else { throw MalformedRow(row: step) }
            scheduler.advance(by: .milliseconds(300 * (factor % 5)))
        default: throw MalformedRow(row: step)
        }
    }

    private func send(_ what: Substring, to input: Numbers.Observer, failure: Int) throws {
        switch what {
        case "C": input.sendCompleted()
        case "F": input.send(error: Failure(number: failure))
        case "I": input.sendInterrupted()
        default:
            guard let value = Int(what) else { throw MalformedRow(row: String(what)) }
            input.send(value: value)
        }
    }
}

extension Signal.Event where Value == Int, Error == Failure {
    /// How the rows write an event.
    var shorthand: String {
        switch self {
        case .value(let value): "\(value)"
        case .failed(let failure): "F\(failure.number)"
        case .completed: "C"
        case .interrupted: "I"
        }
    }
}
