import ReactiveSwift

/// How a source ends.
enum Ending: CaseIterable {
    case completed, failed, interrupted
}

/// Where an operator's end is observed: a source whose starts and disposals are recorded, other sources that send one value and go on,
/// triggers that never fire, and a clock.
///
/// The steps are those of `Ends.md`: `value` for one or several values, `completed`, `failed` and `interrupted` of the result,
/// `disposal` and another `start` of the source.
final class EndingStage {
    let scheduler = TestScheduler()
    private var inputs: [Numbers.Observer] = []
    private var others: [() -> Void] = []
    private var kept: [AnyObject] = []
    private var hasStarted = false
    private let log = Log()

    /// What the operator is applied to.
    var source: NumberProducer {
        NumberProducer { [unowned self] input, lifetime in
            if hasStarted { log("start") }
            hasStarted = true
            inputs.append(input)
            lifetime.observeEnded { [log] in log("disposal") }
        }
    }

    /// The same, if it can't fail.
    var infallibleSource: InfallibleProducer { source.flatMapError { _ in .empty } }

    /// Another source.
    var other: NumberProducer {
        let (output, input) = Numbers.pipe()
        others.append { input.send(value: 1) }
        kept.append(output)
        return NumberProducer(output)
    }

    /// Another source that can't fail.
    var infallibleOther: InfallibleProducer {
        let (output, input) = Infallible.pipe()
        others.append { input.send(value: 1) }
        kept.append(output)
        return InfallibleProducer(output)
    }

    var trigger: SignalProducer<(), Never> {
        let (output, input) = Signal<(), Never>.pipe()
        kept.append(output)
        kept.append(input)
        return SignalProducer(output)
    }

    /// Keeps an object alive as long as the stage.
    func keep(_ object: AnyObject) { kept.append(object) }

    func start<Value, Error>(_ producer: SignalProducer<Value, Error>) -> Disposable {
        producer.start { [log] event in
            switch event {
            case .value: log("value")
            case .failed: log("failed")
            case .completed: log("completed")
            case .interrupted: log("interrupted")
            }
        }
    }

    /// What follows when the source of a started operator ends after two values.
    func outcome(of ending: Ending) -> String {
        scheduler.advance(by: .seconds(1))
        for other in others { other() }
        inputs.first?.send(value: 2)
        inputs.first?.send(value: 4)
        guard Set(log.take()).isDisjoint(with: ["completed", "failed", "interrupted"]) else { return "ended before" }
        let input = inputs.removeFirst()
        switch ending {
        case .completed: input.sendCompleted()
        case .failed: input.send(error: Failure(number: 1))
        case .interrupted: input.sendInterrupted()
        }
        let atOnce = steps()
        scheduler.advance(by: .seconds(50))
        let later = steps()
        return (atOnce.isEmpty ? "–" : atOnce) + (later.isEmpty ? "" : "; then \(later)")
    }

    /// The steps so far. Values that follow one another are one step.
    private func steps() -> String {
        var steps: [String] = []
        for step in log.take() where step != "value" || steps.last != "value" { steps.append(step) }
        return steps.joined(separator: ", ")
    }
}
