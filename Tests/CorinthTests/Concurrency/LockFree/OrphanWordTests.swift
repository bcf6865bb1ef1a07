#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every word there is, and each function on it.
    @Suite("OrphanWord")
    struct OrphanWordTests {
        private static let everyWord = (0..<16).map { OrphanWord(bits: $0) }

        @Test("What is adopted has a thread, and is watched as before", arguments: everyWord)
        func adopted(word: OrphanWord) {
            #expect(!word.adopted.isOrphaned && !word.adopted.isOffered && !word.adopted.isSeen)
            #expect(word.adopted.isWatched == word.isWatched)
        }

        @Test(
            "An orphan that was looked at is known the next time; anything else isn't watched any more",
            arguments: everyWord)
        func looked(word: OrphanWord) {
            #expect(word.looked.isOrphaned == word.isOrphaned)
            #expect(word.looked.isSeen == word.isOrphaned)
            #expect(word.looked.isWatched == (word.isOrphaned && word.isWatched))
            if word.isOrphaned { #expect(word.looked.isOffered == word.isOffered) }
        }

        @Test("What becomes an orphan has not been looked at")
        func beginning() {
            for word in [OrphanWord.handedOver, .offered] {
                #expect(word.isOrphaned && !word.isSeen && !word.isWatched)
            }
            #expect(!OrphanWord.handedOver.isOffered && OrphanWord.offered.isOffered)
        }
    }
#endif
