@testable import Corinth
import Testing

/// When a word is biased, and how often biases are taken.
@Suite("Bias")
struct BiasTests {
    @Test("The count of taken biases begins anew in each period, and ends at the limit")
    func taken() {
        var taken = BiasRate.Taken(0, in: 5)
        for count in 1...BiasRate.limit + 2 {
            taken = taken.counted(in: 5)
            #expect(taken.count == min(count, BiasRate.limit) && taken.period == 5)
        }
        taken = taken.counted(in: 6)
        #expect(taken.count == 1 && taken.period == 6)
    }

    @Test("A later bias is for a thread that has used the word often, and after the last generation there is none")
    func history() {
        let thread = ThreadState.current
        var history = BiasHistory()
        // The first one depends on how many biases were taken lately.
        let first = (1...64).compactMap { _ in history.next(for: thread) }.first
        #expect(first == 0)
        for (generation, entries) in [64, 1_024, 16_384, 16_384, 16_384, 16_384, 16_384].enumerated() {
            history.meet()
            for _ in 1..<entries { #expect(history.next(for: thread) == nil) }
            #expect(history.next(for: thread) == generation + 1)
        }
        history.meet()
        for _ in 0..<40_000 { #expect(history.next(for: thread) == nil) }
    }

    @Test("A thread that has given its own bias up gets the same again, unless another one was there meanwhile")
    func kept() {
        let thread = ThreadState.current
        var history = BiasHistory()
        while history.next(for: thread) == nil {}
        history.keep()
        #expect(history.next(for: thread) == 0)
        history.keep()
        history.meet()
        #expect(history.next(for: thread) == nil)
    }
}
