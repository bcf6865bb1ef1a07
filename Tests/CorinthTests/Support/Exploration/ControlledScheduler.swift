#if Exploration
    @testable import Corinth

    /// A scheduler on threads under the explorer's control: each action has one, and waits there for the one before it,
    /// which is law C1.
    final class ControlledScheduler: Scheduler, @unchecked Sendable {  // Controlled threads run one at a time.
        private var last: SharedWord?
        private(set) var count = 0

        func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? {
            let before = last
            let done = SharedWord()
            last = done
            count += 1
            nonisolated(unsafe) let action = action  // Handed over.
            Worker.submit {
                before?.blockingWaitUntilRaised()
                unsafe action()
                done.raise()
            }
            return nil
        }
    }
#endif
