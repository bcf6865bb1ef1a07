import ReactiveSwift

/// What keeps a start alive whose handler hasn't kept its observer, and a start on a scheduler that is released.
extension Programs {
    mutating func addHolding() {
        addReleasedSchedulers()
        addHolders()
        add("n-sws-holder") { log in
            var start: Disposable?
            endless(log).startWithSignal { signal, disposable in
                signal.observe(log.events("a"))
                start = disposable
            }
            log("started")
            start?.dispose()
            log("disposed")
        }
        add("n-hold-in-action") { log in
            let action = Action<Int, Int, Never> { _ in endless(log) }
            let start = action.apply(1).start(log.events("a"))
            log("ex \(action.isExecuting.value)")
            start.dispose()
            log("ex \(action.isExecuting.value)")
            action.apply(2).start(log.events("b"))
            log("ex \(action.isExecuting.value)")
        }
        add("n-hold-binding") { log in
            let first = MutableProperty(0)
            first <~ endless(log, value: 3)
            log("bound \(first.value)")
            let second = MutableProperty(0)
            let binding = second <~ endless(log, value: 4, "ended2")
            log("bound")
            binding?.dispose()
        }
        add("n-hold-property-then") { log in
            let property = Property(initial: 0, then: endless(log, value: 3))
            log("\(property.value)")
            property.producer.start(log.events("p"))
            log("x")
        }
        add("n-hold-then-retry") { log in
            let count = Count()
            let retried = NumberProducer { observer, lifetime in
                let number = count.next()
                lifetime.observeEnded { log("ended \(count.value)") }
                if number == 1 { observer.send(error: Failure()) }
            }.retry(upTo: 2).start(log.events("r"))
            log("x")
            retried.dispose()
            log("--")
            let next = NumberProducer { _, lifetime in lifetime.observeEnded { log("then ended") } }
            let then = NumberProducer.empty.then(next).start(log.events("t"))
            log("x")
            then.dispose()
            let last = NumberProducer { _, lifetime in lifetime.observeEnded { log("c ended") } }
            let concat = NumberProducer(value: 1).concat(last).start(log.events("c"))
            log("x")
            concat.dispose()
        }
        add("n-hold-composite") { log in
            let composite = CompositeDisposable()
            composite += endless(log).start(log.events("a"))
            log("x")
            composite.dispose()
            log("--")
            do {
                let scoped = ScopedDisposable(endless(log, "ended s").start(log.events("s")))
                _ = scoped
                log("in scope")
            }
            log("out")
        }
    }

    private mutating func addReleasedSchedulers() {
        add("n-start-on-released-scheduler") { log in
            let start = InfallibleProducer(value: 42).start(on: TestScheduler()).start(log.events("a"))
            log("started")
            start.dispose()
            log("disposed")
        }
        add("n-sws-start-on-released-scheduler") { log in
            var start: Disposable?
            InfallibleProducer(value: 42).start(on: TestScheduler()).startWithSignal { signal, disposable in
                signal.observe(log.events("a"))
                start = disposable
            }
            log("started")
            start?.dispose()
            log("disposed")
        }
        add("n-delay-released-scheduler") { log in
            let (output, input) = Infallible.pipe()
            let start = InfallibleProducer(output).delay(1, on: TestScheduler()).start(log.events("a"))
            input.send(value: 1)
            log("sent")
            input.sendCompleted()
            log("completed")
            start.dispose()
            log("disposed")
        }
        add("n-observe-on-released-scheduler") { log in
            let (output, input) = Infallible.pipe()
            let start = InfallibleProducer(output).observe(on: TestScheduler()).start(log.events("a"))
            input.send(value: 1)
            log("sent")
            start.dispose()
            log("disposed")
        }
        add("n-timer-released-scheduler") { log in
            let start = SignalProducer.timer(interval: .seconds(1), on: TestScheduler())
                .start { log("t \($0.isTerminating)") }
            log("started")
            start.dispose()
            log("disposed")
        }
        add("n-custom-scheduler-drops") { log in
            final class Dropping: Scheduler {
                func schedule(_ action: @escaping () -> Void) -> Disposable? { nil }
            }
            let first = InfallibleProducer(value: 1).start(on: Dropping()).start(log.events("a"))
            log("started")
            first.dispose()
            log("disposed")
            let (output, input) = Infallible.pipe()
            let second = InfallibleProducer(output).observe(on: Dropping()).start(log.events("b"))
            input.send(value: 1)
            input.sendCompleted()
            log("sent")
            second.dispose()
            log("disposed")
        }
    }

    private mutating func addHolders() {
        add("n-hold-through-map") { log in
            let start = endless(log).map { $0 + 1 }.flatMap(.latest) { InfallibleProducer(value: $0) }
                .start(log.events("a"))
            log("started")
            start.dispose()
            log("disposed")
        }
        add("n-hold-take-until") { log in
            let (output, input) = Infallible.pipe()
            let trigger = SignalProducer<(), Never> { _, lifetime in lifetime.observeEnded { log("trigger ended") } }
            InfallibleProducer(output).take(until: trigger).start(log.events("a"))
            input.send(value: 1)
            input.sendCompleted()
            log("end")
        }
        add("n-hold-combine") { log in
            let (output, input) = Infallible.pipe()
            InfallibleProducer(output).combineLatest(with: endless(log, value: 5)).start(log.events())
            input.send(value: 1)
            input.send(value: 2)
            input.sendCompleted()
            log("end")
        }
        add("n-hold-sample") { log in
            let (output, input) = Infallible.pipe()
            InfallibleProducer(output).withLatest(from: endless(log, value: 5)).start(log.events())
            input.send(value: 1)
            input.sendCompleted()
            log("end")
        }
        add("n-hold-replay") { log in
            let replayed = endless(log, value: 5).replayLazily(upTo: 1)
            let first = replayed.start(log.events("1"))
            log("x")
            replayed.start(log.events("2"))
            first.dispose()
            log("y")
        }
        add("n-hold-observe-on") { log in
            let scheduler = TestScheduler()
            let start = endless(log, value: 5).observe(on: scheduler).start(log.events("1"))
            scheduler.advance()
            log("x")
            start.dispose()
            scheduler.advance()
            log("y")
        }
    }
}

/// A source that sends at most one value, keeps no observer, and says when its lifetime ends.
private func endless(_ log: Log, value: Int? = nil, _ entry: String = "ended") -> InfallibleProducer {
    InfallibleProducer { observer, lifetime in
        if let value { observer.send(value: value) }
        lifetime.observeEnded { log(entry) }
    }
}
