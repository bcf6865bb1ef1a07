@testable import Corinth
import CorinthTesting
import Testing

@Suite("ProducerRun")
struct ProducerRunTests {
    @Test("What is held is disposed of when the run ends, in order, once, and let go of")
    func holding() {
        let log = Atomic<[Int]>([])
        let live = Live()
        let run = ProducerRun()
        for index in 0..<3 {
            let token = live.token()
            run.hold(
                AnyDisposable {
                    token.touch()
                    log.modify { $0.append(index) }
                })
        }
        run.resources.add { log.modify { $0.append(3) } }
        #expect(log.value == [])
        run.dispose()
        run.dispose()
        #expect(log.value == [0, 1, 2, 3])
        #expect(live.count == 0)
        #expect(run.isDisposed)
    }

    @Test("What is added to the resources first is disposed of first")
    func resourcesFirst() {
        let log = Atomic<[Int]>([])
        let run = ProducerRun()
        run.resources.add { log.modify { $0.append(0) } }
        run.hold(AnyDisposable { log.modify { $0.append(1) } })
        run.dispose()
        #expect(log.value == [0, 1])
    }

    @Test("What is held too late is disposed of at once, and let go of")
    func late() {
        let live = Live()
        let run = ProducerRun()
        run.dispose()
        let runs = Atomic(0)
        for _ in 0..<2 {
            let token = live.token()
            run.hold(
                AnyDisposable {
                    token.touch()
                    runs.modify { $0 += 1 }
                })
        }
        #expect(runs.value == 2)
        #expect(live.count == 0)
    }

    @Test("A run that is let go of disposes of nothing, and holds nothing")
    func lettingGo() {
        let live = Live()
        let runs = Atomic(0)
        do {
            let run = ProducerRun()
            let token = live.token()
            run.hold(
                AnyDisposable {
                    token.touch()
                    runs.modify { $0 += 1 }
                })
        }
        #expect(runs.value == 0)
        #expect(live.count == 0)
    }
}
