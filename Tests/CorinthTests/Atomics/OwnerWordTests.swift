@testable import Corinth
import Testing

/// Every kind of word that an owner flag has, and each transition.
@Suite("OwnerWord")
struct OwnerWordTests {
    /// The lowest token, and a high one.
    private static let tokens: [UInt64] = [0x10, 0x7fff_dead_bee0]

    private static let transitions: [Transition<OwnerWord>] = {
        var result: [Transition<OwnerWord>] = [{ $0.waiting() }, { _ in .free }]
        for token in tokens {
            result.append { $0.acquiring(by: token) }
            result.append { $0.acquiring(by: token, afterSleep: true) }
        }
        return result
    }()

    private static let everyWord = reachable(from: .free, by: transitions)

    @Test func `The flag is free, or one thread holds it, with waiters or without`() {
        #expect(Self.everyWord.count == 1 + 2 * Self.tokens.count)
        for word in Self.everyWord {
            #expect(word.isFree == (word.holder == 0))
            #expect(word.isFree || Self.tokens.contains(word.holder))
            #expect(!word.hasWaiters || word.holder != 0)
        }
    }

    @Test(arguments: everyWord, tokens)
    func `A thread takes a flag that is free, and no other`(word: OwnerWord, token: UInt64) {
        for hasSlept in [false, true] {
            guard let next = word.acquiring(by: token, afterSleep: hasSlept) else {
                #expect(!word.isFree)
                continue
            }
            #expect(word.isFree && next.holder == token && next.hasWaiters == hasSlept)
        }
    }

    @Test(arguments: everyWord)
    func `A thread announces that it waits, and the holder stays`(word: OwnerWord) {
        guard let next = word.waiting() else {
            #expect(word.isFree)
            return
        }
        #expect(next.hasWaiters && next.holder == word.holder)
    }
}
