#if !NaiveLocks && !Exploration
    @testable import Corinth
    import Testing

    /// Which thread has the bias of a strand, and of which generation.
    @Suite("Strand, biased, words")
    struct StrandBiasTests {
        @Test func `A thread that sends from inside a delivery, on any number of levels, has the same bias afterwards`()
        {
            guard BiasedWord.isPossible else { return }
            let strand = Strand()
            // It gets its bias after the first entry, or after 64 if biases are taken often.
            for _ in 0..<64 { enter(strand) {} }
            let biased = strand.word.load(.relaxed)
            #expect(StrandWord(bits: biased).isBiased)
            var count = 0
            for _ in 0..<3 {
                enter(strand) {
                    strand.enqueue(WorkNode { strand.enqueue(WorkNode { count += 1 }, .inTurn) }, .inTurn)
                    strand.enqueue(WorkNode { count += 1 }, .inTurn)
                }
                #expect(strand.word.load(.relaxed) == biased)
            }
            #expect(count == 6)
        }

        private func enter(_ strand: Strand, _ body: () -> Void) {
            let isEntered = strand.enter(body)
            #expect(isEntered)
        }
    }
#endif
