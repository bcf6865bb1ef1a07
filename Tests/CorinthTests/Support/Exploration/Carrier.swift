#if Exploration
    import Foundation

    /// A thread of the system that carries one controlled thread after another.
    final class Carrier: @unchecked Sendable {  // Its fields change hands with the semaphore.
        let turn = DispatchSemaphore(value: 0)
        private var job: (() -> Void)?

        private static let pool = NSLock()
        nonisolated(unsafe) private static var idle: [Carrier] = []

        /// A carrier that nobody uses. It runs `job` when its turn comes, and is idle again after it.
        static func take(for job: @escaping () -> Void) -> Carrier {
            let carrier = pool.withLock { unsafe idle.popLast() } ?? Carrier(started: ())
            carrier.job = job
            return carrier
        }

        private init(started: Void) {
            let thread = Thread { [self] in
                while true {
                    turn.wait()
                    let job = self.job
                    self.job = nil
                    job?()
                }
            }
            thread.stackSize = 1 << 20
            thread.start()
        }

        /// Ready for the next job, but for the end of the one that calls this.
        func release() {
            Carrier.pool.withLock { unsafe Carrier.idle.append(self) }
        }

        private static let nobody = DispatchSemaphore(value: 0)

        /// Stays where it is for ever: of a thread in an execution that has failed, whose code can't be trusted to end.
        static func park() -> Never {
            while true { nobody.wait() }
        }
    }
#endif
