#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// The lowest address, a few in between, and the highest.
    private let nodes: [UInt64] = [0x10, 0x7fff_dead_bee0, ~(BiasedWord.generations | StrandWord.kept | 15)]

    /// A word from which a bias was taken, of the lowest and the highest generation.
    private let unclaimed: [StrandWord] = [StrandWord(bits: 5), StrandWord(bits: BiasedWord.generations | 5)]

    /// Idle, owned, in an edit, unclaimed, and all but the first with each of the nodes, in a list that is kept and one that isn't.
    private let everyWord: [StrandWord] = {
        let owned: [StrandWord] = [.owned, .edited] + unclaimed
        return [.idle] + owned + nodes.flatMap { node in owned.map { StrandWord(bits: node | $0.bits) } }
    }()

    /// Each function of the word, applied to every kind of word.
    @Suite("StrandWord")
    struct StrandWordTests {
        @Test func `The kinds of words are distinct, and a node implies owned`() {
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
            #expect(everyWord.allSatisfy { !$0.isBiased })
        }

        @Test(arguments: nodes)
        func `A thread that arrives at an idle strand owns it`(node: UInt64) {
            let (next, arrival) = StrandWord.idle.arriving(with: node)
            #expect(next == .owned)
            #expect(arrival == .own)
        }

        @Test(
            arguments: everyWord.dropFirst(),
            nodes)
        func `A thread that arrives at an owned strand pushes its node onto the list`(word: StrandWord, node: UInt64) {
            let (next, arrival) = word.arriving(with: node)
            #expect(next.isOwned)
            #expect(next.newest == node)
            #expect(next.bits & ~node == word.bits & ~word.newest)
            #expect(arrival == .wait(older: word.newest))
            #expect(word.arriving(with: node, keeps: true).next.bits == next.bits | StrandWord.kept)
        }

        @Test(arguments: everyWord)
        func `A list that is kept stays so until it is taken, and no node keeps an idle strand's list`(word: StrandWord)
        {
            for node in nodes {
                #expect(word.arriving(with: node).next.isKept == word.isKept)
                #expect(word.arriving(with: node, keeps: true).next.isKept == word.isOwned)
            }
            #expect(!word.departing().next.isKept)
        }

        @Test(arguments: nodes)
        func `A thread that arrives at its own biased strand from inside leaves it unclaimed, with its node`(
            node: UInt64
        ) {
            for generation: UInt64 in [0, 7] {
                let biased = StrandWord(bits: generation << BiasedWord.generationBits | 0x1230 | BiasedWord.biased)
                #expect(biased.newest == 0 && !biased.isOwned)
                let (next, arrival) = biased.arriving(with: node)
                #expect(
                    next.bits == generation << BiasedWord.generationBits | node | BiasedWord.unclaimed
                        | BiasedWord.owned)
                #expect(arrival == .wait(older: 0))
                #expect(biased.arriving(with: node, keeps: true).next.bits == next.bits | StrandWord.kept)
            }
        }

        @Test func `An owner that departs from an empty inbox leaves an idle strand`() {
            let (next, departure) = StrandWord.owned.departing()
            #expect(next == .idle)
            #expect(departure == .left)
        }

        @Test(arguments: nodes)
        func `An owner that departs from a full inbox takes the nodes and stays the owner`(node: UInt64) {
            let (next, departure) = StrandWord(bits: node | 1).departing()
            #expect(next == .owned)
            #expect(departure == .run(newest: node))
        }

        @Test(arguments: everyWord)
        func `Every transition between words keeps the invariant`(word: StrandWord) {
            for node in nodes {
                let next = word.arriving(with: node).next
                #expect(next.newest == 0 || next.isOwned)
            }
            let next = word.departing().next
            #expect(next.newest == 0 || next.isOwned)
        }
    }
#endif
