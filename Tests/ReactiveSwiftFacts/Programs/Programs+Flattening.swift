import ReactiveSwift

/// Streams of streams: how they end.
extension Programs {
    mutating func addFlattening() {
        add("flatten-interrupted-inners") { log in
            let strategies: [(String, FlattenStrategy)] = [
                ("merge", .merge), ("concat", .concat), ("latest", .latest), ("race", .race),
                ("conc1", .concurrent(limit: 1)), ("throttle", .throttle),
            ]
            for (name, strategy) in strategies {
                let (outer, input) = Signal<NumberProducer, Failure>.pipe()
                let (first, firstInput) = Numbers.pipe()
                let (second, secondInput) = Numbers.pipe()
                outer.flatten(strategy).observe(log.events(name))
                input.send(value: NumberProducer(first).on(disposed: { log("\(name) a disposed") }))
                input.send(
                    value: NumberProducer(second).on(
                        started: { log("\(name) b started") }, disposed: { log("\(name) b disposed") }))
                firstInput.send(value: 1)
                secondInput.send(value: 2)
                firstInput.sendInterrupted()
                log("\(name) a int")
                secondInput.send(value: 3)
                input.sendCompleted()
                log("\(name) outer done")
                secondInput.sendInterrupted()
                log("\(name) b int")
            }
        }
        add("flatten-outer-ends") { log in
            let strategies: [(String, FlattenStrategy)] = [
                ("merge", .merge), ("concat", .concat), ("latest", .latest), ("race", .race), ("throttle", .throttle),
            ]
            for (name, strategy) in strategies {
                for round in 0..<3 {
                    let (outer, input) = Signal<NumberProducer, Failure>.pipe()
                    let (inner, innerInput) = Numbers.pipe()
                    outer.flatten(strategy).observe(log.events("\(name)\(round)"))
                    input.send(value: NumberProducer(inner).on(disposed: { log("a disposed") }))
                    innerInput.send(value: 1)
                    switch round {
                    case 0: input.send(error: Failure(number: 1))
                    case 1: input.sendInterrupted()
                    default:
                        input.sendCompleted()
                        innerInput.send(error: Failure(number: 2))
                    }
                    innerInput.send(value: 2)
                }
            }
        }
        add("m-throttle-inner-int") { log in
            let (outer, input) = Numbers.pipe()
            let (inner, innerInput) = Numbers.pipe()
            outer.flatMap(.throttle) { _ in inner }.observe(log.events("t"))
            input.send(value: 1)
            innerInput.sendInterrupted()
            log("inner interrupted")
            input.send(value: 2)
            input.sendCompleted()
        }
    }
}
