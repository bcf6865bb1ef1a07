import Dispatch
import Foundation
import ReactiveSwift

/// Schedulers, and the order of what runs on them.
extension Programs {
    mutating func addSchedulers() {
        add("observe-on-queue-order") { log in
            let queue = QueueScheduler(name: "q")
            let done = DispatchSemaphore(value: 0)
            NumberProducer([1, 2, 3]).observe(on: queue).on(value: log.values("v")).start { event in
                log("\(event)")
                if event.isTerminating { done.signal() }
            }
            done.wait()
            queue.schedule {
                log("scheduled")
                done.signal()
            }
            done.wait()
            queue.schedule(after: Date().addingTimeInterval(5)) { log("no") }?.dispose()
            ImmediateScheduler().schedule { log("imm") }
            NumberProducer(value: 1).start(on: queue).startWithResult { result in
                log("\(result)")
                done.signal()
            }
            done.wait()
            let first = NumberProducer([1, 2]).start(on: queue).first()
            let none = NumberProducer([1, 2]).single()
            let last = NumberProducer([1, 2]).last()
            let failure = NumberProducer(error: Failure()).wait()
            log("\(shown(first)) \(shown(none)) \(shown(last)) \(failure)")
            log(shown(NumberProducer([1]).single()))
        }
        addWaiting("uischeduler-main") { log in
            // On Linux, the main queue may run on another thread than the one that began the process.
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            @Sendable func isMain() -> Bool { DispatchQueue.getSpecific(key: key) ?? false }
            log("main \(isMain())")
            let scheduler = UIScheduler()
            scheduler.schedule {
                log("1")
                scheduler.schedule { log("2 nested") }
                log("1 end")
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    scheduler.schedule { log("from bg main=\(isMain())") }
                    DispatchQueue.main.async {
                        scheduler.schedule {
                            log("late")
                            continuation.resume()
                        }
                    }
                }
            }
        }
        add("test-scheduler") { log in
            let scheduler = TestScheduler()
            scheduler.schedule {
                log("a")
                scheduler.schedule { log("a2") }
                scheduler.schedule(after: .seconds(1)) { log("a3") }
            }
            scheduler.schedule(after: .seconds(1)) { log("b") }
            let repeated = scheduler.schedule(after: .seconds(2), interval: .seconds(1)) { log("rep") }
            log("start")
            scheduler.advance()
            log("adv")
            scheduler.advance(by: .seconds(1))
            log("1s")
            scheduler.advance(by: .seconds(3))
            repeated?.dispose()
            scheduler.rewind(by: .seconds(1))
            scheduler.schedule { log("z") }
            scheduler.run()
            log("\(scheduler.currentDate.timeIntervalSinceReferenceDate > 1e9)")
        }
        add("m-observeOn-interrupted") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            output.observe(on: scheduler).observe(log.events("o"))
            input.send(value: 1)
            input.sendInterrupted()
            scheduler.advance()
        }
        add("m-observeOn-interleave") { log in
            let scheduler = TestScheduler()
            let (output, input) = Numbers.pipe()
            output.observe(on: scheduler).observe(log.events("o"))
            input.send(value: 1)
            scheduler.schedule { log("action") }
            input.send(value: 2)
            scheduler.advance()
        }
        add("m-observeOn-reinterleave") { log in
            let scheduler = QueueScheduler(name: "q")
            let done = DispatchSemaphore(value: 0)
            let (output, input) = Numbers.pipe()
            output.observe(on: scheduler).observe(log.events("o"))
            scheduler.queue.suspend()
            input.send(value: 1)
            scheduler.schedule { log("action") }
            input.send(value: 2)
            scheduler.schedule {
                log("action2")
                done.signal()
            }
            scheduler.queue.resume()
            done.wait()
            // Its release interrupts the signal, which the queue would tell the observer some time.
            log.keep(input)
        }
    }
}

/// An optional result as the recorded programs show it.
private func shown(_ result: Result<Int, Failure>?) -> String {
    switch result {
    case .success(let value): "Optional(success(\(value)))"
    case .failure(let failure): "Optional(failure(\(failure)))"
    case nil: "nil"
    }
}
