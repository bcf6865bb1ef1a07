import Corinth
import CorinthTesting
import Testing

// With mutexes, threads that set properties which are bound to each other wait for each other.
#if !NaiveLocks
    struct BoundPropertiesStressTests {
        @Test func `B2: bound properties come to rest, equal, with one of the assigned values, on any threads`() {
            let seeds = Counter()
            Stress.repeated(share: 0.4) {
                let seed = seeds.increment()
                var generator = SeededGenerator(seed: UInt64(seed))
                let count = Int.random(in: 2...4, using: &generator)
                let threads = Int.random(in: 2...4, using: &generator)
                let corrections = (0..<Int.random(in: 0...2, using: &generator)).map { index in
                    BoundProperties.Correction(
                        observed: .random(in: 0..<count, using: &generator),
                        assigned: .random(in: 0..<count, using: &generator),
                        from: .random(in: 1...20, using: &generator), to: 1000 + index)
                }
                let bound = BoundProperties(
                    count: count, corrections: corrections, observedFirst: true, using: &generator)
                ThreadGroup.run(threads) { thread in
                    for number in 0..<50 {
                        bound.all[(number + thread) % count].value = number * threads + thread
                    }
                }
                let isEven = Stress.eventually { Set(bound.values).count == 1 }
                #expect(isEven, "seed \(seed): \(bound.values)")
                // An owner that was preempted has handed its strand over, so that a worker may still deliver older changes. A
                // correction of one of those is newer than this assignment, which then is made again.
                var number = 5000
                var corrected = bound.corrected.value
                while true {
                    bound.all[0].value = number
                    let hasSettled = Stress.eventually {
                        bound.values.allSatisfy { $0 == number } || bound.corrected.value != corrected
                    }
                    #expect(hasSettled, "seed \(seed): \(bound.values), not \(number)")
                    if !hasSettled || bound.corrected.value == corrected { break }
                    corrected = bound.corrected.value
                    number += 1
                }
            }
        }
    }
#endif
