import CFaults
import Corinth
import Dispatch
import Foundation

/// The time of day is set while timers run.
enum Clock {
    static func jumps() {
        let before = Date()
        faults_set_clock(3_600)
        guard Date().timeIntervalSince(before) > 3_000 else {
            return Report.row("Scheduling", "the clock is set", false, "Date() doesn't show it")
        }
        faults_set_clock(-3_600)
        for (name, jump) in [("an hour back", -3_600), ("two hours forward", 7_200)] as [(String, Int64)] {
            let queue = QueueScheduler(name: "timers")
            let thread = ThreadScheduler(name: "timers")
            let (soon, late) = (Counter(), Counter())
            let ticks = Counter()
            var pending: [(any Disposable)?] = []
            for scheduler in [queue, thread] as [any DateScheduler] {
                pending.append(scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(0.05)) { soon.add() })
                pending.append(
                    scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(3_600)) { late.add() })
                pending.append(
                    scheduler.schedule(
                        after: scheduler.currentDate, interval: .milliseconds(10), leeway: .nanoseconds(0)
                    ) { ticks.add() })
            }
            faults_set_clock(jump)
            // Those that are made afterwards come as usual, too.
            let after = Counter()
            pending.append(queue.schedule(after: queue.currentDate.addingTimeInterval(0.1)) { after.add() })
            let seen = ticks.value
            let isOnTime = eventually { soon.value == 2 && after.value == 1 && ticks.value > seen + 4 }
            Report.row(
                "Scheduling", "the clock is set \(name): actions wait as long as before", isOnTime && late.value == 0,
                "\(soon.value) of 2 actions and \(ticks.value) ticks came; of those in an hour, \(late.value)")
            for timer in pending { timer?.dispose() }

            let (output, input) = Signal<Int, Never>.pipe()
            let (debounced, timedOut, early) = (Counter(), Counter(), Counter())
            output.debounce(0.05, on: queue).observeValues { _ in debounced.add() }
            output.timeout(perValue: 0.2, raising: Late(), on: queue).observeFailed { _ in timedOut.add() }
            output.timeout(perValue: 5_000, raising: Late(), on: thread).observeFailed { _ in early.add() }
            input.send(value: 1)
            faults_set_clock(-jump)
            let haveCome = eventually { debounced.value == 1 && timedOut.value == 1 }
            Report.row(
                "Scheduling", "the clock is set back to before: debounce and timeout come, and no timeout early",
                haveCome && early.value == 0,
                "\(debounced.value) of 1 value, \(timedOut.value) of 1 timeout, \(early.value) early")
            input.sendInterrupted()
            thread.stop()
        }
    }

    struct Late: Error {}
}
