import Corinth
import Testing

@testable import CorinthNATS

/// Who of a process may handle messages while one of its runs suspects one.
struct SuspicionTests {
    private let suspicion = Suspicion()
    private let runs = (0..<3).map { _ in Suspicion.Run() }
    private let turns = Atomic<[Int]>([])

    private func ask(_ run: Int) {
        suspicion.askForTurn(runs[run]) { turns.modify { $0.append(run) } }
    }

    @Test func `One run at a time has the turn, in the order of asking`() {
        suspicion.begin(runs[1])
        #expect(suspicion.isOn)
        for run in [2, 0, 1] { ask(run) }
        #expect(turns.value == [2])
        // It isn't theirs.
        suspicion.giveTurnBack(runs[0])
        #expect(turns.value == [2])
        suspicion.giveTurnBack(runs[2])
        #expect(turns.value == [2, 0])
        ask(2)
        suspicion.giveTurnBack(runs[0])
        suspicion.giveTurnBack(runs[1])
        #expect(turns.value == [2, 0, 1, 2])
    }

    @Test func `Nobody waits once nobody suspects anything`() {
        suspicion.begin(runs[0])
        suspicion.begin(runs[1])
        for run in 0..<3 { ask(run) }
        suspicion.end(runs[0])
        #expect(suspicion.isOn && turns.value == [0])
        suspicion.end(runs[1])
        #expect(!suspicion.isOn && turns.value == [0, 1, 2])
        ask(0)
        #expect(turns.value == [0, 1, 2, 0])
    }

    @Test func `A run that leaves has no turn, suspects nothing, and gets none`() {
        suspicion.begin(runs[0])
        for run in 0..<3 { ask(run) }
        suspicion.leave(runs[1])
        suspicion.leave(runs[0])
        #expect(!suspicion.isOn && turns.value == [0, 2])
        suspicion.begin(runs[0])
        ask(0)
        #expect(!suspicion.isOn && turns.value == [0, 2])
    }

    @Test func `A turn that isn't given back is lost after a while`() throws {
        suspicion.begin(runs[0])
        ask(0)
        ask(1)
        #expect(turns.value == [0])
        try Wait.until("the next one has the turn") { turns.value == [0, 1] }
        // The one that has lost it doesn't end the turn of the next one.
        ask(2)
        suspicion.giveTurnBack(runs[0])
        #expect(turns.value == [0, 1])
    }
}
