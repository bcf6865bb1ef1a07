import ReactiveSwift

/// What follows the end of a source: the next one, the end of the result, and the disposal of what the source held.
extension Programs {
    mutating func addFollowing() {
        add("merge-concat-resource-order") { log in
            func source(_ name: String) -> NumberProducer { completing(name, log, value: 1) }
            let (a, b) = (source("a"), source("b"))
            a.concat(b).start(log.events("concat"))
            SignalProducer.merge(a, b).start(log.events("merge"))
            a.then(b).start(log.events("then"))
            SignalProducer([a, b]).flatten(.latest).start(log.events("latest"))
            SignalProducer([a, b]).flatten(.race).start(log.events("race"))
            a.prefix(b).start(log.events("prefix"))
            SignalProducer.zip(a, b).start(log.events("zip"))
            SignalProducer.combineLatest(a, b).start(log.events("cl"))
            a.take(first: 1).start(log.events("take"))
            a.concat(value: 9).prefix(value: 0).start(log.events("cv"))
            a.flatMap(.merge) { _ in b }.repeat(2).start(log.events("fm2"))
        }
        add("m-sync-concat") { log in
            let (a, b) = (completing("a", log), completing("b", log))
            a.concat(b).start(log.events("c"))
            log("--")
            SignalProducer.merge(a, b).start(log.events("m"))
            log("--")
            a.concat(value: 1).start(log.events("cv"))
        }
        add("m-concat-async") { log in
            for hasHook in [false, true] {
                let inputs = Inputs()
                waiting("a", log, inputs, hasHook).concat(waiting("b", log, inputs, hasHook)).start(log.events("c"))
                inputs.complete("a")
                log("a done")
                inputs.complete("b")
                log("b done --")
            }
        }
        add("m-concat-value-async") { log in
            let inputs = Inputs()
            waiting("a", log, inputs, false).concat(value: 9).start(log.events("c"))
            inputs.complete("a")
        }
        add("m-merge-async") { log in
            for hasHook in [false, true] {
                let inputs = Inputs()
                SignalProducer.merge(waiting("a", log, inputs, hasHook), waiting("b", log, inputs, hasHook))
                    .start(log.events("m"))
                inputs.complete("a")
                log("a done")
                inputs.complete("b")
                log("b done --")
            }
        }
        add("m-flatten-concat-async") { log in
            for hasHook in [false, true] {
                let inputs = Inputs()
                let (outer, input) = Signal<NumberProducer, Failure>.pipe()
                outer.flatten(.concat).observe(log.events("f"))
                input.send(value: waiting("a", log, inputs, hasHook))
                input.send(value: waiting("b", log, inputs, hasHook))
                input.sendCompleted()
                inputs.complete("a")
                log("a done")
                inputs.complete("b")
                log("--")
            }
        }
    }
}

/// The observers of starts, by the names of their sources.
private final class Inputs {
    var byName: [String: Numbers.Observer] = [:]

    func complete(_ name: String) { byName[name]?.sendCompleted() }
}

/// A source that completes in its start handler.
private func completing(_ name: String, _ log: Log, value: Int? = nil) -> NumberProducer {
    NumberProducer { observer, lifetime in
        log("\(name) start")
        lifetime.observeEnded { log("\(name) ended") }
        if let value { observer.send(value: value) }
        observer.sendCompleted()
        log("\(name) returns")
    }
}

/// A source that goes on when its start handler has returned.
private func waiting(_ name: String, _ log: Log, _ inputs: Inputs, _ hasHook: Bool) -> NumberProducer {
    let source = NumberProducer { observer, lifetime in
        log("\(name) start")
        inputs.byName[name] = observer
        lifetime.observeEnded { log("\(name) ended") }
    }
    return hasHook ? source.on(disposed: { log("\(name) on-disposed") }) : source
}
