import ReactiveSwift

/// Hooks, and observers that come late.
extension Programs {
    mutating func addObserving() {
        add("on-order") { log in
            let (output, input) = Numbers.pipe()
            let start = NumberProducer(output)
                .on(
                    starting: { log("starting1") }, started: { log("started1") }, event: log.values("event1"),
                    failed: log.values("failed1"), completed: { log("c1") }, interrupted: { log("i1") },
                    terminated: { log("t1") }, disposed: { log("d1") }, value: log.values("v1")
                )
                .on(
                    starting: { log("starting2") }, started: { log("started2") }, event: log.values("event2"),
                    interrupted: { log("i2") }, terminated: { log("t2") }, disposed: { log("d2") },
                    value: log.values("v2")
                )
                .start(log.events("out"))
            input.send(value: 1)
            start.dispose()
            log("--")
            let (failing, failingInput) = Numbers.pipe()
            failing.on(
                event: log.values("xe"), failed: log.values("xf"), terminated: { log("xt") }, disposed: { log("xd") }
            ).observe(log.events("x"))
            failingInput.send(value: 2)
            failingInput.send(error: Failure())
        }
        add("b2-interrupt-then-late") { log in
            let (output, input) = Numbers.pipe()
            output.observeInterrupted { log("int") }
            output.observeFailed(log.values("f"))
            output.observeResult(log.values("r"))
            input.sendInterrupted()
            input.send(value: 1)
            input.send(error: Failure())
            log("\(output.observe(log.events("late")) == nil)")
            let (failing, failingInput) = Numbers.pipe()
            failing.observeResult(log.values("r"))
            failingInput.send(value: 1)
            failingInput.send(error: Failure(number: 2))
        }
    }
}
