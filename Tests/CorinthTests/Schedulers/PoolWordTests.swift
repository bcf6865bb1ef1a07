@testable import Corinth
import Testing

/// Each function of the word of a pool's scheduler, applied to every kind of word.
@Suite("PoolWord")
struct PoolWordTests {
    private static let words: [PoolWord] = PoolWord.Phase.allCases.flatMap { phase in
        [0, 1, 2, PoolWord.most - 1, PoolWord.most].flatMap { unfinished in
            [0, 1, UInt64(UInt32.max)].map { admitted in
                PoolWord(bits: admitted << 32 | unfinished << 2 | phase.rawValue)
            }
        }
    }

    @Test func `The fields of a word don't overlap`() {
        #expect(Set(Self.words.map(\.bits)).count == Self.words.count)
        #expect(PoolWord.open.phase == .open && PoolWord.open.unfinished == 0 && PoolWord.open.admitted == 0)
        let word = PoolWord(bits: 5 << 32 | 3 << 2 | 1)
        #expect(word.phase == .draining && word.unfinished == 3 && word.admitted == 5)
    }

    @Test(
        arguments: words,
        [false, true])
    func `An action is admitted while the word is open, and from inside while it drains`(word: PoolWord, isInside: Bool)
    {
        if word.unfinished == PoolWord.most { return }
        let next = word.admitting(fromInside: isInside)
        guard word.phase == .open || word.phase == .draining && isInside else {
            #expect(next == nil)
            return
        }
        #expect(next?.phase == word.phase)
        #expect(next?.unfinished == word.unfinished + 1)
        #expect(next?.admitted == UInt64(UInt32(truncatingIfNeeded: word.admitted) &+ 1))
        // The word differs from all earlier ones, also after the action has finished.
        #expect(next?.finishing() != word)
    }

    @Test(arguments: words)
    func `A finished action is subtracted, and nothing else changes`(word: PoolWord) {
        if word.unfinished == 0 { return }
        let next = word.finishing()
        #expect(next.phase == word.phase && next.admitted == word.admitted)
        #expect(next.unfinished == word.unfinished - 1)
    }

    @Test(arguments: words, PoolWord.Phase.allCases)
    func `The phase only advances`(word: PoolWord, phase: PoolWord.Phase) {
        let next = word.closing(phase)
        #expect(next.phase.rawValue == max(word.phase.rawValue, phase.rawValue))
        #expect(next.unfinished == word.unfinished && next.admitted == word.admitted)
    }

    @Test(arguments: words)
    func `A word is quiet when it is closed and has no actions`(word: PoolWord) {
        #expect(word.isQuiet == (word.phase != .open && word.unfinished == 0))
    }

    @Test func `More actions than the word can count stop the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = PoolWord(bits: PoolWord.most << 2).admitting(fromInside: false)
        }
    }
}
