@testable import Corinth
import CTestSupport
import CorinthTesting
import Dispatch
import Testing

#if !NaiveLocks
    /// How many blocks of memory the bridges allocate. The naive build doesn't keep law X1.
    @Suite(.enabled(if: test_counts_allocations(), "no counts: another C library, or a sanitizer"))
    struct AllocationTests {
        /// Runs tasks on the thread of the test, so that its count is theirs.
        private final class Loop: TaskExecutor, @unchecked Sendable {  // One thread uses it.
            private var jobs: [UnownedJob] = []

            init() { jobs.reserveCapacity(1_000) }

            func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

            /// Runs all jobs, until every task is suspended or has ended.
            func run() {
                while !jobs.isEmpty {
                    unsafe jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
                }
            }

            /// Runs a task until it has ended.
            func run(_ body: @escaping @Sendable () async -> Void) {
                let isOver = Flag()
                Task(executorPreference: self) {
                    await body()
                    isOver.raise()
                }
                run()
                #expect(isOver.isRaised, "the task is suspended")
            }
        }

        /// Optimised code allocates less.
        private static func limit(optimised: UInt64, debug: UInt64) -> UInt64 {
            #if DEBUG
                debug
            #else
                optimised
            #endif
        }

        /// The allocations of one of many calls, in the steady state.
        private func allocations(_ name: String, of body: () async -> Void) async -> UInt64 {
            for _ in 0..<100 { await body() }
            let before = test_allocations()
            for _ in 0..<1_000 { await body() }
            let count = test_allocations() - before
            print("\(name): \(count) allocations in 1000 calls")
            return (count + 999) / 1_000
        }

        /// The allocations of sending values, each of which a task takes before the next one, after some that don't count.
        private func allocations(
            sending count: Int, after first: Int, to input: Signal<Int, Never>.Observer, _ loop: Loop
        ) -> UInt64 {
            var before = test_allocations()
            for value in 0..<first + count {
                if value == first { before = test_allocations() }
                input.send(value: value)
                loop.run()
            }
            return test_allocations() - before
        }

        @Test func `X1: a value that a task takes from values, without being suspended, allocates nothing`() {
            let policies: [BufferingPolicy<Never>] = [
                .blocking(capacity: 64), .latest, .dropOldest(capacity: 8), .dropNewest(capacity: 8), .unbounded,
            ]
            let loop = Loop()
            for policy in policies {
                let (output, input) = Signal<Int, Never>.pipe()
                nonisolated(unsafe) var iterator = output.values(bufferingPolicy: policy).makeAsyncIterator()
                loop.run {
                    // Until the buffer has all its memory.
                    for value in 0..<20_000 {
                        input.send(value: value)
                        #expect(await unsafe iterator.next() == value)
                    }
                    var sum = 0
                    let before = test_allocations()
                    for value in 0..<20_000 {
                        input.send(value: value)
                        sum += await unsafe iterator.next() ?? 0
                    }
                    #expect(test_allocations() == before, "\(policy)")
                    #expect(sum == 10_000 * 19_999)
                }
            }
        }

        @Test func `X1: a value that resumes a suspended task allocates nothing`() {
            let loop = Loop()
            let (output, input) = Signal<Int, Never>.pipe()
            nonisolated(unsafe) var iterator = output.values().makeAsyncIterator()
            let seen = Counter()
            Task(executorPreference: loop) {
                while await unsafe iterator.next() != nil { seen.increment() }
            }
            loop.run()
            let count = allocations(sending: 20_000, after: 20_000, to: input, loop)
            #expect(count <= 20_000 * Self.limit(optimised: 0, debug: 1))
            #expect(seen.value == 40_000)
            input.sendCompleted()
            loop.run()
        }

        @Test func `The awaited values of a stored value allocate one block each`() {
            let producer = SignalProducer<Int, Never>(value: 3)
            Loop().run {
                #expect(
                    await self.allocations("firstValue") { _ = await producer.firstValue() }
                        <= 1)
                #expect(
                    await self.allocations("lastValue") { _ = await producer.lastValue() }
                        <= 1)
                #expect(
                    await self.allocations("singleValue") { _ = await producer.singleValue() }
                        <= 1)
                #expect(
                    await self.allocations("termination") { _ = await producer.termination() }
                        <= 1)
                // And an array.
                #expect(
                    await self.allocations("allValues") { _ = await producer.allValues() }
                        <= 2)
            }
        }

        @Test func `firstValue of a recipe that allocates nothing allocates two blocks`() {
            let producer = SignalProducer<Int, Never>(0..<10)
            Loop().run {
                #expect(
                    await self.allocations("firstValue of a sequence") { _ = await producer.firstValue() }
                        <= Self.limit(optimised: 2, debug: 4))
            }
        }

        @Test func `nextValue allocates four blocks, of which two belong to the observation`() {
            let loop = Loop()
            let (output, input) = Signal<Int, Never>.pipe()
            let seen = Counter()
            Task(executorPreference: loop) {
                while await output.nextValue() != nil { seen.increment() }
            }
            loop.run()
            let count = allocations(sending: 1_000, after: 100, to: input, loop)
            print("nextValue: \(count) allocations in 1000 calls")
            #expect(count <= 1_000 * Self.limit(optimised: 4, debug: 5))
            #expect(seen.value == 1_100)
            input.sendCompleted()
            loop.run()
        }

        @Test func `X1: suspendingSend allocates nothing on an idle signal, and one node for a queued value`() {
            let loop = Loop()
            let (output, input) = Signal<Int, Never>.pipe(buffering: .blocking(capacity: 4_000, stallTimeout: .never))
            let scheduler = StepScheduler()
            let seen = Counter()
            output.observeValues { _ in seen.increment() }
            loop.run {
                #expect(await self.allocations("suspendingSend") { try? await input.suspendingSend(value: 1) } == 0)
            }
            output.observe(on: scheduler, bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never))
                .observeValues { _ in }
            loop.run {
                // These fill the hop, and stop the signal.
                for _ in 0..<10 { _ = input.trySend(value: 1) }
                #expect(
                    await self.allocations("queued suspendingSend") { try? await input.suspendingSend(value: 1) }
                        <= Self.limit(optimised: 1, debug: 2))
            }
            scheduler.discard()
        }

        @Test func `suspendingSend allocates three blocks when it is suspended`() {
            // The first wait of a signal allocates its queue. Without optimisation, a thread that meets the progress thread at a flag
            // records its wait for the check of deadlocks, which allocates: then the least of some rounds counts.
            let rounds = Self.limit(optimised: 1, debug: 25)
            let counts = (0..<rounds).map { _ in allocationsOfSuspended(sends: 200) }
            #expect(counts.min() ?? .max <= 10 + 200 * Self.limit(optimised: 3, debug: 7), "\(counts)")
        }

        private func allocationsOfSuspended(sends: Int) -> UInt64 {
            let loop = Loop()
            let (output, input) = Signal<Int, Never>.pipe(buffering: .blocking(capacity: 1, stallTimeout: .never))
            output.observe(on: StepScheduler(), bufferingPolicy: .blocking(capacity: 1, stallTimeout: .never))
                .observeValues { _ in }
            loop.run { for value in 0..<3 { #expect(input.trySend(value: value)) } }
            let tasks = (0..<sends).map { value in
                Task(executorPreference: loop) { try? await input.suspendingSend(value: value) }
            }
            let before = test_allocations()
            loop.run()
            let count = test_allocations() - before
            print("suspended suspendingSend: \(count) allocations in \(sends) calls")
            for task in tasks { task.cancel() }
            loop.run()
            return count
        }
    }
#endif
