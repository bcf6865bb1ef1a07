#if !NaiveLocks
    import Dispatch
    import Testing

    @testable import Corinth

    /// Threads that send to one signal all the time are leader and followers.
    @Suite struct LeaderTests {
        private static let threads = 6

        /// How much each thread sends. Under thread sanitizer so few events a millisecond are delivered that nobody leads.
        private static let count = WaitLimit.isSanitized ? 2_000 : 20_000

        /// Runs a test until it has met a leader. On a machine that does other things, too, that may take some runs.
        private func expectLeader(_ hasMet: () -> Bool, _ run: () -> Void) {
            let end = ContinuousClock.now + .seconds(WaitLimit.seconds / 2)
            repeat {
                run()
                if hasMet() { return }
            } while ContinuousClock.now < end && !WaitLimit.isSanitized
            #expect(WaitLimit.isSanitized, "nobody leads")
        }

        /// A signal, and threads that send to it so that all but one wait, before they go on.
        ///
        /// - Parameters:
        ///   - between: Called on each thread after each of its sends.
        private func crowd(
            sending count: Int, to strand: Strand, by send: @escaping @Sendable (Int, Int) -> Void,
            _ isDelivering: Flag, _ gate: DispatchSemaphore,
            _ between: @escaping @Sendable (_ thread: Int, _ number: Int) -> Void
        ) {
            ThreadGroup.run(Self.threads + 1) { thread in
                if thread == Self.threads {
                    #expect(Stress.eventually { strand.waiterCount == Self.threads - 1 })
                    gate.signal()
                    return
                }
                if thread > 0 { #expect(Stress.eventually { isDelivering.isRaised }) }
                for number in 0..<count {
                    send(thread, number)
                    between(thread, number)
                }
            }
        }

        /// The events of each thread, in the order of their delivery. Owned by the strand.
        private final class Received: @unchecked Sendable {
            private(set) var next = Array(repeating: 0, count: LeaderTests.threads)
            private(set) var isInOrder = true

            func note(_ thread: Int, _ number: Int) {
                if next[thread] != number { isInOrder = false }
                next[thread] = number + 1
            }
        }

        private func run(
            sending count: Int, _ between: @escaping @Sendable (_ strand: Strand, _ thread: Int, _ number: Int) -> Void
        ) {
            let (output, input) = Signal<(Int, Int), Never>.pipe(inboxCapacity: 1_024)
            let strand = output.core.strand
            let (isDelivering, gate) = (Flag(), DispatchSemaphore(value: 0))
            let received = Received()
            output.observeValues { thread, number in
                if thread == 0, number == 0 {
                    isDelivering.raise()
                    gate.wait(orElse: "not all threads wait")
                }
                received.note(thread, number)
            }
            crowd(sending: count, to: strand, by: { input.send(value: ($0, $1)) }, isDelivering, gate) {
                between(strand, $0, $1)
            }
            // A worker may deliver the last events.
            #expect(Stress.eventually { strand.state.taken(.acquire) == 0 })
            #expect(received.isInOrder)
            #expect(received.next == Array(repeating: count, count: Self.threads))
            #expect(strand.waiterCount == 0)
            #expect(strand.state.limit.load(.relaxed) == 1_024)
        }

        @Test func `X2, E4: all lead in turn, and send elsewhere, too`() {
            let led = Counter()
            let pipes = (0..<Self.threads).map { _ in Signal<Int, Never>.pipe() }
            let elsewhere = Counter()
            for pipe in pipes { pipe.output.observeValues { _ in elsewhere.increment() } }
            let runs = Counter()
            expectLeader({ led.value > 0 }) {
                runs.increment()
                run(sending: Self.count) { strand, thread, number in
                    if ThreadState.current.batch.isTerm { led.increment() }
                    pipes[thread].input.send(value: number)
                }
            }
            #expect(elsewhere.value == runs.value * Self.count * Self.threads)
        }

        @Test func `X2: a leader that sends no more, for whatever reason, isn't the end of the others`() {
            let hasStopped = Flag()
            expectLeader({ hasStopped.isRaised }) {
                let others = Counter()
                run(sending: Self.count) { strand, thread, number in
                    if number == Self.count - 1 { others.increment() }
                    if ThreadState.current.batch.isTerm, !hasStopped.isRaised {
                        hasStopped.raise()
                        // Others may have stopped at the same moment, but none waits for a thread that waits.
                        let least = Self.threads / 2
                        #expect(Stress.eventually { others.value >= least || strand.waiterCount == 0 })
                    }
                }
            }
        }

        /// Whatever a leader queues and delivers, each event has a place in its term, and the term ends by promoting and following.
        @Test(arguments: [0, 100])
        func everyTerm(followers: Int) {
            let term = Batch(termOf: Strand().stateAddress, followers: followers)
            var seen: Set<UInt64> = [term.bits]
            var rest = [term]
            while let batch = rest.popLast() {
                #expect(batch.isTerm && batch.left > 0)
                var following: [Batch] = []
                if batch.mayQueue() { following.append(batch.less) }
                for isSucceeded in batch.hasPromoted ? [false, true] : [false] {
                    let (next, step) = batch.delivering(isSucceeded: isSucceeded)
                    #expect(next.left == batch.left - 1)
                    #expect(next.hasPromoted == (batch.hasPromoted || step == .promote))
                    #expect(step != .follow || batch.hasPromoted)
                    // As `countAsLeader(of:)` does, the term ends with the last event.
                    if step != .follow, next.left > 0 { following.append(next) } else { #expect(next.hasPromoted) }
                }
                rest += following.filter { seen.insert($0.bits).inserted }
            }
            #expect(seen.count > Int(term.left))
        }

        /// A leader that has queued most events of its term promotes the next one and follows at once.
        @Test func leaderThatQueues() {
            let led = Counter()
            expectLeader({ led.value > 0 }) {
                run(sending: Self.count) { strand, _, _ in
                    let batch = ThreadState.current.batch
                    guard batch.isTerm, !batch.hasPromoted else { return }
                    led.increment()
                    ThreadState.current.use(Batch(term: 1, of: strand.stateAddress))
                }
            }
        }

        /// Otherwise its followers sleep until a check of the queue.
        @Test func `X2: a leader that sends from inside another delivery promotes the next one, too`() {
            let promoted = Counter()
            // Under thread sanitizer, filling a larger one may take longer than a stall timeout, which admits more.
            let capacity = WaitLimit.isSanitized ? 64 : 1_024
            expectLeader({ promoted.value > 0 }) {
                let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: capacity)
                let strand = output.core.strand
                let (isDelivering, gate) = (Flag(), DispatchSemaphore(value: 0))
                output.observeValues { value in
                    guard value == -1 else { return }
                    isDelivering.raise()
                    gate.wait(orElse: "not all threads wait")
                }
                let outer = (0..<Self.threads).map { _ in Signal<Int, Never>.pipe() }
                for (output, _) in outer {
                    output.observeValues { value in
                        input.send(value: value)
                        if ThreadState.current.batch.hasPromoted { promoted.increment() }
                    }
                }
                crowd(
                    sending: Self.count, to: strand, by: { outer[$0].input.send(value: $0 == 0 && $1 == 0 ? -1 : $1) },
                    isDelivering, gate
                ) { _, _ in }
                #expect(strand.waiterCount == 0)
            }
        }

        @Test func `X2: a leader that waits for a hop promotes another thread before`() {
            let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: 1_024)
            let strand = output.core.strand
            let (isDelivering, gate) = (Flag(), DispatchSemaphore(value: 0))
            let delivered = Counter()
            output.observeValues { value in
                guard value == -1 else { return }
                isDelivering.raise()
                gate.wait(orElse: "not all threads wait")
            }
            output.observe(on: QueueScheduler(), bufferingPolicy: .blocking(capacity: 16, stallTimeout: .never))
                .observeValues { _ in delivered.increment() }
            let count = 2_000
            crowd(
                sending: count, to: strand, by: { input.send(value: $0 == 0 && $1 == 0 ? -1 : $1) }, isDelivering, gate
            ) { _, _ in }
            #expect(Stress.eventually { delivered.value == count * Self.threads })
            #expect(strand.waiterCount == 0)
        }
    }
#endif
