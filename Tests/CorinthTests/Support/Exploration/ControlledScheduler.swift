#if Exploration
    @testable import Corinth

    /// A scheduler on threads that the explorer controls. Each action has its own thread, and waits there for the previous
    /// action, as law C1 requires.
    final class ControlledScheduler: Scheduler, @unchecked Sendable {  // Controlled threads run one at a time.
        private var last: SharedWord?
        private(set) var count = 0

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
            let before = last
            let done = SharedWord()
            last = done
            count += 1
            nonisolated(unsafe) let action = action  // Handed to the new thread.
            Worker.submit {
                before?.blockingWaitUntilRaised()
                unsafe action()
                done.raise()
            }
            return nil
        }
    }

    // As a scheduler of the library, so that a burst of a hop is one action.
    extension ControlledScheduler: WorkItemScheduler {
        func post(_ workItem: WorkItem) { _ = schedule { workItem.run() } }
    }

    /// A scheduler that counts what it is given: see ``ScheduleOrder``.
    final class CountingScheduler: Scheduler, WorkItemScheduler, Sendable {
        private let actions = ControlledScheduler()
        let order = ScheduleOrder()

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
            order.raise()
            return actions.schedule(action)
        }

        func post(_ workItem: WorkItem) { actions.post(workItem) }
    }
#endif
