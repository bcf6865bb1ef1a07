import ReactiveSwift

/// Work that is done again, or once for all.
extension Programs {
    mutating func addRepeating() {
        add("retry-repeat-interruptions") { log in
            let count = Count()
            let failing = NumberProducer { observer, lifetime in
                let number = count.next()
                log("start \(number)")
                lifetime.observeEnded { log("ended \(count.value)") }
                observer.send(value: number)
                if number == 3 { observer.sendInterrupted() } else { observer.send(error: Failure(number: number)) }
            }
            failing.retry(upTo: 5).start(log.events("retry"))
            count.value = 0
            failing.retry(upTo: 1).start(log.events("retry1"))
            count.value = 0
            let completing = NumberProducer { observer, lifetime in
                let number = count.next()
                lifetime.observeEnded { log("q ended \(count.value)") }
                observer.send(value: number)
                if number == 3 { observer.sendInterrupted() } else { observer.sendCompleted() }
            }
            completing.repeat(5).start(log.events("repeat"))
            count.value = 0
            completing.repeat(0).start(log.events("repeat0"))
            completing.then(completing).start(log.events("then"))
            count.value = 0
            completing.concat(completing).start(log.events("concat"))
            let scheduler = TestScheduler()
            count.value = 0
            failing.retry(upTo: 4, interval: 1, on: scheduler).start(log.events("retryI"))
            scheduler.advance(by: .seconds(1))
            log("1s")
            scheduler.advance(by: .seconds(2))
            let attempts = Count()
            NumberProducer { observer, _ in observer.send(error: Failure(number: attempts.next())) }
                .flatMapError { failure in
                    failure.number < 3 ? NumberProducer(value: failure.number) : NumberProducer(error: failure)
                }
                .repeat(4).start(log.events("fme"))
        }
        add("replayLazily") { log in
            let count = Count()
            var replayed: NumberProducer? = NumberProducer { observer, lifetime in
                log("work \(count.next())")
                for value in 1...3 { observer.send(value: value) }
                lifetime.observeEnded {
                    _ = observer
                    log("work ended")
                }
            }.replayLazily(upTo: 2)
            let first = replayed?.start(log.events("1"))
            let second = replayed?.start(log.events("2"))
            first?.dispose()
            second?.dispose()
            log("both disposed")
            let third = replayed?.start(log.events("3"))
            replayed = nil
            log("producer nil")
            third?.dispose()
            log("d3")
            let failed = NumberProducer { observer, _ in
                observer.send(value: 1)
                observer.send(error: Failure())
            }.replayLazily(upTo: 0)
            failed.start(log.events("z1"))
            failed.start(log.events("z2"))
            let interrupted = NumberProducer { observer, _ in
                observer.send(value: 1)
                observer.sendInterrupted()
            }.replayLazily(upTo: 1)
            interrupted.start(log.events("w1"))
            interrupted.start(log.events("w2"))
            var kept: NumberProducer? = NumberProducer { observer, lifetime in
                observer.send(value: 1)
                lifetime.observeEnded { log("k ended") }
            }.replayLazily(upTo: 1)
            kept?.start(log.events("k1"))
            kept?.start(log.events("k2"))
            kept = nil
            log("k nil")
        }
        add("b2-once-per-start") { log in
            let count = Count()
            let counting = NumberProducer {
                let number = count.next()
                return number > 2 ? .failure(Failure(number: number)) : .success(number)
            }
            counting.start(log.events("1"))
            counting.repeat(2).start(log.events("r"))
            InfallibleProducer { count.value * 10 }.start(log.events("c"))
            InfallibleProducer(values: 1, 2).start(log.events("v"))
            InfallibleProducer(Property(value: 3)).start(log.events("pp"))
            NumberProducer(Numbers.empty).start(log.events("emptySig"))
            NumberProducer(Result<Int, Failure>.failure(Failure())).start(log.events("res"))
            let first = counting.first().map { "Optional(\($0))" } ?? "nil"
            log("\(first) \(String(describing: NumberProducer.empty.last())) \(NumberProducer.empty.wait())")
        }
    }
}
