import CCorinth
import Dispatch
import Foundation
import Testing

@testable import Corinth

/// A spinning thread takes the processor from the threads that it waits for, so these tests run one at a time.
@Suite("Thread scheduler", .serialized)
struct ThreadSchedulerTests {
    static let strategies: [WaitStrategy] = [.busySpin, .spinThenYield, .spinThenPark, .park]

    @Test(arguments: strategies)
    func `C1: actions run one at a time, in FIFO order, on the thread`(waiting: WaitStrategy) {
        for producers in [ThreadScheduler.Producers.single, .multiple] {
            let scheduler = ThreadScheduler(name: "order", waiting: waiting, capacity: 16, producers: producers)
            let ledger = Ledger(senders: 1)
            let done = DispatchSemaphore(value: 0)
            for number in 0..<1_000 {
                scheduler.schedule {
                    #expect(scheduler.loop.isCurrent)
                    ledger.receive(.value(Letter(sender: 0, number: number)))
                }
            }
            scheduler.schedule { done.signal() }
            done.wait()
            #expect(ledger.count == 1_000)
            #expect(ledger.isInOrder)
            #expect(!scheduler.loop.isCurrent)
        }
    }

    @Test func `C2: an action that is scheduled on the thread runs after the current action`() {
        let scheduler = ThreadScheduler(capacity: 2)
        let seen = Atomic<[Int]>([])
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        scheduler.schedule {
            gate.wait()
            // These are many more actions than the capacity.
            for number in 2..<100 { scheduler.schedule { seen.modify { $0.append(number) } } }
            #expect(seen.value == [])
            scheduler.schedule { done.signal() }
        }
        scheduler.schedule { seen.modify { $0.append(0) } }
        scheduler.schedule { seen.modify { $0.append(1) } }
        gate.signal()
        done.wait()
        #expect(seen.value == Array(0..<100))
    }

    @Test func `C1, C2: an action that is disposed of before it starts doesn't run, and is released`() {
        let scheduler = ThreadScheduler()
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (runs, leaks) = (Counter(), LeakCounter())
        scheduler.schedule { gate.wait() }
        let disposed = scheduler.schedule { [token = leaks.token()] in
            token.touch()
            runs.increment()
        }
        let run = scheduler.schedule { runs.increment() }
        #expect(leaks.count == 1)
        disposed?.dispose()
        #expect(leaks.count == 0)
        #expect(disposed?.isDisposed == true)
        #expect(run?.isDisposed == false)
        gate.signal()
        scheduler.schedule { done.signal() }
        done.wait()
        #expect(runs.value == 1)
        #expect(run?.isDisposed == true)
    }

    @Test(arguments: strategies)
    func `C1: many threads share a small ring: no action is lost, and each thread's keep FIFO order`(
        waiting: WaitStrategy
    ) {
        for producers in [ThreadScheduler.Producers.single, .multiple] {
            let scheduler = ThreadScheduler(waiting: waiting, capacity: 8, producers: producers)
            Stress.repeated(share: 0.1) {
                let ledger = Ledger(senders: 4)
                ThreadGroup.run(4) { sender in
                    for number in 0..<500 {
                        scheduler.schedule { ledger.receive(.value(Letter(sender: sender, number: number))) }
                    }
                }
                #expect(Stress.eventually { ledger.count == 2_000 }, "only \(ledger.count) of 2,000 actions ran")
                #expect(ledger.isInOrder)
            }
        }
    }

    @Test func `Two schedulers that hop to each other park and wake many times, and no wake-up is lost`() {
        for waiting in [WaitStrategy.park, .spinThenPark] {
            let (first, second) = (ThreadScheduler(waiting: waiting), ThreadScheduler(waiting: waiting))
            let (pings, ping) = Signal<Int, Never>.pipe()
            let (pongs, pong) = Signal<Int, Never>.pipe()
            let done = DispatchSemaphore(value: 0)
            pings.observe(on: first).observeValues { pong.send(value: $0 + 1) }
            pongs.observe(on: second).observeValues { if $0 < 2_000 { ping.send(value: $0) } else { done.signal() } }
            ping.send(value: 0)
            done.wait()
        }
    }

    @Test func `C3: a burst through observe(on:) arrives in FIFO order, followed by its end`() {
        let (output, input) = Signal<Int, Never>.pipe()
        let scheduler = ThreadScheduler()
        let seen = Atomic<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        output.observe(on: scheduler).observe { event in
            #expect(scheduler.loop.isCurrent)
            if let value = event.value { seen.modify { $0.append(value) } } else { done.signal() }
        }
        for value in 0..<500 { input.send(value: value) }
        input.sendCompleted()
        done.wait()
        #expect(seen.value == Array(0..<500))
    }

    #if !NaiveLocks  // The naive build has no bound.
        @Test func `X2: a thread that may wait waits until there is capacity`() {
            let scheduler = ThreadScheduler(capacity: 3)
            #expect(scheduler.capacity == 4)
            let (gate, posted, run) = (DispatchSemaphore(value: 0), Counter(), Counter())
            let isBusy = Flag()
            scheduler.schedule {
                isBusy.raise()
                gate.wait()
            }
            #expect(Stress.eventually { isBusy.isRaised })
            let thread = DispatchQueue(label: "posts")
            thread.async {
                for _ in 0..<20 {
                    scheduler.schedule { run.increment() }
                    posted.increment()
                }
            }
            #expect(Stress.eventually { posted.value == 4 })
            for _ in 0..<1_000 { Work.yield() }
            #expect(posted.value == 4)
            gate.signal()
            #expect(Stress.eventually { run.value == 20 && posted.value == 20 })
        }
    #endif

    @Test func `A thread that delivers an event doesn't wait for capacity, and keeps FIFO order`() {
        let scheduler = ThreadScheduler(capacity: 2)
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let seen = Atomic<[Int]>([])
        scheduler.schedule { gate.wait() }
        let (output, input) = Signal<Int, Never>.pipe()
        output.observeValues { value in scheduler.schedule { seen.modify { $0.append(value) } } }
        for value in 0..<50 { input.send(value: value) }
        gate.signal()
        output.observeValues { _ in scheduler.schedule { done.signal() } }
        input.send(value: 50)
        done.wait()
        #expect(seen.value == Array(0...50))
    }

    @Test func `Two schedulers whose rings are full of each other's actions don't deadlock`() {
        let schedulers = [ThreadScheduler(capacity: 2), ThreadScheduler(capacity: 2)]
        let run = Counter()
        ThreadGroup.run(2) { index in
            for _ in 0..<200 {
                schedulers[index].schedule {
                    for _ in 0..<10 { schedulers[1 - index].schedule { run.increment() } }
                }
            }
        }
        #expect(Stress.eventually { run.value == 4_000 }, "\(run.value)")
    }

    #if os(Linux)
        @Test func `The thread has the scheduler's name, truncated to the system's limit`() throws {
            let scheduler = ThreadScheduler(name: "a name that is longer than that")
            #expect(scheduler.name == "a name that is longer than that")
            #expect(try ask(scheduler, for: "comm") == "a name that is \n")
        }

        @Test func `The thread stays on the processor that it is bound to`() throws {
            for processor in (0..<64).filter({ ccorinth_may_use($0) }).prefix(2) {
                let status = try ask(ThreadScheduler(affinity: Int(processor)), for: "status")
                let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
                #expect(line?.split(separator: "\t").last == "\(processor)")
            }
        }

        // Address sanitizer ends a process that joins such a thread.
        @Test(.enabled(if: !WaitLimit.isSanitized))
        func `When the thread ends, the system releases its stack`() {
            let (error, done) = (Atomic<Int32>(0), DispatchSemaphore(value: 0))
            ThreadScheduler().schedule {
                // Of a thread that isn't detached, this is EDEADLK.
                error.value = pthread_join(pthread_self(), nil)
                done.signal()
            }
            done.wait(orElse: "the thread has not run")
            #expect(error.value == EINVAL)
        }

        /// Reads the system's information about the thread.
        private func ask(_ scheduler: ThreadScheduler, for file: String) throws -> String {
            let answer = Atomic<String?>(nil)
            let done = DispatchSemaphore(value: 0)
            scheduler.schedule {
                answer.value = try? String(contentsOfFile: "/proc/thread-self/\(file)", encoding: .utf8)
                done.signal()
            }
            done.wait()
            return try #require(answer.value)
        }
    #endif

    #if os(Linux)
        @Test func affinityToAMissingProcessor() async {
            await #expect(processExitsWith: .failure) { _ = ThreadScheduler(affinity: 100_000) }
        }
    #endif
}
