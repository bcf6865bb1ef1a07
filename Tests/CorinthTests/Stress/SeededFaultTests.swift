import CTestSupport
import Corinth
import Foundation
import Testing

/// Deliberate faults. `Tests/run` expects a sanitizer to report each; otherwise a clean run would prove nothing.
@Suite("Seeded faults")
struct SeededFaultTests {
    private static let fault = ProcessInfo.processInfo.environment["CORINTH_SEEDED_FAULT"]

    @Test(.enabled(if: fault == "race"))
    func `Two threads write plain memory`() {
        let ledger = Ledger(senders: 2)
        ThreadGroup.run(2) { sender in
            for number in 0..<1_000 { ledger.receive(.value(Letter(sender: sender, number: number))) }
        }
        #expect(ledger.count == 2_000)
    }

    @Test(.enabled(if: fault == "use"))
    func `A read of freed memory`() {
        let words = UnsafeMutablePointer<Int>.allocate(capacity: 4)
        unsafe words.initialize(repeating: 1, count: 4)
        unsafe words.deallocate()
        #expect(unsafe words[3] != 2)
    }

    @Test(.enabled(if: fault == "leak"))
    func `Two objects that retain each other`() {
        final class Node {
            var other: Node?
        }
        for _ in 0..<100 {
            let (first, second) = (Node(), Node())
            first.other = second
            second.other = first
        }
    }

    @Test(.enabled(if: fault == "overflow"))
    func `A sum in a C function that Swift inlines exceeds its type`() { #expect(test_add(.max, 1) != 0) }

    @Test(.enabled(if: fault == "alignment"))
    func `C reads a number from an odd address`() {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 16)
        #expect(unsafe test_read(bytes + 1) == 0x0101_0101)
        unsafe bytes.deallocate()
    }
}
