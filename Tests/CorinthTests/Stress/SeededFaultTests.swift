import CTestSupport
import Corinth
import Foundation
import Testing

/// Deliberate faults. `Tests/run` and `Tests/sanitizers` expect a sanitizer to report each; otherwise a clean run would prove
/// nothing.
@Suite("Seeded faults")
struct SeededFaultTests {
    private static let fault = ProcessInfo.processInfo.environment["CORINTH_SEEDED_FAULT"]

    @Test("Two threads write plain memory", .enabled(if: fault == "race"))
    func race() {
        let ledger = Ledger(senders: 2)
        ThreadGroup.run(2) { sender in
            for number in 0..<1_000 { ledger.receive(.value(Letter(sender: sender, number: number))) }
        }
        #expect(ledger.count == 2_000)
    }

    @Test("A read of freed memory", .enabled(if: fault == "use"))
    func use() {
        let words = UnsafeMutablePointer<Int>.allocate(capacity: 4)
        unsafe words.initialize(repeating: 1, count: 4)
        unsafe words.deallocate()
        #expect(unsafe words[3] != 2)
    }

    @Test("Two objects that retain each other", .enabled(if: fault == "leak"))
    func leak() {
        final class Node {
            var other: Node?
        }
        for _ in 0..<100 {
            let (first, second) = (Node(), Node())
            first.other = second
            second.other = first
        }
    }

    @Test("A sum in a C function that Swift inlines exceeds its type", .enabled(if: fault == "overflow"))
    func overflow() { #expect(test_add(.max, 1) != 0) }

    @Test("C reads a number from an odd address", .enabled(if: fault == "alignment"))
    func alignment() {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 16)
        #expect(unsafe test_read(bytes + 1) == 0x0101_0101)
        unsafe bytes.deallocate()
    }
}
