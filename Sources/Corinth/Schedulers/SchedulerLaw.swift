extension Scheduler {
    /// The same as `schedule(_:)`, for the library's own actions. A user's scheduler that begins an action while it runs
    /// another one breaks law C1 and every stream that it delivers. Debug builds name this scheduler and stop the program.
    @inlinable
    @discardableResult
    func scheduleInOrder(_ action: sending @escaping () -> Void) -> (any Disposable)? {
        #if DEBUG && !Exploration
            if !(self is any WorkItemScheduler), !(self is ImmediateScheduler) {
                let call = SchedulerLaw.Call()
                defer { call.end() }
                return schedule { SchedulerLaw.run(on: self, from: call) { action() } }
            }
        #endif
        return schedule(action)
    }
}

#if DEBUG && !Exploration
    /// Records which thread runs an action of which scheduler.
    @usableFromInline
    enum SchedulerLaw {
        /// A call of `schedule`.
        @usableFromInline
        final class Call: Sendable {
            /// The calling thread, or 0 after the return.
            private let caller = Atomic(ThreadState.current.token)

            @usableFromInline
            init() {}

            /// Called when `schedule` has returned.
            @usableFromInline
            func end() { caller.value = 0 }

            /// Whether the calling thread is inside the call. Then the scheduler has no queue, like ``ImmediateScheduler``,
            /// and its callers determine the order.
            fileprivate var isInProgress: Bool { caller.value == ThreadState.current.token }
        }

        /// The running thread of each scheduler, and its nesting depth.
        private static let running = Atomic<[ObjectIdentifier: (thread: UInt64, depth: Int)]>([:])

        @usableFromInline
        static func run(on scheduler: any Scheduler, from call: Call, _ action: () -> Void) {
            if call.isInProgress { return action() }
            let key = ObjectIdentifier(scheduler)
            let me = ThreadState.current.token
            let isAlone = running.modify { running in
                let known = running[key] ?? (me, 0)
                guard known.thread == me else { return false }
                running[key] = (me, known.depth + 1)
                return true
            }
            precondition(
                isAlone,
                "\(type(of: scheduler)) runs two actions at once, but a Scheduler must run one at a time, in order")
            action()
            running.modify { running in
                guard let known = running[key] else { return }
                running[key] = known.depth > 1 ? (me, known.depth - 1) : nil
            }
        }
    }
#endif
