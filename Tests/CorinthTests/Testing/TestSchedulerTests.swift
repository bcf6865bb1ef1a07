import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

struct TestSchedulerTests {
    private let scheduler = TestScheduler()
    private let log = Atomic<[String]>([])

    /// An action that logs its name and the time.
    private func action(_ name: String) -> @Sendable () -> Void {
        { [log, scheduler] in
            let seconds = scheduler.currentDate.timeIntervalSinceReferenceDate
            log.modify { $0.append("\(name) \(seconds.rounded())") }
        }
    }

    @Test func begins() {
        #expect(scheduler.currentDate == Date(timeIntervalSinceReferenceDate: 0))
        let date = Date(timeIntervalSince1970: 7)
        #expect(TestScheduler(startDate: date).currentDate == date)
    }

    /// Actions with equal times run in the order of scheduling.
    @Test func `C4: actions run in the order of their times`() {
        scheduler.schedule(after: .seconds(2), action: action("b"))
        scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(1), action: action("a"))
        scheduler.schedule(after: .seconds(2), action: action("c"))
        scheduler.schedule(action("now"))
        scheduler.schedule(after: .seconds(3), action: action("d"))
        #expect(log.value.isEmpty)
        scheduler.advance()
        #expect(log.value == ["now 0.0"])
        scheduler.advance(by: .seconds(2))
        #expect(log.value == ["now 0.0", "a 1.0", "b 2.0", "c 2.0"])
        scheduler.advance(by: 1.5)
        #expect(log.value.last == "d 3.0")
        #expect(scheduler.pendingCount == 0)
    }

    /// An action that is scheduled during an advance, and is due within it, runs within it.
    @Test func schedulingFromInside() {
        let (scheduler, inner, late) = (scheduler, action("inner"), action("late"))
        scheduler.schedule(after: .seconds(1)) {
            scheduler.schedule(after: .seconds(1), action: inner)
            scheduler.schedule(after: .seconds(9), action: late)
            scheduler.schedule(inner)
        }
        scheduler.schedule(after: .seconds(1), action: action("outer"))
        scheduler.advance(by: .seconds(5))
        #expect(log.value == ["outer 1.0", "inner 1.0", "inner 2.0"])
        #expect(scheduler.currentDate == Date(timeIntervalSinceReferenceDate: 5))
        scheduler.run()
        #expect(log.value.last == "late 10.0")
        #expect(scheduler.currentDate == .distantFuture)
    }

    @Test func advancingFromInside() {
        let (scheduler, action) = (scheduler, action("inner"))
        scheduler.schedule(after: .seconds(1)) { scheduler.advance(by: .seconds(3)) }
        scheduler.schedule(after: .seconds(2), action: action)
        scheduler.advance(by: .seconds(1))
        #expect(log.value == ["inner 2.0"])
        #expect(scheduler.currentDate == Date(timeIntervalSinceReferenceDate: 4))
    }

    @Test func repetition() {
        let timer = scheduler.schedule(
            after: scheduler.currentDate.addingTimeInterval(1), interval: .seconds(2), leeway: .seconds(0),
            action: action("tick"))
        scheduler.advance(by: .seconds(6))
        #expect(log.value == ["tick 1.0", "tick 3.0", "tick 5.0"])
        timer?.dispose()
        #expect(timer?.isDisposed == true)
        #expect(scheduler.pendingCount == 0)
        scheduler.advance(by: .seconds(6))
        #expect(log.value.count == 3)
    }

    @Test func repetitionAfterADelay() {
        let timer: (any DateScheduler) = scheduler
        let repetition = timer.schedule(after: .seconds(2), interval: .seconds(2), action: action("tick"))
        scheduler.advance(by: .seconds(5))
        #expect(log.value == ["tick 2.0", "tick 4.0"])
        repetition?.dispose()
    }

    @Test func disposalOfARepetitionFromInside() {
        let handle = SerialDisposable()
        let runs = Counter()
        handle.inner = scheduler.schedule(after: .seconds(1), interval: .seconds(1)) {
            if runs.increment() == 2 { handle.dispose() }
        }
        scheduler.advance(by: .seconds(9))
        #expect(runs.value == 2)
        #expect(scheduler.pendingCount == 0)
    }

    @Test func `C1: an action that is disposed of doesn't run, and is released at once`() {
        let leaks = LeakCounter()
        let token = Holder(leaks.token())
        let disposable = scheduler.schedule(after: .seconds(1)) { [held = token.held] in held.touch() }
        let kept = scheduler.schedule(after: .seconds(1), action: action("kept"))
        token.release()
        #expect(leaks.count == 1)
        disposable?.dispose()
        disposable?.dispose()
        #expect(leaks.count == 0)
        scheduler.advance(by: .seconds(1))
        #expect(log.value == ["kept 1.0"])
        #expect(kept?.isDisposed == true)
    }

    /// An action with a time in the past runs at the next advance, at the clock's current time.
    @Test func thePast() {
        scheduler.advance(by: .seconds(10))
        scheduler.schedule(after: Date(timeIntervalSinceReferenceDate: 3), action: action("late"))
        scheduler.advance()
        #expect(log.value == ["late 10.0"])
    }

    @Test func rewinding() {
        scheduler.advance(by: .seconds(10))
        scheduler.schedule(after: .seconds(1), action: action("eleven"))
        scheduler.rewind(by: .seconds(5))
        #expect(scheduler.currentDate == Date(timeIntervalSinceReferenceDate: 5))
        scheduler.advance(by: 5.0)
        #expect(log.value.isEmpty)
        scheduler.advance(by: .seconds(1))
        #expect(log.value == ["eleven 11.0"])
    }

    /// Tasks run between actions. Their executor decides how soon, so the test waits for each step.
    @Test func advancingWithTasks() async throws {
        let (scheduler, log, action) = (scheduler, log, action("woke up"))
        let task = Task {
            for _ in 0..<3 {
                try await scheduler.sleep(for: .seconds(1))
                action()
            }
        }
        #expect(await Stress.eventually { scheduler.pendingCount == 1 })
        await scheduler.advance(by: .seconds(1))
        #expect(await Stress.eventually { log.value.count == 1 && scheduler.pendingCount == 1 })
        await scheduler.advance(by: 1.0)
        #expect(await Stress.eventually { log.value.count == 2 && scheduler.pendingCount == 1 })
        await scheduler.advance()
        #expect(log.value == ["woke up 1.0", "woke up 2.0"])
        await scheduler.advance(to: scheduler.currentDate.addingTimeInterval(1))
        try await task.value
        #expect(log.value.last == "woke up 3.0")
        await scheduler.run()
        #expect(scheduler.currentDate == .distantFuture)
    }

    /// The code under test may belong to the main actor.
    @Test func advancingWithTasksIsTheMainActors() async {
        let scheduler = TestScheduler()
        let onMain = Atomic<[Bool]>([])
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        @Sendable func note() { onMain.modify { $0.append(DispatchQueue.getSpecific(key: key) == true) } }
        for _ in 0..<3 { scheduler.schedule(note) }
        await scheduler.advance(by: .nanoseconds(1))
        scheduler.schedule(note)
        await scheduler.run()
        #expect(onMain.value == [true, true, true, true])
    }

    /// An async advance runs actions in the same order as a synchronous one.
    @Test func advancingWithoutTasks() async {
        scheduler.schedule(after: .seconds(2), action: action("b"))
        scheduler.schedule(after: .seconds(1), action: action("a"))
        await scheduler.advance(by: .seconds(5))
        #expect(log.value == ["a 1.0", "b 2.0"])
    }

    /// Threads that schedule don't wait for actions. Threads that advance are serialised.
    @Test func threads() {
        let scheduler = scheduler
        let (runs, inside) = (Counter(), Atomic(0))
        ThreadGroup.run(4) { _ in
            for _ in 0..<500 {
                scheduler.schedule(after: .milliseconds(1)) {
                    #expect(
                        inside.modify {
                            $0 += 1; return $0
                        } == 1)
                    runs.increment()
                    inside.modify { $0 -= 1 }
                }
                scheduler.advance(by: .milliseconds(1))
            }
        }
        scheduler.run()
        #expect(runs.value == 2000)
    }
}
