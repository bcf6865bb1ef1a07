import ReactiveSwift

/// Disposal: by callbacks, in the setup of a start, and what is told of it when.
extension Programs {
    mutating func addDisposal() {
        add("dispose-in-own-callback") { log in
            let (output, input) = Infallible.pipe()
            var observation: Disposable?
            observation = output.observe { event in
                log("A \(event)")
                if event.value == 2 { observation?.dispose() }
            }
            output.observe(log.events("B"))
            for value in 1...3 { input.send(value: value) }
            input.sendCompleted()
        }
        add("dispose-other-in-callback") { log in
            let (output, input) = Infallible.pipe()
            var other: Disposable?
            output.observe { event in
                log("A \(event)")
                other?.dispose()
            }
            other = output.observe(log.events("B"))
            input.send(value: 1)
            input.send(value: 2)
        }
        add("m-dispose-other-same-event") { log in
            let (output, input) = Infallible.pipe()
            var other: Disposable?
            output.observeValues { value in
                log("A \(value)")
                other?.dispose()
            }
            other = output.observeValues(log.values("B"))
            input.send(value: 1)
            input.send(value: 2)
        }
        add("producer-dispose-in-callback") { log in
            var start: Disposable?
            let (output, input) = Infallible.pipe()
            start = InfallibleProducer(output)
                .on(disposed: { log("disposed") })
                .take(first: 5)
                .on(interrupted: { log("int") }, terminated: { log("term") })
                .start { event in
                    log("\(event)")
                    if event.value == 1 {
                        start?.dispose()
                        log("returned")
                    }
                }
            input.send(value: 1)
            input.send(value: 2)
        }
        add("dispose-in-sync-producer") { log in
            var start: Disposable?
            InfallibleProducer(1...5).on(disposed: { log("disposed") }).startWithSignal { signal, disposable in
                start = disposable
                signal.observe { event in
                    log("\(event)")
                    if event.value == 2 { start?.dispose() }
                }
            }
        }
        add("merge-storm-of-self-dispose") { log in
            let (output, input) = Infallible.pipe()
            let composite = CompositeDisposable()
            for index in 0..<3 {
                composite += output.observeValues { value in
                    log("\(index):\(value)")
                    if index == 1 { composite.dispose() }
                }
            }
            input.send(value: 1)
            input.send(value: 2)
            let serial = SerialDisposable()
            serial.inner = InfallibleProducer([1, 2]).start { event in
                log("\(event)")
                serial.dispose()
            }
        }
        addDisposalInSetup()
        addDisposalOfStarts()
    }

    private mutating func addDisposalInSetup() {
        add("startWithSignal-setup-dispose") { log in
            InfallibleProducer { observer, lifetime in
                log("handler")
                lifetime.observeEnded { log("ended") }
                observer.send(value: 1)
                observer.sendCompleted()
            }
            .on(
                starting: { log("starting") }, started: { log("started") },
                terminated: { log("terminated") }, disposed: { log("disposed") }
            )
            .startWithSignal { signal, disposable in
                signal.observe(log.events("a"))
                disposable.dispose()
                log("disposed in setup")
                signal.observe(log.events("b"))
            }
            InfallibleProducer([1, 2]).startWithSignal { signal, _ in
                signal.take(first: 1).observe(log.events("t"))
                signal.map { $0 * 2 }.observe(log.events("m"))
            }
            let result = NumberProducer(error: Failure()).startWithSignal { signal, _ -> Int in
                signal.observe(log.events("e"))
                return 5
            }
            log("\(result)")
            InfallibleProducer.never.startWithSignal { signal, _ in signal.observe(log.events("n")) }
            log("n done")
        }
        add("m-setup-dispose-hooks") { log in
            NumberProducer(value: 1).on(
                starting: { log("starting") }, started: { log("started") }, interrupted: { log("int") },
                terminated: { log("term") }, disposed: { log("disp") }
            ).startWithSignal { signal, disposable in
                signal.observe(log.events("s"))
                disposable.dispose()
            }
        }
    }

    private mutating func addDisposalOfStarts() {
        add("m-dispose-retry-async") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            let source = NumberProducer(output)
            let retried = source.observe(on: scheduler).retry(upTo: 1).start(log.events("r"))
            retried.dispose()
            log("disposed")
            scheduler.advance()
            log("--")
            let recovered = source.delay(1, on: scheduler)
                .flatMapError { _ in InfallibleProducer.empty }
                .start(log.events("f"))
            recovered.dispose()
            log("disposed")
            scheduler.advance(by: .seconds(2))
            log("--")
            let followed = source.observe(on: scheduler).concat(value: 1).start(log.events("c"))
            followed.dispose()
            log("disposed")
            scheduler.advance()
            log("--")
            let merged = source.observe(on: scheduler).flatMap(.merge) { NumberProducer(value: $0) }
                .start(log.events("m"))
            merged.dispose()
            log("disposed")
            scheduler.advance()
            let plain = source.observe(on: scheduler).start(log.events("plain"))
            plain.dispose()
            log("disposed")
            scheduler.advance()
            _ = input
        }
        add("m-isDisposed-after-end") { log in
            let start = NumberProducer(value: 1).start()
            log("\(start.isDisposed)")
            let (output, input) = Numbers.pipe()
            let observation = output.observe(log.events("s"))
            input.sendCompleted()
            log("\(String(describing: observation?.isDisposed))")
            let binding = MutableProperty(0) <~ InfallibleProducer(value: 1)
            log("\(String(describing: binding?.isDisposed))")
        }
        add("b2-merge-inner-disposes-all") { log in
            let (first, firstInput) = Infallible.pipe()
            let (second, secondInput) = Infallible.pipe()
            let inner = [
                InfallibleProducer(first).on(disposed: { log("a d") }),
                InfallibleProducer(second).on(disposed: { log("b d") }),
            ]
            var start: Disposable?
            start = SignalProducer<InfallibleProducer, Never>(inner).flatten(.merge)
                .on(interrupted: { log("int") }, disposed: { log("d") })
                .start { event in
                    log("\(event)")
                    if event.value == 2 { start?.dispose() }
                }
            firstInput.send(value: 1)
            secondInput.send(value: 2)
            firstInput.send(value: 3)
            secondInput.send(value: 4)
        }
        add("b2-start-on-dispose") { log in
            let scheduler = TestScheduler()
            let start = InfallibleProducer { observer, _ in
                log("started")
                observer.send(value: 1)
                observer.sendCompleted()
            }
            .on(
                starting: { log("starting") }, started: { log("on started") },
                interrupted: { log("int") }, disposed: { log("disp") }
            )
            .start(on: scheduler).start(log.events("s"))
            start.dispose()
            log("disposed")
            scheduler.advance()
            log("adv")
            InfallibleProducer(value: 1).delay(1, on: scheduler).start(on: scheduler).start(log.events("x"))
            scheduler.advance(by: .seconds(2))
        }
        add("b2-observeOn-dispose") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            let start = NumberProducer(output).observe(on: scheduler).start(log.events("p"))
            let observation = output.observe(on: scheduler).observe(log.events("s"))
            input.send(value: 1)
            input.send(value: 2)
            start.dispose()
            observation?.dispose()
            log("disposed")
            scheduler.advance()
            log("end")
        }
        add("b2-producer-cancel-in-handler") { log in
            let start = InfallibleProducer { observer, lifetime in
                observer.send(value: 1)
                log("ended? \(lifetime.hasEnded)")
                observer.sendInterrupted()
                log("ended? \(lifetime.hasEnded)")
                lifetime.observeEnded { log("late ended") }
            }.start(log.events("s"))
            log("\(start.isDisposed)")
            InfallibleProducer { observer, lifetime in
                for value in 0... {
                    if lifetime.hasEnded {
                        log("stop at \(value)")
                        break
                    }
                    observer.send(value: value)
                }
            }.take(first: 3).start(log.events("t"))
        }
    }
}
