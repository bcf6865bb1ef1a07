#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every possible word, and each function on it.
    @Suite("OrphanWord")
    struct OrphanWordTests {
        private static let everyWord = (0..<16).map { OrphanWord(bits: $0) }

        @Test("An adopted strand has a thread, and is still watched if it was before", arguments: everyWord)
        func adopted(word: OrphanWord) {
            #expect(!word.adopted.isOrphaned && !word.adopted.isOffered && !word.adopted.isSeen)
            #expect(word.adopted.isWatched == word.isWatched)
        }

        @Test(
            "Looking at an orphan marks it as seen; looking at anything else ends the watch",
            arguments: everyWord)
        func looked(word: OrphanWord) {
            #expect(word.looked.isOrphaned == word.isOrphaned)
            #expect(word.looked.isSeen == word.isOrphaned)
            #expect(word.looked.isWatched == (word.isOrphaned && word.isWatched))
            if word.isOrphaned { #expect(word.looked.isOffered == word.isOffered) }
        }

        @Test("A new orphan isn't marked as seen")
        func beginning() {
            for word in [OrphanWord.handedOver, .offered] {
                #expect(word.isOrphaned && !word.isSeen && !word.isWatched)
            }
            #expect(!OrphanWord.handedOver.isOffered && OrphanWord.offered.isOffered)
        }
    }
#endif
