import ReactiveSwift

/// Several sources: what the result sends, and how it ends.
extension Programs {
    mutating func addJoining() {
        add("zip-combine-terminals") { log in
            for round in 0..<4 {
                let (left, leftInput) = Numbers.pipe()
                let (right, rightInput) = Numbers.pipe()
                Signal.zip(left, right).observe(log.events("zip"))
                Signal.combineLatest(left, right).observe(log.events("cl"))
                Signal.merge(left, right).observe(log.events("mg"))
                left.combineLatest(with: right).map { (pair: (Int, Int)) in pair.0 + pair.1 }.observe(log.events("m"))
                leftInput.send(value: 1)
                leftInput.send(value: 2)
                switch round {
                case 0:
                    leftInput.sendCompleted()
                    log("a done")
                    rightInput.send(value: 9)
                    rightInput.send(value: 8)
                    rightInput.sendCompleted()
                case 1:
                    leftInput.sendInterrupted()
                    log("a int")
                    rightInput.send(value: 9)
                    rightInput.sendCompleted()
                case 2:
                    rightInput.sendCompleted()
                    log("b done")
                    leftInput.sendCompleted()
                default:
                    rightInput.send(value: 7)
                    rightInput.send(error: Failure())
                    leftInput.send(value: 3)
                }
                log("--")
            }
            Infallible.zip([Infallible]()).observe(log.events("zip[]"))
            InfallibleProducer.combineLatest([InfallibleProducer]()).start(log.events("cl[]"))
            InfallibleProducer.zip([InfallibleProducer](), emptySentinel: []).start(log.events("zipS"))
            InfallibleProducer.merge([InfallibleProducer]()).start(log.events("mg[]"))
        }
        add("b2-zip-buffers-interrupt") { log in
            let pipes = (Infallible.pipe(), Infallible.pipe(), Infallible.pipe())
            Signal.zip(pipes.0.output, pipes.1.output, pipes.2.output).observe(log.events())
            for value in 1...3 { pipes.0.input.send(value: value) }
            pipes.1.input.send(value: 1)
            pipes.2.input.send(value: 1)
            pipes.2.input.sendCompleted()
            log("c done")
            pipes.1.input.send(value: 2)
            pipes.0.input.sendCompleted()
        }
        add("lift-and-buffers") { log in
            let ones = InfallibleProducer([1, 2])
            let tens = InfallibleProducer([10, 20])
            ones.combineLatest(with: tens).start(log.events("cl"))
            tens.zip(with: ones).start(log.events("zip"))
            ones.sample(with: tens).start(log.events("samp"))
            ones.withLatest(from: tens).start(log.events("wl"))
            ones.take(untilReplacement: tens).start(log.events("tur"))
            ones.lift { signal in signal.map { $0 + 1 } }.start(log.events("lift"))
            ones.merge(with: tens).start(log.events("mw"))
            SignalProducer.merge(ones, tens).start(log.events("merge"))
            ones.prefix(tens).start(log.events("pre"))
            ones.skip(until: SignalProducer<(), Never>.never).start(log.events("su"))
            ones.timeout(after: 1, raising: Failure(), on: TestScheduler()).start(log.events("to"))
            ones.uniqueValues().start(log.events("uv"))
            ones.throttle(1, on: TestScheduler()).start(log.events("thr"))
            ones.flatMap(.latest) { InfallibleProducer([$0, $0]) }.start(log.events("fml"))
        }
        add("b2-observe-order-many") { log in
            let (output, input) = Infallible.pipe()
            let observations = (0..<5).map { index in output.observeValues { log("\(index):\($0)") } }
            observations[1]?.dispose()
            output.observeValues { log("5:\($0)") }
            input.send(value: 1)
            output.take(first: 1).observe(log.events("t"))
            output.map { $0 * 2 }.observe(log.events("m"))
            output.observeCompleted { log("c") }
            input.send(value: 2)
            input.sendCompleted()
        }
        add("b2-untilReplacement") { log in
            let (first, firstInput) = Numbers.pipe()
            let (firstOther, firstOtherInput) = Numbers.pipe()
            first.take(untilReplacement: firstOther).observe(log.events("a"))
            firstInput.send(value: 1)
            firstOtherInput.send(value: 10)
            firstInput.send(value: 2)
            firstOtherInput.sendCompleted()

            let (second, secondInput) = Numbers.pipe()
            let (secondOther, secondOtherInput) = Numbers.pipe()
            second.take(untilReplacement: secondOther).observe(log.events("b"))
            secondInput.sendCompleted()
            log("src done")
            secondOtherInput.send(value: 5)
            secondOtherInput.sendInterrupted()

            let (third, thirdInput) = Numbers.pipe()
            let (thirdOther, thirdOtherInput) = Numbers.pipe()
            third.take(untilReplacement: thirdOther).observe(log.events("c"))
            thirdOtherInput.sendInterrupted()
            thirdInput.send(value: 1)
            thirdInput.sendCompleted()

            let (fourth, fourthInput) = Numbers.pipe()
            let (fourthOther, fourthOtherInput) = Numbers.pipe()
            fourth.take(untilReplacement: fourthOther).observe(log.events("d"))
            fourthOtherInput.sendCompleted()
            fourthInput.send(value: 1)
            fourthInput.sendCompleted()
        }
    }
}
