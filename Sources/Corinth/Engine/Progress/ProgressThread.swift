#if !NaiveLocks

    extension Workers {
        /// How many threads are started without delay.
        static let usualLimit = max(2, Processors.count)

        /// Whether somebody sees to it that there are enough threads.
        static var areWatched: Bool { ProgressThread.exists }

        func watch() { ProgressThread.watch(self) }
    }

    /// A thread of the library, started on first use, that looks after what nobody else may look after: permits with waiters, work
    /// for which no ``Worker`` is free, and tasks that come late.
    ///
    /// It runs no callbacks, because these may take any time, unless the system can't start a worker for them. It never waits for
    /// a permit.
    @safe final class ProgressThread: @unchecked Sendable {  // Atomic words; the thread owns the lists.
        /// The newest request of other threads, or 0.
        private let requests = AtomicStack()

        /// Raised while the thread sleeps or is about to sleep.
        private let parked = AtomicFlag()

        /// Whether the thread exists.
        private let existence = AtomicState<Existence>(.none)

        private static let shared = ProgressThread()

        /// Whether the thread exists.
        ///
        ///     none ◀──▶ starting ──▶ exists
        private enum Existence: UInt64, WordState {
            case none
            case starting
            case exists
        }

        private init() {
        }

        // MARK: From any thread

        /// Checks a queue of waiters until there is none left.
        static func watch(_ queue: WaitQueue, from time: UInt64) {
            #if Exploration
                // The explorer may run the check at any later moment. Permits without a stall timeout aren't checked.
                if Explorer.isControlled {
                    if !queue.mayStall || !exists { return }
                    _ = Explorer.submit {
                        if let next = queue.check(at: time) { watch(queue, from: next) }
                    }
                    return
                }
            #endif
            shared.push(Request(at: time) { queue.check(at: $0) })
        }

        /// Lets a worker do some work after a while.
        static func delay(_ work: @escaping @Sendable () -> Void) {
            shared.push(
                Request(at: MonotonicTime.now + Workers.shared.interval) { _ in
                    Worker.submit(work)
                    return nil
                })
        }

        /// Sees to it that there are enough threads, until no work waits.
        static func watch(_ workers: Workers) {
            shared.push(Request(at: MonotonicTime.now + workers.interval) { workers.look(at: $0) })
        }

        private final class Request: StackNode {
            /// Gets the time, and returns when it is to be called again; nil for never.
            let look: (UInt64) -> UInt64?

            /// When to call it next. Owned by the progress thread after the push.
            var time: UInt64

            var below: UInt64 = 0

            init(at time: UInt64, _ look: @escaping (UInt64) -> UInt64?) {
                self.time = time
                self.look = look
            }
        }

        private func push(_ request: Request) {
            // sequential: release, which publishes the request; and, with the next load, against the thread's store and load
            // before it sleeps. One side sees the other.
            requests.push(request, .sequential)
            if parked.isRaised(.sequential), parked.tryLower(.relaxed) { parked.wake(1) }
            start()
        }

        /// Whether the thread exists. Otherwise it is started, if the system has one.
        ///
        /// As long as it doesn't, nobody may rely on another thread to come: Dispatch doesn't tell that it has none.
        static var exists: Bool {
            #if Exploration
                if Explorer.isControlled { return Explorer.limit(.threads, usually: 1) > 0 }
            #endif
            return shared.existence.load(.relaxed) == .exists || shared.start()
        }

        /// Whether the thread exists. It isn't started.
        static var isRunning: Bool {
            #if Exploration
                if Explorer.isControlled { return exists }
            #endif
            return shared.existence.load(.relaxed) == .exists
        }

        /// - Returns: Whether the thread exists. False while another thread starts it.
        @discardableResult
        private func start() -> Bool {
            // relaxed: the requests are published by their own word.
            let seen = existence.load(.relaxed)
            if seen != .none { return seen == .exists }
            guard existence.tryUpdate(from: .none, .relaxed, { _ in .starting }).won else { return false }
            let isStarted = Thread.tryStart(named: "corinth.waits") { self.run() }
            existence.store(isStarted ? .exists : .none, .relaxed)
            return isStarted
        }

        // MARK: On the thread

        private func run() {
            var pending: [Request] = []
            while true {
                takeRequests(into: &pending)
                let now = MonotonicTime.now
                var next = UInt64.max
                pending.removeAll { request in
                    if request.time <= now {
                        guard let time = request.look(now) else { return true }
                        request.time = time
                    }
                    next = min(next, request.time)
                    return false
                }
                sleep(until: next == .max ? nil : next)
            }
        }

        private func takeRequests(into pending: inout [Request]) {
            var rest = requests.takeAll(Request.self)
            while let request = rest {
                rest = request.takeBelow()
                pending.append(request)
            }
        }

        private func sleep(until time: UInt64?) {
            // sequential: see `push(_:)`.
            parked.store(.raised, .sequential)
            if requests.word.load(.sequential) == 0 { parked.blockingWait(while: .raised, untilMonotonic: time) }
            // relaxed: a thread that still reads that it is raised wakes no thread.
            parked.store(.lowered, .relaxed)
        }
    }
#endif
