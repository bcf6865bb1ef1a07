@testable import Corinth
import Dispatch
import Foundation
import Testing

/// User-defined schedulers that break law C1. Debug builds name them.
struct CarelessSchedulerTests {
    /// Runs every action on its own thread, once all expected actions have been scheduled.
    private final class Careless: Scheduler {
        private let actions = Atomic<[Pending]>([])

        private struct Pending: @unchecked Sendable {  // Handed over by the thread that schedules.
            let run: () -> Void
        }

        @discardableResult
        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
            let pending = Pending(run: action)
            actions.modify { $0.append(pending) }
            return nil
        }

        func runAllAtOnce() {
            let ended = DispatchSemaphore(value: 0)
            let actions = actions.swap([])
            for action in actions {
                Foundation.Thread.detachNewThread {
                    action.run()
                    ended.signal()
                }
            }
            for _ in actions { ended.wait() }
        }
    }

    /// Runs each action inside the call that schedules it.
    private final class Inline: Scheduler {
        @discardableResult
        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
            action()
            return nil
        }
    }

    #if DEBUG && !Exploration
        @Test func twoAtOnce() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let scheduler = Careless()
                let met = DispatchSemaphore(value: 0)
                for _ in 0..<2 {
                    let (output, input) = Signal<Int, Never>.pipe()
                    output.observe(on: scheduler).observeValues { _ in
                        met.signal()
                        _ = met.wait(timeout: .now() + 5)
                        _ = met.wait(timeout: .now() + 5)
                    }
                    input.send(value: 1)
                    scheduler.schedule { withExtendedLifetime(input) {} }
                }
                scheduler.runAllAtOnce()
            }
            let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
            #expect(message.contains("Careless runs two actions at once"), "\(message)")
        }
    #endif

    /// Serial execution on changing threads is correct. So is a scheduler without a queue.
    @Test func oneAtATime() {
        let scheduler = Careless()
        let seen = Atomic(0)
        let (output, input) = Signal<Int, Never>.pipe()
        output.observe(on: scheduler).observeValues { value in seen.modify { $0 += value } }
        for _ in 0..<3 {
            input.send(value: 1)
            scheduler.runAllAtOnce()
        }
        #expect(seen.value == 3)
        input.sendCompleted()
        scheduler.runAllAtOnce()
        let inline = Inline()
        let both = Atomic(0)
        ThreadGroup.run(2) { _ in
            let (output, input) = Signal<Int, Never>.pipe()
            output.observe(on: inline).observeValues { value in both.modify { $0 += value } }
            for _ in 0..<1_000 { input.send(value: 1) }
        }
        #expect(both.value == 2_000)
    }
}
