#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every possible word, and each function on it.
    @Suite("OrphanWord, SleepWord")
    struct OrphanWordTests {
        @Test(arguments: OrphanWord.allCases)
        func `A strand without a thread is adopted once`(word: OrphanWord) {
            #expect(word.adopting() == (word == .none ? nil : OrphanWord.none))
        }

        @Test(arguments: 0..<4 as Range<UInt64>)
        func `A nudge is noticed once, and isn't lost when the thread is served`(bits: UInt64) {
            let word = SleepWord(bits: bits)
            #expect(word.nudging() == (bits == 0 ? SleepWord(bits: 1) : nil))
            #expect(word.serving()?.isServed == true && word.serving()?.isNudged == word.isNudged)
            #expect(word.noticing()?.isNudged == (word.isNudged ? false : nil))
            #expect(word.noticing()?.isServed == (word.isNudged ? word.isServed : nil))
        }
    }
#endif
