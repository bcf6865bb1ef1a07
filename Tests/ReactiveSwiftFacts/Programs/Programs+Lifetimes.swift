import ReactiveSwift

/// When what belongs to a stream is released.
extension Programs {
    mutating func addLifetimes() {
        add("lifetime-deinit-order") { log in
            func leave() {
                let captured = Tracked("captured", log)
                let (output, input) = Infallible.pipe(disposable: log.disposable("pipe disposable"))
                let mapped = output.map { value -> Int in
                    _ = captured
                    return value
                }
                mapped.observe(log.events("obs"))
                input.send(value: 1)
                log("leaving")
            }
            leave()
            log("left")
        }
        add("observer-released-by-completion") { log in
            var tracked: Tracked? = Tracked("inObserver", log)
            let (output, input) = Infallible.pipe()
            output.observe { [tracked] event in
                _ = tracked
                log("\(event)")
            }
            tracked = nil
            log("nil")
            input.sendCompleted()
            log("after completed")
            withExtendedLifetime(output) {}
        }
        add("producer-captures-deinit") { log in
            do {
                let recipe = Tracked("recipe", log)
                let producer = InfallibleProducer { observer, lifetime in
                    let start = Tracked("start", log)
                    lifetime.observeEnded {
                        _ = start
                        log("ended")
                    }
                    observer.send(value: 1)
                    _ = recipe
                    observer.sendCompleted()
                    log("handler returns")
                }
                producer.start(log.events("s"))
                log("started")
            }
            log("out")
        }
        add("lifetime-token-order") { log in
            var token: Lifetime.Token? = Lifetime.Token()
            let lifetime = token.map { Lifetime($0) } ?? .empty
            lifetime.observeEnded { log("first") }
            let second = lifetime.observeEnded { log("second") }
            lifetime += log.disposable("third")
            lifetime.ended.observeCompleted { log("ended signal") }
            second?.dispose()
            log("ended? \(lifetime.hasEnded)")
            token = nil
            log("ended? \(lifetime.hasEnded)")
            lifetime.observeEnded { log("late") }
        }
        add("b2-lifetime-ops") { log in
            let (lifetime, token) = Lifetime.make()
            lifetime.observeEnded { log("e1") }
            let serial = SerialDisposable()
            serial.inner = log.disposable("serial")
            lifetime += serial
            let removed = lifetime += log.disposable("removed")
            removed?.dispose()
            log("\(Lifetime.empty.hasEnded)")
            token.dispose()
            log("\(lifetime.hasEnded)")
            let late = lifetime.observeEnded { log("immediately") }
            log("\(late == nil)")
        }
        add("composite-dispose-order") { log in
            let composite = CompositeDisposable()
            for number in 1...4 {
                composite += AnyDisposable {
                    log("d\(number)")
                    if number == 2 { composite += log.disposable("added during") }
                }
            }
            composite.dispose()
            composite += log.disposable("added after")
            let serial = SerialDisposable(log.disposable("serial old"))
            serial.inner = log.disposable("serial new")
            log("set")
            serial.dispose()
            serial.inner = log.disposable("serial late")
            do {
                let scoped = ScopedDisposable(log.disposable("scoped"))
                _ = scoped.isDisposed
            }
            log("end")
        }
        add("observer-deinit-interrupts") { log in
            func inputAndOutput() -> (Infallible, Infallible.Observer?) {
                let (output, input) = Infallible.pipe()
                return (output, input)
            }
            let output: Infallible
            var input: Infallible.Observer?
            (output, input) = inputAndOutput()
            output.observe(log.events("s"))
            input?.send(value: 1)
            input = nil
            log("nil")
            output.observe(log.events("late"))
            let generated = Infallible { observer, lifetime in
                lifetime.observeEnded { log("gen ended") }
                observer.send(value: 1)
            }
            generated.observe(log.events("hot"))
            func producer(_ entry: String) -> InfallibleProducer {
                InfallibleProducer { observer, lifetime in
                    lifetime.observeEnded { log(entry) }
                    observer.send(value: 1)
                }
            }
            producer("ended").start(log.events("prod"))
            log("x")
            let held = producer("ended2").start(log.events("prod2"))
            log("y")
            held.dispose()
            log("z")
            Infallible.Observer(value: log.values("o"), interrupted: { log("o int") }).send(value: 3)
        }
        add("signal-unobserved-source-disposal") { log in
            let (output, input) = Infallible.pipe(disposable: log.disposable("pipe disposed"))
            var mapped: Infallible? = output.map { value -> Int in
                log("map \(value)")
                return value
            }.on(disposed: { log("map disposed") })
            input.send(value: 1)
            let observation = mapped?.observe(log.events("m"))
            input.send(value: 2)
            mapped = nil
            input.send(value: 3)
            observation?.dispose()
            log("obs disposed")
            input.send(value: 4)
            let start = SignalProducer<Infallible, Never>(value: output).flatten(.merge).start(log.events("f"))
            input.send(value: 5)
            start.dispose()
            input.send(value: 6)
            log("end")
            withExtendedLifetime(output) {}
        }
        add("b2-composed-signal-chain-gc") { log in
            weak var observed: Infallible?
            let (output, input) = Infallible.pipe()
            do {
                let chain = output.map { $0 }.filter { _ in true }
                observed = chain
                chain.observeValues(log.values("v"))
            }
            log("alive \(observed != nil)")
            input.send(value: 1)
            input.sendCompleted()
            log("alive \(observed != nil)")
            weak var unobserved: Infallible?
            do {
                let chain = output.map { $0 }
                unobserved = chain
            }
            log("\(unobserved == nil)")
        }
    }
}
