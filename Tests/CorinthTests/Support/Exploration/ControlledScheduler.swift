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
        private let waitingLook: Int?
        private let looks = Unrecorded(0)
        let order = ScheduleOrder()

        /// Its queue, which orders what is scheduled before and after.
        let queue = SharedWord()

        /// - Parameter waitingLook: Every how many looks other work waits, so that a drain which lingers has to end; nil if none
        ///   lingers.
        init(waitingLook: Int? = nil) {
            self.waitingLook = waitingLook
        }

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
            order.raise()
            enqueue()
            return actions.schedule(action)
        }

        func post(_ workItem: WorkItem) {
            enqueue()
            actions.post(workItem)
        }

        private func enqueue() { queue.word.fetchAdd(1, .acquireRelease) }

        var lingerLimit: UInt64 { waitingLook == nil ? 0 : 1 }

        var knowsWaitingWork: Bool { true }

        var hasWaitingWork: Bool {
            let count = looks.withValue { looks in
                looks += 1
                return looks
            }
            return count % (waitingLook ?? 1) == 0
        }
    }
#endif
