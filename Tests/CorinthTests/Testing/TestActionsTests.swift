import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// The order of a scheduler with thousands of actions, compared with a list that is sorted by time and by scheduling.
struct TestActionsTests {
    private struct Expected {
        let due: Date
        let number: Int
        let disposable: (any Disposable)?
    }

    /// Actions are scheduled, disposed of and run in random order. Few distinct times, so that many are equal.
    @Test(arguments: 1...20)
    func randomActions(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let scheduler = TestScheduler()
        let ran = Atomic<[Int]>([])
        var (pending, expected): ([Expected], [Int]) = ([], [])
        for number in 0..<2_000 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<6:
                let due = scheduler.currentDate.addingTimeInterval(Double.random(in: 0..<8, using: &dice).rounded())
                let disposable = scheduler.schedule(after: due) { ran.modify { $0.append(number) } }
                pending.append(Expected(due: due, number: number, disposable: disposable))
            case 6..<9:
                guard let index = pending.indices.randomElement(using: &dice) else { continue }
                pending.remove(at: index).disposable?.dispose()
            default:
                scheduler.advance(by: .seconds(1))
                let now = scheduler.currentDate
                let due = pending.filter { $0.due <= now }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
                expected += due.map(\.number)
                pending.removeAll { $0.due <= now }
                #expect(ran.value == expected)
            }
            #expect(scheduler.pendingCount == pending.count)
        }
        scheduler.run()
        expected += pending.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map(\.number)
        #expect(ran.value == expected)
        #expect(scheduler.pendingCount == 0)
    }

    /// A disposable that outlives the scheduler holds nothing, also if its action is in the middle of others.
    @Test func theSchedulerEnds() {
        let leaks = LeakCounter()
        var scheduler: TestScheduler? = TestScheduler()
        let disposables = (0..<100).map { index in
            let token = leaks.token()
            return scheduler?.schedule(after: .seconds(index % 7)) { token.touch() }
        }
        disposables[50]?.dispose()
        #expect(leaks.count == 99)
        scheduler = nil
        #expect(leaks.count == 0)
        for disposable in disposables {
            #expect(disposable?.isDisposed == true)
            disposable?.dispose()
        }
    }
}
