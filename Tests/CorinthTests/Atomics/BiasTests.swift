@testable import Corinth
import Testing

/// When a word is biased, and how often biases are taken.
@Suite("Bias")
struct BiasTests {
    @Test func `The count of taken biases begins anew in each period, and ends at the limit`() {
        var taken = BiasRate.Taken(0, in: 5)
        for count in 1...BiasRate.limit + 2 {
            taken = taken.counted(in: 5)
            #expect(taken.count == min(count, BiasRate.limit) && taken.period == 5)
        }
        taken = taken.counted(in: 6)
        #expect(taken.count == 1 && taken.period == 6)
    }

    @Test
    func `A later bias is for a thread that has used the word often, and after the last generation there is none`() {
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
        // More often than the count of entries goes.
        let more = (0..<70_000).compactMap { _ in history.next(for: thread) }
        #expect(more.isEmpty)
    }

    @Test(.enabled(if: BiasedWord.isPossible))
    func `A thread that gives up its bias owns the word, also if another one has taken the bias`() {
        let words = BiasedWords()
        let thread = ThreadState.current
        for isTaken in [false, true] {
            words.word.store(BiasedWord.bits(for: thread, 0), .release)
            #expect(words.bias.tryEnterByBias(thread) == true)
            let seen = words.word.load(.relaxed)
            if isTaken {
                ThreadGroup.run(1) { _ in #expect(words.bias.takeBias(seen) == false, "the biased thread is inside") }
            }
            words.bias.giveUpBias(thread)
            #expect(words.word.load(.relaxed) == BiasedWord.owned)
            words.leave()
        }
    }

    @Test func `A new history has the bits that a flag begins with`() {
        #expect(unsafe unsafeBitCast(BiasHistory(), to: UInt64.self) == BiasHistory.none)
    }

    @Test func `A thread that has given its own bias up gets the same again, unless another one was there meanwhile`() {
        let thread = ThreadState.current
        var history = BiasHistory()
        while history.next(for: thread) == nil {}
        history.keep()
        #expect(history.next(for: thread) == 0)
        history.keep()
        let kept = Holder(history)
        ThreadGroup.run(1) { _ in #expect(kept.held.next(for: .current) == nil) }
        history.meet()
        #expect(history.next(for: thread) == nil)
    }
}

/// A word that may be biased.
private final class BiasedWords: @unchecked Sendable {  // All access is atomic.
    let bias = BiasedWord()

    var word: AtomicWord {
        _read { yield bias.word }
    }

    /// The owner leaves. Nobody else is there.
    func leave() {
        bias.inside.store(0, 0, .relaxed)
        word.store(0, .relaxed)
    }
}
