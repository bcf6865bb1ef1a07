import ReactiveSwift

/// Errors, their types, and how events describe themselves.
extension Programs {
    mutating func addErrors() {
        add("promote-never-overloads") { log in
            let never = InfallibleProducer(value: 1)
            let promoted: NumberProducer = never.promoteError(Failure.self)
            promoted.start(log.events("promote"))
            let valueless: NumberProducer = SignalProducer<Never, Failure>.empty.promoteValue()
            valueless.start(log.events("pv"))
            never.flatMap(.concat) { number -> NumberProducer in NumberProducer(error: Failure(number: number)) }
                .start(log.events("fm"))
            promoted.flatMapError { _ in InfallibleProducer(value: 2) }.start(log.events("fme"))
            NumberProducer(error: Failure()).then(never).start(log.events("then"))
            never.then(SignalProducer<String, Failure>(value: "x")).start(log.events("then2"))
            let recovered: InfallibleProducer = NumberProducer(value: 3).flatMapError { _ in .empty }
            never.zip(with: recovered).start(log.events("zip"))
            promoted.attempt { value -> Result<(), Failure> in
                value > 5 ? .success(()) : .failure(Failure(number: 5))
            }.start(log.events("attempt"))
            promoted.attemptMap { value -> Result<String, Failure> in .success("\(value)") }
                .start(log.events("attemptMap"))
            never.attempt { _ in throw Failure(number: 6) }.start(log.events("att"))
            never.materialize().start(log.events("mat"))
            promoted.materializeResults().start(log.events("mr"))
            never.materialize().dematerialize().start(log.events("demat"))
            promoted.mapError { _ in Failure(number: 8) }.start(log.events("mapError"))
        }
        add("print-descriptions") { log in
            typealias Event = Numbers.Event
            log("\(Event.value(1)) \(Event.failed(Failure())) \(Event.completed) \(Event.interrupted)")
            log("\(ActionError<Failure>.disabled) \(ActionError.producerFailed(Failure()))")
            log(String(reflecting: Event.value(1)))
            log("\(Event.value(1) == .value(1)) \(ActionError<Failure>.disabled == .disabled)")
            let error = Event.failed(Failure()).error.map { "Optional(\($0))" } ?? "nil"
            log("\(Event.value(1).map { $0 + 1 }) \(error) \(Event.interrupted.isTerminating)")
            let (output, input) = Numbers.pipe()
            let lines = Atomic<[String]>([])
            output.logEvents(
                identifier: "id", fileName: "f", functionName: "fn", lineNumber: 3,
                logger: { identifier, event, file, function, line in
                    lines.modify { $0.append("\(identifier)|\(event)|\(file)|\(function)|\(line)") }
                }
            ).observe { _ in }
            input.send(value: 1)
            input.send(error: Failure())
            for line in lines.value { log(line) }
        }
    }
}
