#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// The lowest address, some, and the highest.
    private let nodes: [UInt64] = [0x10, 0x7fff_dead_bee0, ~0xf]

    /// Idle, owned, in an edit, and the latter two with each of the nodes.
    private let everyWord: [StrandWord] =
        [.idle, .owned, .edited] + nodes.flatMap { [StrandWord(bits: $0 | 1), StrandWord(bits: $0 | 3)] }

    /// Each function of the word, on every kind of word there is.
    @Suite("StrandWord")
    struct StrandWordTests {
        @Test("The words are told apart, and a node implies owned")
        func kinds() {
            #expect(Set(everyWord.map(\.bits)).count == everyWord.count)
            #expect(StrandWord.idle.bits == 0)
            #expect(!StrandWord.idle.isOwned)
            #expect(StrandWord.idle.newest == 0)
            #expect(StrandWord.owned.isOwned)
            #expect(StrandWord.owned.newest == 0)
            for node in nodes {
                let word = StrandWord(bits: node | 1)
                #expect(word.isOwned)
                #expect(word.newest == node)
            }
        }

        @Test("Who arrives at an idle strand owns it", arguments: nodes)
        func arrivingAtIdle(node: UInt64) {
            let (next, arrival) = StrandWord.idle.arriving(with: node)
            #expect(next == .owned)
            #expect(arrival == .own)
        }

        @Test(
            "Who arrives at an owned strand waits in front of what waits there", arguments: everyWord.dropFirst(), nodes
        )
        func arrivingAtOwned(word: StrandWord, node: UInt64) {
            let (next, arrival) = word.arriving(with: node)
            #expect(next.isOwned)
            #expect(next.newest == node)
            #expect(next.isEdited == word.isEdited)
            #expect(arrival == .wait(older: word.newest))
        }

        @Test("An owner of an empty inbox leaves an idle strand")
        func departingFromEmpty() {
            let (next, departure) = StrandWord.owned.departing()
            #expect(next == .idle)
            #expect(departure == .left)
        }

        @Test("An owner of a full inbox takes it, and stays the owner", arguments: nodes)
        func departingFromFull(node: UInt64) {
            let (next, departure) = StrandWord(bits: node | 1).departing()
            #expect(next == .owned)
            #expect(departure == .run(newest: node))
        }

        @Test("Every path from a word to a word keeps the invariant", arguments: everyWord)
        func invariant(word: StrandWord) {
            for node in nodes {
                let next = word.arriving(with: node).next
                #expect(next.newest == 0 || next.isOwned)
            }
            let next = word.departing().next
            #expect(next.newest == 0 || next.isOwned)
        }
    }
#endif
