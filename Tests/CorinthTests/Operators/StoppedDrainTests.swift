#if !NaiveLocks  // In the naive build, a hop's thread doesn't wait, and exceeds the bound.
    @testable import Corinth
    import CorinthTesting
    import Dispatch
    import Foundation
    import Testing

    /// Several hops in a row with a slow one at the end: values wait in the buffers before it.
    struct StoppedDrainTests {
        private let first = StepScheduler()
        private let second = StepScheduler()
        private let before = BufferStatistics()
        private let after = BufferStatistics()
        private let recorder = EventRecorder<Int, Never>()

        private func hops(
            _ policy: BufferingPolicy<Never> = .unbounded, capacity: Int
        ) -> Signal<Int, Never>.Observer {
            let (signal, input) = Signal<Int, Never>.pipe()
            signal
                .observe(on: first, bufferingPolicy: policy, statistics: before)
                .map { $0 * 10 }
                .observe(
                    on: second, bufferingPolicy: .blocking(capacity: capacity, stallTimeout: .never), statistics: after
                )
                .observe(recorder.observer)
            return input
        }

        /// Ends the sources, and runs what that schedules.
        private func end(_ inputs: Signal<Int, Never>.Observer...) {
            for input in inputs { input.sendCompleted() }
            while first.count + second.count > 0 {
                first.run()
                second.run()
            }
        }

        @Test(arguments: [1, 2, 3, 64, 100])
        func `X2: a drain stops with one element in hand that the next hop has no capacity for`(capacity: Int) {
            let input = hops(capacity: capacity)
            for value in 0..<1000 { input.send(value: value) }
            input.sendCompleted()
            first.run()
            #expect(after.waiting == capacity)
            #expect(before.waiting == 1000 - capacity - 1)
            var rounds = 0
            while recorder.events.last?.isTerminating != true, rounds < 2000 {
                second.run()
                #expect(after.waiting == 0)
                first.run()
                #expect(after.waiting <= capacity)
                rounds += 1
            }
            #expect(recorder.values == (0..<1000).map { $0 * 10 })
            #expect(recorder.events.last == .completed)
            #expect(first.count == 0 && second.count == 0)
        }

        @Test func `While a drain is stopped, new values are queued and wake no thread`() {
            let input = hops(capacity: 1)
            for value in 0..<3 { input.send(value: value) }
            first.run()
            for value in 3..<10 { input.send(value: value) }
            #expect(first.count == 0)
            #expect(before.waiting == 8)
            for _ in 0..<10 {
                second.run()
                first.run()
            }
            #expect(recorder.values == (0..<10).map { $0 * 10 })
            input.send(value: 10)
            #expect(first.count == 1)
            end(input)
        }

        @Test func `A dropping hop drops the values that exceed the next hop's capacity`() {
            let input = hops(.dropOldest(capacity: 4), capacity: 2)
            for value in 0..<100 {
                input.send(value: value)
                first.run()
            }
            #expect(before.delivered == 3 && before.waiting == 4 && before.dropped == 93)
            for _ in 0..<10 {
                second.run()
                first.run()
            }
            #expect(recorder.values == [0, 1, 2, 96, 97, 98, 99].map { $0 * 10 })
            end(input)
        }

        @Test func `An interruption of a stopped drain drops its queued values`() {
            let leaks = LeakCounter()
            let (signal, input) = Signal<LeakCounter.Token, Never>.pipe()
            let ends = Counter()
            let disposable = signal.observe(on: first)
                .observe(on: second, bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never))
                .observe { if $0.isTerminating { ends.increment() } }
            for _ in 0..<10 { input.send(value: leaks.token()) }
            first.run()
            #expect(leaks.count == 10)
            input.sendInterrupted()
            second.run()
            first.run()
            second.run()
            #expect(ends.value == 1)
            #expect(leaks.count == 0)
            disposable?.dispose()
        }

        @Test func `Every one of several stopped drains resumes`() {
            let (third, input3) = Signal<Int, Never>.pipe()
            let (fourth, input4) = Signal<Int, Never>.pipe()
            Signal.merge(
                third.observe(on: first, bufferingPolicy: .unbounded),
                fourth.observe(on: first, bufferingPolicy: .dropNewest(capacity: 50))
            )
            .observe(on: second, bufferingPolicy: .blocking(capacity: 4, stallTimeout: .never), statistics: after)
            .observe(recorder.observer)
            for value in 0..<50 {
                input3.send(value: value)
                input4.send(value: -1 - value)
            }
            first.run()
            #expect(after.waiting <= 6)
            for _ in 0..<100 {
                second.run()
                first.run()
                #expect(after.waiting <= 6)
            }
            #expect(recorder.values.filter { $0 >= 0 } == Array(0..<50))
            #expect(recorder.values.filter { $0 < 0 } == (0..<50).map { -1 - $0 })
            end(input3, input4)
        }

        @Test func `A drain that has resumed once doesn't pass a drain that stops later`() {
            // The progress thread hands out what is free when nobody was served for a while, which may be before the attempt.
            #expect((0..<20).contains { _ in waitingBehindAnother() == 2 })
        }

        private func waitingBehindAnother() -> Int? {
            let (first, second, third) = (StepScheduler(), StepScheduler(), StepScheduler())
            let before = BufferStatistics()
            let recorder = EventRecorder<Int, Never>()
            let (fast, slow) = (Signal<Int, Never>.pipe(), Signal<Int, Never>.pipe())
            let later = Atomic<Int?>(nil)
            let count = Counter()
            Signal.merge(
                fast.output.observe(on: first, bufferingPolicy: .unbounded, statistics: before),
                slow.output.observe(on: third, bufferingPolicy: .unbounded)
            )
            .observe(on: second, bufferingPolicy: .blocking(capacity: 16, stallTimeout: .never))
            .observeValues { value in
                recorder.observer.send(value: value)
                guard count.increment() == 17 + 5 else { return }
                // There are free permits now, and the slow hop's drain waits for some. On a thread that has no batch of
                // permits.
                ThreadGroup.run(1) { _ in
                    for value in 100..<103 { fast.input.send(value: value) }
                    first.run()
                    later.value = before.waiting
                }
            }
            for value in 0..<17 { fast.input.send(value: value) }
            first.run()
            second.run()
            // It has stopped, and resumes.
            first.run()
            #expect(before.waiting == 0)
            for value in 50..<67 { slow.input.send(value: value) }
            third.run()
            second.run()
            fast.input.sendCompleted()
            slow.input.sendCompleted()
            for _ in 0..<10 {
                first.run()
                third.run()
                second.run()
            }
            #expect(Set(recorder.values) == Set(0..<17).union(50..<67).union(100..<103))
            #expect(recorder.values.count == 37)
            return later.value
        }

        @Test func `A hop that sends to itself doesn't wait for itself`() {
            let scheduler = StepScheduler()
            let (signal, input) = Signal<Int, Never>.pipe()
            let statistics = BufferStatistics()
            signal
                .observe(
                    on: scheduler, bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never), statistics: statistics
                )
                .observeValues { value in
                    // Each value sends four more, twice.
                    if value < 2 { for _ in 0..<4 { input.send(value: value + 1) } }
                }
            input.send(value: 0)
            scheduler.run()
            #expect(statistics.delivered == 1 + 4 + 16)
            input.sendCompleted()
            scheduler.run()
        }

        @Test func `A draining pool waits for a stopped hop`() {
            let scheduler = TestScheduler()
            let pool = QueueSchedulerPool(over: [scheduler])
            let ended = Flag()
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.observe(on: pool.next, bufferingPolicy: .unbounded, statistics: before)
                .observe(on: second, bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never), statistics: after)
                .observe(recorder.observer)
            for value in 0..<10 { input.send(value: value) }
            scheduler.advance()
            #expect(after.waiting == 2)
            pool.shutDown(.draining) { ended.raise() }
            scheduler.advance()
            #expect(!ended.isRaised)
            for _ in 0..<10 {
                second.run()
                scheduler.advance()
            }
            #expect(ended.isRaised)
            #expect(before.delivered == 10 && before.dropped == 0)
        }

        @Test func `With a stall timeout of 0, no drain stops`() {
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.observe(on: first)
                .observe(
                    on: second, bufferingPolicy: .blocking(capacity: 1, stallTimeout: .nanoseconds(0)),
                    statistics: after
                )
                .observe(recorder.observer)
            for value in 0..<10 { input.send(value: value) }
            first.run()
            #expect(after.waiting == 10)
            end(input)
        }

        @Test func `Full hops in a cycle detect that they wait for themselves, and continue`() {
            let there = QueueScheduler(name: "there")
            let back = QueueScheduler(name: "back")
            let (signal, input) = Signal<Int, Never>.pipe()
            let ended = Counter()
            signal
                .observe(on: there, bufferingPolicy: .blocking(capacity: 4, stallTimeout: .never))
                .observe(on: back, bufferingPolicy: .blocking(capacity: 4, stallTimeout: .never))
                .observeValues { value in
                    if value == 0 { ended.increment() } else { input.send(value: value - 1) }
                }
            for _ in 0..<40 { input.send(value: 5) }
            #expect(Stress.eventually { ended.value == 40 })
            input.sendCompleted()
        }

        @Test func `A scheduler that never runs stops other drains for one stall timeout at a time`() {
            let leaks = QueueScheduler(name: "live")
            let (signal, input) = Signal<Int, Never>.pipe()
            let hop = signal.observe(on: leaks)
            let delivered = Counter()
            hop.observe(on: second, bufferingPolicy: .blocking(capacity: 4, stallTimeout: .milliseconds(5)))
                .observeValues { _ in }
            hop.observeValues { _ in delivered.increment() }
            let ended = Counter()
            hop.observeCompleted { ended.increment() }
            for value in 0..<100 { input.send(value: value) }
            #expect(Stress.eventually { delivered.value == 100 })
            input.sendCompleted()
            #expect(Stress.eventually { ended.value == 1 })
            end()
        }

        @Test func `A hop with slow deliveries isn't flooded by the hop before it`() {
            let slow = QueueScheduler(name: "slow")
            let (signal, input) = Signal<Int, Never>.pipe()
            let ended = Flag()
            signal.observe(on: QueueScheduler(name: "fast"), bufferingPolicy: .dropOldest(capacity: 2))
                .observe(
                    on: slow, bufferingPolicy: .blocking(capacity: 2, stallTimeout: .milliseconds(2)), statistics: after
                )
                .observe { event in
                    // This takes five stall timeouts.
                    if event.value != nil { usleep(10_000) } else { ended.raise() }
                }
            var most = 0
            for value in 0..<200 {
                input.send(value: value)
                usleep(100)
                most = max(most, after.waiting)
            }
            input.sendCompleted()
            #expect(Stress.eventually { ended.isRaised })
            // Each timeout during a delivery admits one more capacity. Deliveries may take long on a busy machine. Without any
            // bound, nearly all values would wait.
            #expect(most <= 2 * 30)
        }

        @Test func `Delayed values don't flood the hop behind the delay`() {
            let clock = TestScheduler()
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.delay(1, on: clock)
                .observe(on: second, bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never), statistics: after)
                .observe(recorder.observer)
            for value in 0..<10 { input.send(value: value) }
            clock.advance(by: .seconds(2))
            #expect(after.waiting == 2)
            for _ in 0..<10 {
                second.run()
                clock.advance()
                #expect(after.waiting <= 2)
            }
            #expect(recorder.values == Array(0..<10))
            input.sendCompleted()
            clock.run()
            end()
        }
    }
#endif
