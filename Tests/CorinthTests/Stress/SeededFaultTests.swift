import Foundation
import Testing

/// Deliberate faults of memory. `Tests/run` expects address sanitizer to report them; otherwise a clean run would prove nothing.
@Suite("Seeded faults of memory")
struct SeededFaultTests {
    private static let fault = ProcessInfo.processInfo.environment["CORINTH_SEEDED_FAULT"]

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
}
