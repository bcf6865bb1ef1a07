#if !NaiveLocks && !Exploration && os(Linux)
    @testable import Corinth
    import Foundation
    import Testing

    /// Threads between which the bias of a strand and of a property moves all the time.
    @Suite("Bias, stress", .serialized)
    struct BiasStressTests {
        @Test(.disabled(if: Membarrier.isForbidden, "forbidden on purpose"))
        func `The system has asymmetric barriers`() {
            // With thread sanitizer nothing is biased, and this machine's kernel or sandbox may not have the call.
            #expect(AsymmetricBarrier.isAsymmetric == (Membarrier.isAllowed && !BiasStress.isUnderThreadSanitizer))
        }

        @Test func `If first biases are taken too often, words get none at once, until that ends`() {
            guard BiasedWord.isPossible else { return }
            #expect(Stress.eventually { isBiasedAtOnce() })
            ThreadGroup.run(1) { _ in
                // The takes of a round may be in two periods.
                #expect(
                    Stress.eventually {
                        let strands = (0..<Int(BiasRate.limit)).map { _ in Strand() }
                        for strand in strands { enter(strand) }
                        ThreadGroup.run(1) { _ in for strand in strands { enter(strand) } }
                        return !isBiasedAtOnce()
                    })
            }
            #expect(Stress.eventually { isBiasedAtOnce() })
        }

        private func enter(_ strand: Strand) {
            #expect(strand.enter {})
        }

        private func isBiasedAtOnce() -> Bool {
            let strand = Strand()
            enter(strand)
            return StrandWord(bits: strand.word.load(.relaxed)).isBiased
        }

        @Test func `Events aren't lost and don't overlap while the bias moves`() {
            BiasStress.run(share: 0.3)
        }

        @Test func `The thread that has a bias enters at the moment in which another one takes it`() {
            final class Entered: @unchecked Sendable {  // Owned by the strand's owner.
                let strand = Strand()
                var isInside = false
                var count = 0
                var overlaps = 0

                func enter() {
                    strand.enterOrQueue { self.run() }
                }

                func isDone(_ expected: Int) -> Bool {
                    var isDone = false
                    strand.enter { isDone = count == expected }
                    return isDone
                }

                private func run() {
                    if isInside { overlaps += 1 }
                    isInside = true
                    count += 1
                    isInside = false
                }
            }
            Stress.repeated(share: 0.3) {
                let all = (0..<2_000).map { _ in Entered() }
                let barrier = Barrier(2)
                let meeting = (Atomic(0), Atomic(0))
                ThreadGroup.run(2) { thread in
                    if thread == 0 { for entered in all { entered.enter() } }
                    barrier.arrive()
                    for (index, entered) in all.enumerated() {
                        // Both threads look at each other's number, so that they go on within some nanoseconds.
                        let (mine, its) = thread == 0 ? (meeting.0, meeting.1) : (meeting.1, meeting.0)
                        mine.value = index + 1
                        var looks = 0
                        while its.value <= index {
                            looks += 1
                            if looks > 1_000 { Work.yield() }
                        }
                        for _ in 0..<(thread == 0 ? 4 : 1) { entered.enter() }
                    }
                }
                for entered in all {
                    // A worker may still run what was handed over.
                    #expect(Stress.eventually { entered.isDone(6) })
                    #expect(entered.overlaps == 0)
                }
            }
        }

        @Test
        func
            `E5: a thread that comes without a try to a strand that is biased to it loses nothing while another takes the bias`()
        {
            final class Entered: @unchecked Sendable {  // Owned by the strand's owner.
                let strand = Strand(capacity: 64)
                var count = 0
            }
            Stress.repeated(share: 0.3) {
                let rounds = 200
                let sent = 300
                let all = (0..<rounds).map { _ in Entered() }
                let progress = Atomic(0)
                let barrier = Barrier(2)
                ThreadGroup.run(2) { thread in
                    for (round, entered) in all.enumerated() {
                        let strand = entered.strand
                        if thread == 0 {
                            strand.enter {}  // It has the bias.
                            barrier.arrive()
                            // As a task that has waited for its permit.
                            for index in 1...sent {
                                strand.enqueue(WorkNode { entered.count += 1 }, .atOnce)
                                progress.value = round * sent + index
                            }
                        } else {
                            barrier.arrive()
                            while progress.value < round * sent + 30 + round % 200 {}
                            strand.enterOrQueue { entered.count += 1 }
                        }
                    }
                }
                for entered in all {
                    #expect(
                        Stress.eventually {
                            var isDone = false
                            entered.strand.enter { isDone = entered.count == sent + 1 }
                            return isDone
                        }, "a strand is owned by nobody")
                }
            }
        }

        @Test func `The same where the process may not call membarrier`() async {
            await #expect(processExitsWith: .success) {
                Membarrier.forbid()
                Membarrier.runAgain(only: "BiasStressTests.*in its own process")
            }
        }

        @Test(.enabled(if: Membarrier.isForbidden))
        func `The body of the test above, in its own process`() {
            #expect(!AsymmetricBarrier.isAsymmetric)
            BiasStress.run(share: 0.3)
        }

        @Test func `The same where the process forbids itself membarrier while it runs`() async {
            await #expect(processExitsWith: .success) {
                let before = AsymmetricBarrier.isAsymmetric
                Membarrier.forbid()
                #expect(!Membarrier.isAllowed)
                #expect(AsymmetricBarrier.isAsymmetric == before)
                BiasStress.run(share: 0.1)
            }
        }

        @Test(.enabled(if: AsymmetricBarrier.isAsymmetric))
        func `A process that forbids itself membarrier while it runs visits each processor at a heavy barrier`() async {
            await #expect(processExitsWith: .success) {
                Membarrier.forbid()
                let thread = Membarrier.thread
                let processors = Membarrier.processors(of: thread)
                let isDone = Flag()
                DispatchQueue(label: "watcher").async {
                    var alone: Set<Int> = []
                    let isComplete = Stress.eventually {
                        let seen = Membarrier.processors(of: thread)
                        if seen.count == 1 { alone.formUnion(seen) }
                        return alone == processors
                    }
                    #expect(isComplete, "the barriers visit \(alone.sorted()) of \(processors.sorted())")
                    isDone.raise()
                }
                while !isDone.isRaised { AsymmetricBarrier.heavy() }
                #expect(Membarrier.processors(of: thread) == processors)
            }
        }

        @Test
        func `Of two threads that store, execute a light or a heavy barrier and load, one sees the other's store`() {
            let rounds = 2_000
            Stress.repeated(share: 0.2) {
                let words = (0..<2 * (rounds + 1)).map { _ in SpacedWord() }
                let word = { @Sendable (round: Int, thread: Int) in words[2 * round + thread] }
                let missed = (0..<2).map { _ in Atomic<Set<Int>>([]) }
                ThreadGroup.run(2) { thread in
                    let (mine, its) = (word(rounds, thread), word(rounds, 1 - thread))
                    var mineMissed: Set<Int> = []
                    for round in 0..<rounds {
                        let (own, other) = (word(round, thread), word(round, 1 - thread))
                        // The store takes longer if the other thread has read the word.
                        _ = other.word.load(.relaxed)
                        // Both threads look at each other's number, so that they go on within some nanoseconds.
                        mine.word.store(UInt64(round + 1), .release)
                        var looks = 0
                        while its.word.load(.acquire) <= round {
                            looks += 1
                            if looks > 1_000 { Work.yield() }
                        }
                        own.word.store(1, .relaxed)
                        if thread == 0 { AsymmetricBarrier.light() } else { AsymmetricBarrier.heavy() }
                        if other.word.load(.relaxed) == 0 { mineMissed.insert(round) }
                    }
                    missed[thread].value = mineMissed
                }
                let both = missed[0].value.intersection(missed[1].value)
                #expect(both.isEmpty, "in \(both.count) rounds neither thread saw the other's store")
            }
        }

        @Test func `The same where the process may not call membarrier: both barriers are full ones`() async {
            await #expect(processExitsWith: .success) {
                Membarrier.forbid()
                Membarrier.runAgain(only: "one sees the other.s store")
            }
        }

        @Test(.enabled(if: AsymmetricBarrier.isAsymmetric))
        func
            `A process that forbids itself membarrier and sched_setaffinity while it runs stops at the next heavy barrier`()
            async
        {
            let result = await #expect(
                processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
            ) {
                Membarrier.forbid(forbidsAffinity: true)
                AsymmetricBarrier.heavy()
            }
            let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(message.contains("Corinth: membarrier was allowed when the process began and is forbidden now"))
        }
    }

    private enum BiasStress {
        static var isUnderThreadSanitizer: Bool { unsafe dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil }

        /// A new signal and a new property after some thousand events: the first thread that uses one gets the bias at once,
        /// and another one soon takes it.
        private final class Round: Sendable {
            let log: Log
            let input: Signal<Int, Never>.Observer
            let output: Signal<Int, Never>
            let property = MutableProperty(0)
            let sum = Atomic(0)

            init(_ threads: Int) {
                let log = Log(threads)
                self.log = log
                (output, input) = Signal<Int, Never>.pipe()
                output.observeValues(log.receive)
            }
        }

        /// What a round delivers, in plain memory: two deliveries that overlap would show.
        private final class Log: @unchecked Sendable {  // Owned by the strand's owner.
            var isDelivering = false
            var counts: [Int]
            var faults = 0
            var total = 0

            /// The same for other threads. A store orders nothing between deliveries.
            let delivered = Atomic(0)

            init(_ threads: Int) {
                counts = Array(repeating: 0, count: threads)
            }

            func receive(_ value: Int) {
                if isDelivering { faults += 1 }
                isDelivering = true
                let thread = value >> 32
                if value & 0xFFFF_FFFF != counts[thread] { faults += 1 }
                counts[thread] += 1
                total += 1
                isDelivering = false
                delivered.value = total
            }
        }

        static func run(share: Double) {
            let threads = 16
            Stress.repeated(share: share) {
                let rounds = (0..<50).map { _ in Round(threads) }
                let sent = (0..<rounds.count).map { _ in Atomic((events: 0, properties: 0, sums: 0)) }
                ThreadGroup.run(threads) { thread in
                    var random = SystemRandomNumberGenerator()
                    // Each thread begins at another round, so one often has a strand for itself.
                    for offset in 0..<rounds.count {
                        let index = (offset + thread * 3) % rounds.count
                        let round = rounds[index]
                        let burst = Int.random(in: 1...120, using: &random)
                        for number in 0..<burst {
                            round.input.send(value: thread << 32 | number)
                            if number & 15 == 3 { round.property.modify { $0 += 1 } }
                            if number & 15 == 7 { round.sum.modify { $0 += 1 } }
                            if number & 31 == 11 { round.output.observeValues { _ in }?.dispose() }
                        }
                        sent[index].modify {
                            $0.events += burst
                            $0.properties += (burst + 12) / 16
                            $0.sums += (burst + 8) / 16
                        }
                    }
                }
                for (round, sent) in zip(rounds, sent) {
                    let total = sent.value
                    // A worker may still deliver what was handed over.
                    #expect(Stress.eventually { round.log.delivered.value == total.events })
                    #expect(round.property.value == total.properties)
                    #expect(round.sum.value == total.sums)
                    #expect(round.log.faults == 0)
                }
            }
        }
    }

    /// A word on cache lines of its own.
    private final class SpacedWord: Sendable {
        private let before = CacheLinePadding()
        let word = AtomicWord()
        private let after = CacheLinePadding()
    }
#endif
