#if DEBUG && !NaiveLocks && !Exploration
    import Foundation
    import Testing

    @testable import Corinth

    /// Threads that wait for each other, or for themselves: a `modify` inside the `modify` of another value, in opposite orders, and
    /// calls that block until a stream has ended.
    struct DeadlockCheckTests {
        /// A barrier between neighbours: each thread waits until the next thread has arrived.
        private final class Ring: Sendable {
            private let arrivals: [DispatchSemaphore]

            init(_ count: Int) {
                arrivals = (0..<count).map { _ in DispatchSemaphore(value: 0) }
            }

            /// Returns when the thread with the next number has arrived, too.
            func meet(_ index: Int) {
                arrivals[index].signal()
                arrivals[(index + 1) % arrivals.count].wait(
                    orElse: "thread \(index) waits for a thread that doesn't arrive")
            }
        }

        @Test func propertiesInOppositeOrders() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (number, text) = (MutableProperty(1), MutableProperty("a"))
                let ring = Ring(2)
                ThreadGroup.run([
                    {
                        number.modify { number in
                            ring.meet(0)
                            text.modify { $0 = "\(number)" }
                        }
                    },
                    {
                        text.modify { _ in
                            ring.meet(1)
                            number.modify { $0 += 1 }
                        }
                    },
                ])
            }
            #expect(result.says("deadlock: modify was called inside modify, in opposite orders"))
            #expect(result.says("changes MutableProperty<Int> (0x"))
            #expect(result.says("and waits for MutableProperty<String> (0x"))
            #expect(result.says("changes MutableProperty<String> (0x"))
            #expect(result.says("and waits for MutableProperty<Int> (0x"))
        }

        /// The check covers atomic values, and every kind of value through which a property is changed.
        @Test func aRingOfThree() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (small, large, flag) = (Atomic(1), Atomic([1]), MutableProperty(false))
                let ring = Ring(3)
                let name: @Sendable (String) -> Void = { Foundation.Thread.current.name = $0 }
                ThreadGroup.run([
                    {
                        name("first")
                        small.modify { _ in
                            ring.meet(0)
                            large.value = []
                        }
                    },
                    {
                        name("second")
                        large.modify { _ in
                            ring.meet(1)
                            flag.value = true
                        }
                    },
                    {
                        name("third")
                        flag.modify { _ in
                            ring.meet(2)
                            small.modify { $0 += 1 }
                        }
                    },
                ])
            }
            #expect(result.says("“first” changes Atomic<Int> ("))
            #expect(result.says("and waits for Atomic<Array<Int>> ("))
            #expect(result.says("“second” changes Atomic<Array<Int>> ("))
            #expect(result.says("and waits for MutableProperty<Bool> ("))
            #expect(result.says("“third” changes MutableProperty<Bool> ("))
            #expect(result.says("and waits for Atomic<Int> ("))
        }

        /// A blocking call on the thread that has to deliver what it waits for.
        @Test(arguments: OwnWait.all)
        func waitForItself(wait: OwnWait) async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { [index = wait.index as Int] in
                OwnWait.all[index].body()
            }
            #expect(result.says("deadlock: a thread waits for itself"))
            #expect(
                result.says(
                    "blocks in \(wait.call) and waits for an event of SignalProducer<Int, Never>, which \(wait.source)")
            )
        }

        /// Two schedulers that wait for each other.
        @Test func eachWaitsForTheOther() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (left, right) = (QueueScheduler(name: "left"), QueueScheduler(name: "right"))
                let ring = Ring(2)
                let both = DispatchGroup()
                for (index, here, there) in [(0, left, right), (1, right, left)] {
                    both.enter()
                    here.schedule {
                        ring.meet(index)
                        SignalProducer<Int, Never>(value: 1).observe(on: there).wait()
                        both.leave()
                    }
                }
                both.wait()
            }
            #expect(result.says("deadlock: threads wait for each other"))
            #expect(result.says("SignalProducer<Int, Never>, which QueueScheduler “left” has to deliver"))
            #expect(result.says("SignalProducer<Int, Never>, which QueueScheduler “right” has to deliver"))
        }

        /// A thread that changes a value blocks, and the scheduler for which it waits waits for the value.
        @Test func aValueAndAStream() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let scheduler = QueueScheduler(name: "other")
                let value = MutableProperty(0)
                value.modify { _ in
                    let began = DispatchSemaphore(value: 0)
                    scheduler.schedule {
                        began.signal()
                        value.modify { $0 += 1 }
                    }
                    began.wait()
                    _ = SignalProducer<Int, Never>([1]).observe(on: scheduler).last()
                }
            }
            #expect(result.says("deadlock: threads wait for each other"))
            #expect(result.says("changes MutableProperty<Int>"))
            #expect(result.says("blocks in last()"))
        }

        /// The start is on another thread, and comes back to the blocked one.
        @Test func startedElsewhere() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (scheduler, other) = (QueueScheduler(name: "own"), QueueScheduler(name: "other"))
                OwnWait.run(on: scheduler) {
                    _ = SignalProducer<Int, Never>([1]).observe(on: scheduler).start(on: other).map { $0 + 1 }.last()
                }
            }
            #expect(result.says("blocks in last() and waits for an event"))
        }

        /// What several sources feed isn't known to end. Whoever waits for long hears what it blocks.
        @Test func severalSources() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let (scheduler, other) = (QueueScheduler(name: "own"), QueueScheduler(name: "other"))
                OwnWait.run(on: scheduler) {
                    let own = SignalProducer<Int, Never>([1]).observe(on: scheduler)
                    let late = SignalProducer<Int, Never>([2]).delay(2.5, on: other)
                    precondition(SignalProducer.merge(own, late).first() == .success(2))
                }
            }
            #expect(result.says("warning: first() of SignalProducer<Int, Never> has blocked thread"))
            #expect(result.says("on a scheduler that has more to do"))
        }

        /// Calls that look like a wait for itself and end.
        @Test func othersReturn() {
            let (own, other) = (QueueScheduler(name: "own"), QueueScheduler(name: "other"))
            let (signal, input) = Signal<Int, Never>.pipe()
            let property = MutableProperty(7)
            let done = DispatchSemaphore(value: 0)
            own.schedule {
                // Delivered elsewhere.
                #expect(SignalProducer<Int, Never>([1, 2]).observe(on: other).last() == .success(2))
                // The value comes before the hop.
                #expect(SignalProducer<Int, Never>([1]).observe(on: own).prefix(value: 3).first() == .success(3))
                // Another source ends it.
                #expect(
                    SignalProducer<Int, Never>.never.observe(on: own)
                        .take(until: SignalProducer<(), Never>(value: ()).delay(0.01, on: other)).last() == nil)
                // At least one of them is free.
                #expect(
                    SignalProducer.merge(
                        SignalProducer<Int, Never>([1]).observe(on: own),
                        SignalProducer<Int, Never>([2]).observe(on: other)
                    ).first() == .success(2))
                // It hops here after it has hopped there, and so can't be first.
                #expect(
                    SignalProducer<Int, Never>([4]).observe(on: other).flatMap(.race) { value in
                        SignalProducer<Int, Never>(value: value)
                    }.first() == .success(4))
                // The current value needs no change.
                property.signal.observeValues { _ in
                    #expect(property.producer.observe(on: other).first() == .success(8))
                }
                property.value = 8
                done.signal()
            }
            done.wait(orElse: "a call hasn't returned")
            // Another thread sends what is awaited in a callback of another signal.
            let (ticks, tick) = Signal<(), Never>.pipe()
            let isOver = Atomic(false)
            ticks.observeValues {
                DispatchQueue.global().async {
                    while !isOver.value {
                        input.send(value: 5)
                        usleep(100)
                    }
                }
                #expect(signal.producer.first() == .success(5))
                isOver.value = true
            }
            tick.send(value: ())
        }
    }

    /// A blocking call that waits for itself.
    struct OwnWait: Sendable, CustomTestStringConvertible {
        let index: Int
        let testDescription: String
        let call: String
        let source: String
        let body: @Sendable () -> Void

        static func run(on scheduler: any Scheduler, _ body: @escaping @Sendable () -> Void) {
            let done = DispatchSemaphore(value: 0)
            scheduler.schedule {
                body()
                done.signal()
            }
            done.wait()
        }

        static let all: [OwnWait] = {
            let cases: [(String, String, String, @Sendable () -> Void)] = [
                (
                    "a hop on its own queue", "first()", "QueueScheduler “own” has to deliver",
                    {
                        let scheduler = QueueScheduler(name: "own")
                        run(on: scheduler) { SignalProducer<Int, Never>(value: 1).observe(on: scheduler).first() }
                    }
                ),
                (
                    "a hop on the queue that it has entered with sync", "single()",
                    "QueueScheduler “own” has to deliver",
                    {
                        let scheduler = QueueScheduler(name: "own")
                        scheduler.queue.sync {
                            _ = SignalProducer<Int, Never>(value: 1).map { $0 + 1 }.observe(on: scheduler).single()
                        }
                    }
                ),
                (
                    "a hop before another one", "last()", "ThreadScheduler “engine” has to deliver",
                    {
                        let (scheduler, other) = (ThreadScheduler(name: "engine"), QueueScheduler(name: "other"))
                        run(on: scheduler) {
                            _ = SignalProducer<Int, Never>([1, 2]).filter { $0 > 1 }.observe(on: scheduler)
                                .skipRepeats().observe(on: other).last()
                        }
                    }
                ),
                (
                    "a start on its own scheduler", "wait()", "PooledScheduler has to deliver",
                    {
                        let scheduler = QueueSchedulerPool(count: 2).schedulers[0]
                        run(on: scheduler) { SignalProducer<Int, Never>([1]).start(on: scheduler).wait() }
                    }
                ),
                (
                    "a timer on its own scheduler", "first()", "QueueScheduler “own” has to deliver",
                    {
                        let scheduler = QueueScheduler(name: "own")
                        run(on: scheduler) {
                            SignalProducer<Int, Never>.interval(.milliseconds(1), on: scheduler).take(first: 3).first()
                        }
                    }
                ),
                (
                    "in a callback of the signal", "first()",
                    "Signal<Int, Never>, in whose callback it is, has to deliver",
                    {
                        let (signal, input) = Signal<Int, Never>.pipe()
                        signal.observeValues { _ in signal.producer.first() }
                        input.send(value: 1)
                    }
                ),
                (
                    "in a callback of a signal before it", "first()",
                    "Signal<Int, Never>, in whose callback it is, has to deliver",
                    {
                        let (signal, input) = Signal<Int, Never>.pipe()
                        let derived = signal.map { $0 + 1 }
                        signal.observeValues { _ in derived.producer.observe(on: QueueScheduler()).first() }
                        input.send(value: 1)
                    }
                ),
            ]
            return cases.enumerated().map {
                OwnWait(index: $0, testDescription: $1.0, call: $1.1, source: $1.2, body: $1.3)
            }
        }()
    }
#endif
