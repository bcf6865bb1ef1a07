import Corinth
import Foundation
import Testing

/// A deliberate race. `Tests/run` expects thread sanitizer to report it; otherwise a clean run would prove nothing.
@Suite("Stress: seeded race")
struct SeededRaceTests {
    @Test(
        "Two threads write plain memory",
        .enabled(if: ProcessInfo.processInfo.environment["CORINTH_SEEDED_RACE"] != nil))
    func race() {
        let ledger = Ledger(senders: 2)
        ThreadGroup.run(2) { sender in
            for number in 0..<1_000 { ledger.receive(.value(Letter(sender: sender, number: number))) }
        }
        #expect(ledger.count == 2_000)
    }
}
