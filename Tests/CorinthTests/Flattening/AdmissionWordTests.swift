@testable import Corinth
import Testing

/// Every word of an admission that few streams make, and each transition.
@Suite("AdmissionWord")
struct AdmissionWordTests {
    private static let limits: [UInt] = [1, 2, 3]

    /// A stream comes, while few wait; one ends, and one that waits replaces it.
    private static func everyWord(limit: UInt) -> [AdmissionWord] {
        reachable(
            from: .none,
            by: [
                { $0.waiting < 3 ? $0.starting(limit: limit) ?? $0.queuing(limit: limit) : nil },
                { $0.finishing() ?? $0.takingOut() },
            ])
    }

    @Test(arguments: limits)
    func `At most as many run as may, and streams wait only while as many run`(limit: UInt) {
        let words = Self.everyWord(limit: limit)
        #expect(words.count == Int(limit) + 1 + 3)
        for word in words {
            #expect(word.running <= limit)
            #expect(word.waiting == 0 || word.running == limit)
        }
    }

    @Test(arguments: limits)
    func `A stream either starts or waits`(limit: UInt) {
        for word in Self.everyWord(limit: limit) {
            let started = word.starting(limit: limit)
            let queued = word.queuing(limit: limit)
            #expect((started == nil) != (queued == nil))
            #expect((started != nil) == word.isFree(limit: limit))
            #expect(started.map { $0.running == word.running + 1 && $0.waiting == word.waiting } ?? true)
            #expect(queued.map { $0.running == word.running && $0.waiting == word.waiting + 1 } ?? true)
        }
    }

    @Test(arguments: limits)
    func `A stream that ends is counted off, or replaced`(limit: UInt) {
        for word in Self.everyWord(limit: limit) {
            let finished = word.finishing()
            let replaced = word.takingOut()
            #expect((finished != nil) == (word.running > 0 && word.waiting == 0))
            #expect((replaced != nil) == (word.waiting > 0))
            #expect(finished.map { $0.running == word.running - 1 && $0.waiting == 0 } ?? true)
            #expect(replaced.map { $0.running == word.running && $0.waiting == word.waiting - 1 } ?? true)
        }
    }

    @Test(arguments: limits)
    func `The transitions that are additions add one stream`(limit: UInt) {
        for word in Self.everyWord(limit: limit) {
            if let next = word.starting(limit: limit) {
                #expect(next.bits == word.bits &+ AdmissionWord.oneRunning.bits)
            }
            if let next = word.takingOut() { #expect(next.bits == word.bits &- AdmissionWord.oneWaiting.bits) }
        }
    }

    @Test func `Without a limit, every stream starts`() {
        for word in [AdmissionWord.none, .oneRunning, AdmissionWord(bits: 1 << 31)] {
            #expect(word.starting(limit: .max) != nil && word.queuing(limit: .max) == nil)
        }
    }
}
