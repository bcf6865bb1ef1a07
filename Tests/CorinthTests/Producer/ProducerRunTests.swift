@testable import Corinth
import CorinthTesting
import Testing

@Suite("ProducerRun")
struct ProducerRunTests {
    @Test func `Disposables that a run holds are disposed of once, in order, when the run ends, and are released`() {
        let log = Atomic<[Int]>([])
        let leaks = LeakCounter()
        let run = ProducerRun()
        for index in 0..<3 {
            let token = leaks.token()
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
        #expect(leaks.count == 0)
        #expect(run.isDisposed)
    }

    @Test func `A disposable that is released isn't disposed of, whether it is held alone or with others`() {
        let log = Atomic<[Int]>([])
        let leaks = LeakCounter()
        let run = ProducerRun()
        let entries = (0..<3).map { index in
            let token = leaks.token()
            return run.hold(
                AnyDisposable {
                    token.touch()
                    log.modify { $0.append(index) }
                })
        }
        #expect(entries.map { $0 == nil } == [true, false, false])
        for index in [0, 2, 0] { run.release(entries[index]) }
        #expect(leaks.count == 1)
        // The place of the first one isn't used again: `nil` means that one.
        let entry = run.hold(AnyDisposable { log.modify { $0.append(3) } })
        #expect(entry != nil)
        run.release(nil)
        run.dispose()
        #expect(log.value == [1, 3])
        #expect(leaks.count == 0)
    }

    @Test func `Disposables that were added to the resources first are disposed of first`() {
        let log = Atomic<[Int]>([])
        let run = ProducerRun()
        run.resources.add { log.modify { $0.append(0) } }
        run.hold(AnyDisposable { log.modify { $0.append(1) } })
        run.dispose()
        #expect(log.value == [0, 1])
    }

    @Test func `A disposable that is added after the end is disposed of at once and released`() {
        let leaks = LeakCounter()
        let run = ProducerRun()
        run.dispose()
        let runs = Atomic(0)
        for _ in 0..<2 {
            let token = leaks.token()
            run.hold(
                AnyDisposable {
                    token.touch()
                    runs.modify { $0 += 1 }
                })
        }
        #expect(runs.value == 2)
        #expect(leaks.count == 0)
    }

    @Test func `A run that is released disposes of nothing and holds nothing`() {
        let leaks = LeakCounter()
        let runs = Atomic(0)
        do {
            let run = ProducerRun()
            let token = leaks.token()
            run.hold(
                AnyDisposable {
                    token.touch()
                    runs.modify { $0 += 1 }
                })
        }
        #expect(runs.value == 0)
        #expect(leaks.count == 0)
    }
}
