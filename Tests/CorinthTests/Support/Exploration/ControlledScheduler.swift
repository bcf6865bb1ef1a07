#if Exploration
    @testable import Corinth

    /// A scheduler on threads that the explorer controls. Each action has its own thread, and waits there for the previous
    /// action, as law C1 requires.
    final class ControlledScheduler: Scheduler, Sendable {
        private let state = Unrecorded((last: SharedWord?.none, count: 0))

        var count: Int { state.withValue(\.count) }

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
            let done = SharedWord()
            let before = state.withValue { state in
                let last = state.last
                state = (done, state.count + 1)
                return last
            }
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
