import ReactiveSwift

/// What is sent or observed from inside a callback. ReactiveSwift stops the program at most of these sends.
extension Programs {
    mutating func addNesting() {
        add("reentrant-send") { log in
            let (output, input) = Infallible.pipe()
            output.observe { event in
                log("A> \(event)")
                if let value = event.value, value < 3 { input.send(value: value + 1) }
                log("A< \(event)")
            }
            output.observe(log.events("B"))
            input.send(value: 1)
        }
        add("reentrant-complete-in-value") { log in
            let (output, input) = Numbers.pipe()
            output.observe { event in
                log("A> \(event)")
                if event.value == 1 { input.sendCompleted() }
                if event.value == 2 { input.send(error: Failure()) }
                log("A< \(event)")
            }
            output.observe(log.events("B"))
            input.send(value: 1)
            input.send(value: 2)
        }
        add("reentrant-observe") { log in
            let (output, input) = Infallible.pipe()
            var isFirst = true
            output.observe { event in
                log("A \(event)")
                if isFirst {
                    isFirst = false
                    output.observe(log.events("late"))
                }
                if event.isTerminating { output.observe(log.events("after-end")) }
            }
            input.send(value: 1)
            input.send(value: 2)
            input.sendCompleted()
        }
        add("unserialized-reentrant") { log in
            let (output, input) = Infallible.reentrantUnserializedPipe()
            output.observe { event in
                log("> \(event)")
                if event.value == 1 { input.send(value: 2) }
                log("< \(event)")
            }
            input.send(value: 1)
            input.sendCompleted()
        }
        addNestedFlattening()
        add("b2-take-first-reentrant") { log in
            let (output, input) = Infallible.pipe()
            output.take(first: 2).on(disposed: { log("disposed") }).observe { event in
                log("\(event)")
                if event.value == 1 {
                    input.send(value: 2)
                    input.send(value: 3)
                }
            }
            input.send(value: 1)
            log("end")
        }
        add("b2-replay-reentrant") { log in
            let (output, input) = Infallible.pipe()
            let replayed = InfallibleProducer(output).replayLazily(upTo: 2)
            replayed.start { event in
                log("A \(event)")
                if event.value == 1 {
                    replayed.start(log.events("late"))
                    input.send(value: 2)
                }
            }
            input.send(value: 1)
            input.send(value: 3)
            input.sendCompleted()
            replayed.start(log.events("end"))
        }
        add("b2-combine-latest-reentrant") { log in
            let left = MutableProperty(1)
            let right = MutableProperty(10)
            left.combineLatest(with: right).producer.startWithValues { first, second in
                log("(\(first), \(second))")
                if first == 2, second == 10 { right.value = 20 }
            }
            left.value = 2
            log("\(left.value) \(right.value)")
            let (output, input) = Infallible.pipe()
            let (other, otherInput) = Infallible.pipe()
            output.combineLatest(with: other).observeValues { first, second in
                log("cl \(first) \(second)")
                if first == 2, second == 1 { otherInput.send(value: 2) }
            }
            input.send(value: 1)
            otherInput.send(value: 1)
            input.send(value: 2)
        }
    }

    private mutating func addNestedFlattening() {
        add("b2-latest-reentrant-switch") { log in
            let (outer, input) = Infallible.pipe()
            var hasSent = false
            outer.flatMap(.latest) { number in
                InfallibleProducer([number, number + 1]).on(disposed: { log("inner \(number) disposed") })
            }.observe { event in
                log("\(event)")
                if event.value == 1, !hasSent {
                    hasSent = true
                    input.send(value: 10)
                }
            }
            input.send(value: 1)
            input.sendCompleted()
        }
        add("b2-concat-reentrant-outer") { log in
            let (outer, input) = Infallible.pipe()
            var hasSent = false
            outer.flatMap(.concat) { InfallibleProducer([$0, $0 + 1]) }.observe { event in
                log("\(event)")
                if event.value == 1, !hasSent {
                    hasSent = true
                    input.send(value: 10)
                    log("sent")
                }
            }
            input.send(value: 1)
            input.sendCompleted()
        }
    }
}
