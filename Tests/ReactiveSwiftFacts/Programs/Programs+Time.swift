import Foundation
import ReactiveSwift

/// Operators that need a clock.
extension Programs {
    mutating func addTime() {
        add("throttle-debounce-delay") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            let begin = scheduler.currentDate
            // The time in tenths of a second.
            func timed(_ label: String) -> (Numbers.Event) -> Void {
                { log("\(label) \(Int((scheduler.currentDate.timeIntervalSince(begin) * 10).rounded())) \($0)") }
            }
            output.throttle(1, on: scheduler).observe(timed("thr"))
            output.debounce(1, on: scheduler).observe(timed("deb"))
            output.debounce(1, on: scheduler, discardWhenCompleted: false).observe(timed("debk"))
            output.delay(1, on: scheduler).observe(timed("del"))
            input.send(value: 1)
            scheduler.advance(by: .milliseconds(300))
            input.send(value: 2)
            scheduler.advance(by: .milliseconds(900))
            input.send(value: 3)
            input.send(value: 4)
            scheduler.advance(by: .milliseconds(500))
            input.send(value: 5)
            input.sendCompleted()
            log("completed sent")
            scheduler.advance(by: .seconds(3))
        }
        add("throttle-debounce-delay-ends") { log in
            for fails in [true, false] {
                let scheduler = TestScheduler()
                let (output, input) = Numbers.pipe()
                output.throttle(1, on: scheduler).observe(log.events("thr"))
                output.debounce(1, on: scheduler).observe(log.events("deb"))
                output.delay(1, on: scheduler).observe(log.events("del"))
                output.observe(on: scheduler).observe(log.events("on"))
                let gate = MutableProperty(false)
                output.throttle(while: gate, on: scheduler).observe(log.events("while"))
                input.send(value: 1)
                gate.value = true
                input.send(value: 2)
                input.send(value: 3)
                if fails { input.send(error: Failure()) } else { input.sendInterrupted() }
                log("sent")
                scheduler.advance()
                log("advanced")
                gate.value = false
                scheduler.advance(by: .seconds(2))
                log("--")
            }
        }
        add("timeout-interval-timer") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            output.timeout(after: 2, raising: Failure(number: 9), on: scheduler).observe(log.events("to"))
            input.send(value: 1)
            scheduler.advance(by: .seconds(1))
            scheduler.advance(by: .seconds(1))
            input.send(value: 2)
            SignalProducer.timer(interval: .seconds(1), on: scheduler).take(first: 2)
                .start { log("timer \($0.isCompleted)") }
            SignalProducer.interval(.seconds(1), on: scheduler).take(first: 2).start(log.events("int"))
            InfallibleProducer.interval([7, 8], interval: .seconds(1), on: scheduler).start(log.events("seq"))
            scheduler.advance(by: .seconds(1))
            log("1")
            scheduler.advance(by: .seconds(3))
        }
        addHeldValues()
        add("b2-timer-dispose-inside") { log in
            let scheduler = TestScheduler()
            let count = Count()
            var start: Disposable?
            start = SignalProducer.interval(.seconds(1), on: scheduler).start { event in
                log("\(event)")
                if count.next() == 2 { start?.dispose() }
            }
            scheduler.advance(by: .seconds(5))
            let date = scheduler.currentDate.addingTimeInterval(1)
            let ticks = scheduler.schedule(after: date, interval: .seconds(1), leeway: .seconds(0)) { log("tick") }
            scheduler.advance(by: .seconds(2))
            ticks?.dispose()
            scheduler.advance(by: .seconds(2))
            log("end")
        }
        add("b2-delay-interrupt") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            let start = NumberProducer(output).delay(1, on: scheduler).start(log.events("d"))
            input.send(value: 1)
            start.dispose()
            log("disposed")
            scheduler.advance(by: .seconds(2))
            let (second, secondInput) = Numbers.pipe()
            second.delay(1, on: scheduler).observe(log.events("d2"))
            secondInput.send(value: 1)
            secondInput.sendInterrupted()
            scheduler.advance(by: .seconds(2))
            let (third, thirdInput) = Numbers.pipe()
            third.delay(1, on: scheduler).observe(log.events("d3"))
            thirdInput.send(value: 1)
            thirdInput.send(error: Failure())
            scheduler.advance(by: .seconds(2))
        }
        add("m-take-delay-source-release") { log in
            let scheduler = TestScheduler()
            NumberProducer { observer, lifetime in
                lifetime.observeEnded { log("source ended") }
                observer.send(value: 1)
                observer.send(value: 2)
            }.take(first: 1).delay(1, on: scheduler).start(log.events("d"))
            log("started")
            scheduler.advance(by: .seconds(2))
        }
    }

    /// What becomes of a value that is held when the source ends.
    private mutating func addHeldValues() {
        add("m-throttle-while-drop") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            output.throttle(while: MutableProperty(false), on: scheduler).observe(log.events("w"))
            for value in 1...3 { input.send(value: value) }
            scheduler.advance()
            input.sendCompleted()
            scheduler.advance()
        }
        add("m-throttle-fail") { log in
            let scheduler = TestScheduler()
            let (first, firstInput) = Numbers.pipe()
            first.throttle(1, on: scheduler).observe(log.events("t"))
            firstInput.send(value: 1)
            firstInput.send(error: Failure())
            scheduler.advance(by: .seconds(3))
            let (second, secondInput) = Numbers.pipe()
            second.throttle(1, on: scheduler).observe(log.events("t2"))
            secondInput.send(value: 1)
            scheduler.advance()
            secondInput.send(value: 2)
            secondInput.send(error: Failure())
            scheduler.advance(by: .seconds(3))
        }
        add("m-debounce-tie") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            output.debounce(1, on: scheduler, discardWhenCompleted: false).observe(log.events("deb"))
            input.send(value: 5)
            scheduler.schedule(after: .seconds(1)) { log("action at the same date") }
            input.sendCompleted()
            scheduler.advance(by: .seconds(3))
        }
    }
}
