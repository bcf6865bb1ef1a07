import CTestSupport
@testable import Corinth
import CorinthTesting
import Dispatch
import Testing

/// Every bridge on a pool of one thread. No bridge may block the thread: another task has to run for its sake.
@Suite(.serialized)
struct PoolOfOneTests {
    @Test func `Control: a task that blocks the thread stops all others`() {
        let gate = DispatchSemaphore(value: 0)
        @Sendable func blocks() -> Bool { gate.wait(timeout: .now() + .milliseconds(50)) == .timedOut }
        PoolOfOne.run([
            { #expect(blocks(), "another task has run meanwhile") },
            { gate.signal() },
        ])
    }

    // MARK: values

    @Test func `values: synchronous senders and their readers don't wait for each other`() {
        let (output, input) = Signal<Int, Never>.pipe()
        nonisolated(unsafe) var iterator = output.values(bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never))
            .makeAsyncIterator()
        PoolOfOne.run([
            {
                for value in 0..<1_000 { input.send(value: value) }
                input.sendCompleted()
            },
            {
                var expected = 0
                while let value = await unsafe iterator.next() {
                    #expect(value == expected)
                    expected += 1
                }
                #expect(expected == 1_000)
            },
        ])
    }

    @Test func `values of producers and properties, with more values than the buffer holds`() {
        let property = MutableProperty(0)
        let numbers = SignalProducer<Int, Never>(0..<20_000)
        PoolOfOne.run([
            { #expect(await numbers.values().reduce(0) { sum, _ in sum + 1 } == 20_000) },
            {
                let values = numbers.values(bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never))
                #expect(await values.reduce(0) { sum, _ in sum + 1 } == 20_000)
            },
            {
                var last = -1
                for await value in property.values {
                    #expect(value > last)
                    last = value
                    if value == 1_000 { break }
                }
                #expect(last == 1_000)
            },
            {
                for value in 1...1_000 {
                    property.value = value
                    if value % 10 == 0 { await Task.yield() }
                }
            },
        ])
    }

    // MARK: Awaited values

    @Test func `Awaited values of streams, properties and actions`() {
        let property = MutableProperty(0)
        let (output, input) = Signal<Int, Never>.pipe()
        let awaiting = Counter()
        let action = Action<Int, Int, Never> { value in .task { value * 2 } }
        PoolOfOne.run([
            {
                awaiting.increment()
                #expect(await property.firstValue { $0 == 50 } == 50)
            },
            {
                awaiting.increment()
                #expect(await output.producer.filter { $0 == 50 }.firstValue() == 50)
            },
            {
                awaiting.increment()
                #expect(await output.nextValue() == 1)
            },
            {
                awaiting.increment()
                #expect(await output.producer.lastValue() == 100)
            },
            {
                awaiting.increment()
                #expect(await output.producer.allValues()?.count == 100)
            },
            {
                awaiting.increment()
                #expect(await output.producer.take(first: 1).singleValue() == 1)
            },
            {
                awaiting.increment()
                #expect(await output.producer.termination() == .completed)
            },
            { #expect(try! await action.execute(21) == 42) },
            {
                while awaiting.value < 7 { await Task.yield() }
                for value in 1...100 {
                    property.value = value
                    input.send(value: value)
                }
                input.sendCompleted()
                for value in (50..<100).reversed() { property.value = value }
            },
        ])
    }

    // MARK: Producers of tasks

    @Test func `Producers of sequences, operations and generators, beyond a full hop to an actor`() {
        let numbers = SignalProducer<Int, Never>(0..<200)
        let producers: [SignalProducer<Int, Never>] = [
            SignalProducer(awaiting: numbers.values()),
            .generator { output in for value in 0..<200 { await output.send(value) } },
            SignalProducer<Int, Never>(0..<200).flatMap(.concat) { value in .task { value } },
        ]
        PoolOfOne.run(
            producers.map { producer in
                { @Sendable in
                    let hop = producer.observe(
                        on: ExecutorScheduler(actor: Place()),
                        bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never))
                    #expect(await hop.allValues() == Array(0..<200))
                }
            })
    }

    #if !NaiveLocks
        // The naive build has no graph of those that wait.
        @Test func `A start in a task doesn't wait for a hop, whose observer may wait for another task`() {
            let gate = DispatchSemaphore(value: 0)
            let hop = SignalProducer<Int, Never>(0..<50)
                .observe(
                    on: QueueScheduler(name: "hop"), bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never)
                )
                .on(value: { _ in gate.wait(orElse: "the other task hasn't run") })
            let open: @Sendable () async -> Void = {
                for _ in 0..<50 {
                    gate.signal()
                    await Task.yield()
                }
            }
            PoolOfOne.run([{ #expect(await hop.allValues()?.count == 50) }, open])
            PoolOfOne.run([{ #expect(await hop.values().reduce(0) { sum, _ in sum + 1 } == 50) }, open])
            let moved = hop.start(on: ExecutorScheduler(actor: Place()))
            PoolOfOne.run([{ #expect(await moved.allValues()?.count == 50) }, open])
        }

        @Test func `A task that sends doesn't wait for a hop to a queue that waits for this task to read`() {
            let policy = BufferingPolicy<Never>.blocking(capacity: 2, stallTimeout: .never)
            PoolOfOne.run([
                {
                    let (output, input) = Signal<Int, Never>.pipe()
                    var values = output.observe(on: QueueScheduler(name: "hop"), bufferingPolicy: policy)
                        .values(bufferingPolicy: policy).makeAsyncIterator()
                    for value in 0..<100 { input.send(value: value) }
                    for value in 0..<100 { #expect(await values.next() == value) }
                }
            ])
        }

        @Test func `A task that already waits for a hop doesn't wait any more if the hop waits for this task to read`()
        {
            let policy = BufferingPolicy<Never>.blocking(capacity: 1, stallTimeout: .never)
            PoolOfOne.run([
                {
                    let (output, input) = Signal<Int, Never>.pipe()
                    let hop = BufferStatistics()
                    var values = output.observe(
                        on: QueueScheduler(name: "hop"), bufferingPolicy: policy, statistics: hop
                    )
                    // The second value doesn't fit into the sequence's buffer. It comes after the task has begun to wait.
                    .on(value: { value in
                        if value == 1 { while hop.heldWord.load(.relaxed) == 0 { Work.yield() } }
                    })
                    .values(bufferingPolicy: policy).makeAsyncIterator()
                    for value in 0..<10 { input.send(value: value) }
                    for value in 0..<10 { #expect(await values.next() == value) }
                }
            ])
        }
    #endif

    // MARK: Sends

    @Test func `Tasks that send are suspended until their readers make room`() {
        let (output, input) = Signal<Int, Never>.pipe(buffering: .blocking(capacity: 1))
        nonisolated(unsafe) var iterator = output.values(bufferingPolicy: .blocking(capacity: 1)).makeAsyncIterator()
        let senders = Counter()
        let send: @Sendable () async -> Void = {
            for value in 0..<250 { try? await input.suspendingSend(value: value) }
            if senders.increment() == 2 { input.sendCompleted() }
        }
        PoolOfOne.run([
            send, send,
            {
                var count = 0
                while await unsafe iterator.next() != nil { count += 1 }
                #expect(count == 500)
            },
        ])
    }

    // MARK: Actors, executors and clocks

    /// An actor on the pool.
    private actor Place {
        private(set) var values: [Int] = []

        func follow(_ signal: Signal<Int, Never>) { signal.observeValues(isolation: self) { self.values.append($0) } }

        func follow(_ producer: SignalProducer<Int, Never>) {
            producer.startWithValues(isolation: self) { self.values.append($0) }
        }

        func wait(for count: Int) async {
            while values.count < count { await Task.yield() }
        }
    }

    @Test func `A hop to an actor or an executor: what a task sends doesn't wait for it`() {
        let schedulers = [
            ExecutorScheduler(actor: Place()), ExecutorScheduler(executor: QueueScheduler(name: "serial")),
            ExecutorScheduler(taskExecutor: ThreadScheduler(name: "tasks")),
        ]
        PoolOfOne.run(
            schedulers.map { scheduler in
                { @Sendable in
                    let (output, input) = Signal<Int, Never>.pipe()
                    let seen = Counter()
                    output.observe(on: scheduler, bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never))
                        .observeValues { _ in seen.increment() }
                    for value in 0..<1_000 { input.send(value: value) }
                    #expect(await Stress.eventually { seen.value == 1_000 })
                }
            })
    }

    @Test func `Observers isolated to an actor, of which more values come than a hop holds`() {
        let count = Strand.defaultCapacity + 1_000
        PoolOfOne.run([
            {
                let (output, input) = Signal<Int, Never>.pipe()
                let place = Place()
                await place.follow(output)
                for value in 0..<count { input.send(value: value) }
                await place.wait(for: count)
                #expect(await place.values == Array(0..<count))
            },
            {
                let place = Place()
                await place.follow(SignalProducer(0..<count))
                await place.wait(for: count)
                #expect(await place.values == Array(0..<count))
            },
        ])
    }

    /// A plain executor: a scheduler is a task executor, too, and the runtime takes further hops between these.
    private final class QueueExecutor: SerialExecutor {
        let queue = DispatchQueue(label: "station")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    /// An actor on a queue.
    private actor Station {
        nonisolated let executor = QueueExecutor()
        private static let key = DispatchSpecificKey<Bool>()

        init() { executor.queue.setSpecific(key: Station.key, value: true) }

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

        /// The jobs of the calling task that the pool runs while `body` runs here 100 times.
        func jobs(of body: @Sendable (isolated Station) async -> Void) async -> UInt64 {
            // To the runtime, a task is the job that it continues with.
            unsafe withUnsafeCurrentTask { task in
                unsafe test_count_jobs(unsafeBitCast(task, to: UnsafeMutableRawPointer?.self))
            }
            for _ in 0..<100 { await body(self) }
            return test_counted_jobs()
        }
    }

    @Test func `Awaiting on an actor takes no more hops than a plain continuation, and starts run on the actor`() {
        let station = Station()
        let queue = station.executor.queue
        let (output, input) = Signal<Int, Never>.pipe()
        let property = MutableProperty(0)
        let starts = Counter()
        // What the queue runs comes when the task is suspended: until then, the task occupies the queue.
        let later = SignalProducer<Int, Never> { observer, _ in
            if Station.isCurrent { starts.increment() }
            queue.async { observer.send(value: 1) }
        }
        PoolOfOne.run([
            {
                let plain = await station.jobs { (here: isolated Station) in
                    here.preconditionIsolated()
                    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
                }
                #expect(plain >= 100)
                let counts = await [
                    station.jobs { (here: isolated Station) in
                        here.preconditionIsolated()
                        let value = await later.firstValue()
                        #expect(value == 1)
                    },
                    station.jobs { (here: isolated Station) in
                        here.preconditionIsolated()
                        for await value in later.values() {
                            #expect(value == 1)
                            break
                        }
                    },
                    station.jobs { (here: isolated Station) in
                        here.preconditionIsolated()
                        queue.async { input.send(value: 2) }
                        let value = await output.nextValue()
                        #expect(value == 2)
                    },
                    station.jobs { (here: isolated Station) in
                        here.preconditionIsolated()
                        var values = output.values().makeAsyncIterator()
                        queue.async { input.send(value: 3) }
                        let value = await values.next(isolation: here)
                        #expect(value == 3)
                    },
                    station.jobs { (here: isolated Station) in
                        here.preconditionIsolated()
                        property.value = 0
                        queue.async { property.value = 4 }
                        let value = await property.firstValue { $0 == 4 }
                        #expect(value == 4)
                    },
                ]
                #expect(counts.allSatisfy { $0 <= plain }, "\(counts), and \(plain) of a continuation")
                #if !NaiveLocks
                    let steps = StepScheduler()
                    let stepping = DispatchQueue(label: "steps")
                    let (sent, sending) = Signal<Int, Never>.pipe(
                        buffering: .blocking(capacity: 1, stallTimeout: .never))
                    let (seen, ended) = (Counter(), Flag())
                    sent.observe(on: steps, bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never))
                        .observe { event in
                            if event.isTerminating { ended.raise() } else { seen.increment() }
                        }
                    let sends = await station.jobs { (here: isolated Station) in
                        here.preconditionIsolated()
                        while sending.trySend(value: 5) {}
                        let isSent = Flag()
                        stepping.async { while !isSent.isRaised { steps.run() } }
                        try? await sending.suspendingSend(value: 6)
                        isSent.raise()
                    }
                    // It may be suspended twice: for the inbox and for the hop.
                    #expect(sends <= 2 * plain, "\(sends), and \(plain) of a continuation")
                    #expect(seen.value > 100)
                    // The hop ends on its scheduler. Until then, both keep each other. The end may come to the hop later: a worker
                    // that has continued the pipe's strand may still own it.
                    sending.sendInterrupted()
                    let hasEnded = await Stress.eventually {
                        stepping.sync { steps.run() }
                        return ended.isRaised
                    }
                    #expect(hasEnded)
                #endif
            }
        ])
        #expect(starts.value == 200)
    }

    @Test func `Observers on the main actor`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Counter()
        PoolOfOne.run([
            {
                await MainActor.run { _ = output.observeValues(on: MainActor.self) { _ in seen.increment() } }
                for value in 0..<1_000 { input.send(value: value) }
                #expect(await Stress.eventually { seen.value == 1_000 })
            },
            { #expect(await Stress.eventually { seen.value == 1_000 }) },
        ])
    }

    @Test func `Tracked expressions on an actor`() {
        let scheduler = ExecutorScheduler(actor: Place())
        nonisolated(unsafe) let model = TrackingModel()
        let evaluations = Counter()
        PoolOfOne.run([
            {
                var last = -1
                for await value in SignalProducer.tracking(on: scheduler, { unsafe model.number }).values() {
                    #expect(value > last)
                    last = value
                    evaluations.increment()
                    if value == 100 { break }
                }
            },
            {
                while evaluations.value == 0 { await Task.yield() }
                for number in 1...100 {
                    scheduler.schedule { unsafe model.number = number }
                    await Task.yield()
                }
            },
        ])
    }

    @Test(arguments: [false, true])
    func `Hops and timers on a clock, whose actions run on a queue or on an actor`(isOnActor: Bool) {
        let time = TestScheduler()
        let scheduler = ClockScheduler(time.clock, on: isOnActor ? ExecutorScheduler(actor: Place()) : nil)
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Counter()
        PoolOfOne.run([
            {
                output.observe(on: scheduler, bufferingPolicy: .blocking(capacity: 2, stallTimeout: .never))
                    .delay(.seconds(1), on: scheduler).observeValues { _ in seen.increment() }
                for value in 0..<200 { input.send(value: value) }
                #expect(await Stress.eventually { seen.value == 200 })
            },
            {
                while seen.value < 200 {
                    await time.advance(by: .seconds(1))
                    await Task.yield()
                }
            },
        ])
    }
}
