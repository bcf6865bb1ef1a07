import ReactiveSwift

/// Actions: the order of what they send.
extension Programs {
    mutating func addActions() {
        add("action-order") { log in
            let (output, input) = Numbers.pipe()
            let action = Action<Int, Int, Failure> { factor in
                log("execute \(factor)")
                return NumberProducer(output).map { $0 * factor }
            }
            action.isExecuting.producer.startWithValues(log.values("executing"))
            action.isEnabled.producer.startWithValues(log.values("enabled"))
            action.values.observeValues(log.values("value"))
            action.errors.observeValues(log.values("error"))
            action.completed.observeValues { log("completed") }
            action.disabledErrors.observeValues { log("disabled") }
            action.events.observe(log.events("events"))
            action.apply(2).start(log.events("apply"))
            action.apply(3).start(log.events("apply2"))
            input.send(value: 5)
            input.send(error: Failure(number: 1))
        }
        add("action-complete-dispose-state") { log in
            let state = MutableProperty(1)
            let work = Atomic<Infallible.Observer?>(nil)
            var action: Action<Int, Int, Never>? = Action(state: state, enabledIf: { $0 > 0 }) { state, number in
                log("run \(state) \(number)")
                return InfallibleProducer { observer, lifetime in
                    work.value = observer
                    lifetime.observeEnded { log("work ended") }
                }
            }
            action?.isEnabled.producer.start(log.events("en"))
            action?.isExecuting.producer.start(log.events("ex"))
            let start = action?.apply(1).start(log.events("ap"))
            state.value = 0
            state.value = 2
            work.value?.send(value: 4)
            start?.dispose()
            log("disposed")
            action?.apply(2).on(disposed: { log("ap2 disposed") }).start(log.events("ap2"))
            work.value?.sendCompleted()
            let events = action?.events
            events?.observe(log.events("ev"))
            action?.values.observe(log.events("vals"))
            action = nil
            log("a nil")
        }
        add("b2-action-dispose-in-value") { log in
            let action = Action<Int, Int, Never> { InfallibleProducer([$0, $0 + 1, $0 + 2]) }
            action.isExecuting.signal.observeValues(log.values("ex"))
            action.values.observeValues(log.values("v"))
            action.completed.observeValues { log("c") }
            let serial = SerialDisposable()
            serial.inner = action.apply(1).start { event in
                log("\(event)")
                if event.value == 2 { serial.dispose() }
            }
            log("ex? \(action.isExecuting.value)")
            action.apply(5).start(log.events("x"))
        }
        add("b2-action-unwrapping-state") { log in
            let state = MutableProperty<Int?>(nil)
            let unwrapping = Action<String, String, Never>(unwrapping: state) { state, input in
                SignalProducer(value: "\(state)\(input)")
            }
            unwrapping.isEnabled.producer.startWithValues(log.values("en"))
            unwrapping.apply("x").start(log.events("1"))
            state.value = 4
            unwrapping.apply("y").start(log.events("2"))
            state.value = nil
            let failing = Action<(), Int, Failure>(enabledIf: MutableProperty(true)) {
                NumberProducer(error: Failure(number: 3))
            }
            failing.errors.observeValues(log.values("err"))
            failing.events.observeValues(log.values("ev"))
            failing.apply().start(log.events("b"))
            let target = Action<Int, Int, Never> { InfallibleProducer(value: $0) }
            target.values.observeValues(log.values("tgt"))
            target.bindingTarget <~ InfallibleProducer([1, 2])
        }
        add("m-action-deinit-order") { log in
            var action: Action<Int, Int, Never>? = Action { InfallibleProducer(value: $0) }
            action?.isExecuting.producer.startWithCompleted { log("executing done") }
            action?.isEnabled.producer.startWithCompleted { log("enabled done") }
            action?.values.observeCompleted { log("values done") }
            action?.errors.observeCompleted { log("errors done") }
            action?.completed.observeCompleted { log("completed done") }
            action?.disabledErrors.observeCompleted { log("disabledErrors done") }
            action?.events.observeCompleted { log("events done") }
            action = nil
        }
        addNestedActions()
    }

    private mutating func addNestedActions() {
        add("action-reentrant-apply") { log in
            var hasReapplied = false
            let action = Action<Int, Int, Never> { InfallibleProducer(value: $0) }
            action.values.observeValues { value in
                log("v \(value)")
                if value == 1 { action.apply(2).start(log.events("inner")) }
            }
            action.completed.observeValues { log("completed") }
            action.isExecuting.signal.observeValues { isExecuting in
                log("ex \(isExecuting)")
                if !isExecuting, !hasReapplied {
                    hasReapplied = true
                    action.apply(3).startWithResult(log.values("r"))
                }
            }
            action.apply(1).start { event in
                log("outer \(event)")
                if event.isCompleted { action.apply(9).start(log.events("on-complete")) }
            }
        }
        add("b2-action-reapply-on-idle") { log in
            let action = Action<Int, Int, Never> { InfallibleProducer(value: $0) }
            let count = Count()
            action.values.observeValues(log.values("v"))
            action.completed.observeValues { log("completed") }
            action.isExecuting.signal.observeValues { isExecuting in
                log("ex \(isExecuting) enabled \(action.isEnabled.value)")
                if !isExecuting, count.value < 2 {
                    log("apply>")
                    action.apply(10 + count.next()).startWithResult(log.values("r"))
                    log("apply<")
                }
            }
            action.isEnabled.signal.observeValues(log.values("en"))
            action.apply(1).startWithResult(log.values("outer"))
        }
    }
}
