import ReactiveSwift

/// Samples, triggers and lifetimes of others.
extension Programs {
    mutating func addSampling() {
        add("collect-every-sampling") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            let (sampler, sample) = Signal<(), Never>.pipe()
            let (words, wordInput) = Signal<String, Never>.pipe()
            output.collect(every: .seconds(1), on: scheduler, skipEmpty: true).observe(log.events("col"))
            output.collect(every: .seconds(1), on: scheduler, discardWhenCompleted: false).observe(log.events("colk"))
            output.sample(on: sampler).observe(log.events("sample"))
            output.sample(with: words).observe(log.events("sampleW"))
            output.withLatest(from: words).observe(log.events("latest"))
            input.send(value: 1)
            sample.send(value: ())
            sample.send(value: ())
            wordInput.send(value: "a")
            input.send(value: 2)
            scheduler.advance(by: .seconds(1))
            wordInput.sendCompleted()
            input.send(value: 3)
            scheduler.advance(by: .seconds(2))
            input.send(value: 4)
            sample.sendCompleted()
            input.sendCompleted()
            log("done")
            scheduler.advance(by: .seconds(3))
        }
        add("b2-sample-terminals") { log in
            for round in 0..<4 {
                let (output, input) = Numbers.pipe()
                let (sampler, sample) = Signal<(), Never>.pipe()
                output.sample(on: sampler).observe(log.events("s\(round)"))
                input.send(value: 1)
                switch round {
                case 0:
                    input.sendCompleted()
                    log("src c")
                    sample.send(value: ())
                    sample.sendCompleted()
                case 1:
                    sample.sendInterrupted()
                    log("t int")
                    input.send(value: 2)
                    input.sendCompleted()
                case 2:
                    input.sendInterrupted()
                    log("src int")
                    sample.send(value: ())
                default:
                    sample.sendCompleted()
                    log("t c")
                    input.sendCompleted()
                }
            }
        }
        add("b2-withLatest-terminals") { log in
            for round in 0..<3 {
                let (output, input) = Numbers.pipe()
                let (other, otherInput) = Infallible.pipe()
                output.withLatest(from: other).observe(log.events("w\(round)"))
                input.send(value: 0)
                otherInput.send(value: 9)
                if round == 0 { otherInput.sendCompleted() }
                if round == 1 { otherInput.sendInterrupted() }
                if round < 2 { input.send(value: 1) }
                input.sendCompleted()
                if round == 2 { otherInput.send(value: 3) }
            }
        }
        add("take-until-during") { log in
            let (output, input) = Numbers.pipe()
            let (trigger, fire) = Signal<(), Never>.pipe()
            output.take(until: trigger).observe(log.events("until"))
            output.skip(until: trigger).observe(log.events("skip"))
            var token: Lifetime.Token? = Lifetime.Token()
            let lifetime = Lifetime(token!)
            output.take(during: lifetime).observe(log.events("during"))
            NumberProducer(output).take(during: lifetime).start(log.events("pduring"))
            input.send(value: 1)
            fire.send(value: ())
            input.send(value: 2)
            token = nil
            log("token nil")
            input.send(value: 3)
            input.sendCompleted()

            let (second, secondInput) = Numbers.pipe()
            let (secondTrigger, secondFire) = Signal<(), Never>.pipe()
            second.take(until: secondTrigger).observe(log.events("u2"))
            secondFire.sendInterrupted()
            secondInput.send(value: 1)
            second.take(during: lifetime).observe(log.events("ended-life"))
            NumberProducer(value: 1).on(started: { log("!started") }).take(during: lifetime).start(log.events("pl"))
            NumberProducer(value: 1).take(until: SignalProducer<(), Never>(value: ())).start(log.events("imm"))
            secondFire.sendCompleted()
            secondInput.send(value: 2)
            secondInput.sendCompleted()
        }
        add("m-take-during-ended") { log in
            let (lifetime, token) = Lifetime.make()
            token.dispose()
            NumberProducer(value: 1).take(during: lifetime).start(log.events("p"))
            let (output, input) = Numbers.pipe()
            output.take(during: lifetime).observe(log.events("s"))
            input.send(value: 1)
        }
        add("m-skip-until-before-trigger") { log in
            for round in 0..<3 {
                let (output, input) = Numbers.pipe()
                let (trigger, fire) = Signal<(), Never>.pipe()
                output.skip(until: trigger).observe(log.events("\(round)"))
                switch round {
                case 0: input.sendCompleted()
                case 1: input.send(error: Failure())
                default: input.sendInterrupted()
                }
                log("ended")
                fire.send(value: ())
                log("triggered")
            }
        }
        add("m-skip-until-trigger-interrupted") { log in
            let (output, input) = Numbers.pipe()
            let (trigger, fire) = Signal<(), Never>.pipe()
            output.skip(until: trigger).observe(log.events("k"))
            fire.sendInterrupted()
            input.send(value: 1)
            input.sendCompleted()
        }
    }
}
