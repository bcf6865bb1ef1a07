#if Exploration
    import Foundation

    /// A system thread that runs controlled threads, one after another.
    final class Carrier: @unchecked Sendable {  // The semaphore hands its fields over.
        let turn = DispatchSemaphore(value: 0)
        private var job: (() -> Void)?

        private static let pool = NSLock()
        nonisolated(unsafe) private static var idle: [Carrier] = []

        /// Returns an idle carrier. It runs `job` when it is resumed, and is idle again afterwards.
        static func take(for job: @escaping () -> Void) -> Carrier {
            let carrier = pool.withLock { unsafe idle.popLast() } ?? Carrier(started: ())
            carrier.job = job
            return carrier
        }

        private init(started: Void) {
            let thread = Thread { [self] in
                Processor.chosen?.bindCallingThread()
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

        /// Runs `job` on a carrier, and returns when it has ended.
        static func run(_ job: () -> Void) {
            let ended = DispatchSemaphore(value: 0)
            withoutActuallyEscaping(job) { job in
                var carrier: Carrier?
                // Released before the signal: the carrier's thread may keep its own closure for longer.
                var work: (() -> Void)? = job
                carrier = take {
                    work?()
                    work = nil
                    carrier?.release()
                    ended.signal()
                }
                carrier?.turn.signal()
                ended.wait()
            }
        }

        /// Marks the carrier as ready for the next job. Called at the end of the current job.
        func release() {
            Carrier.pool.withLock { unsafe Carrier.idle.append(self) }
        }

        private static let neverSignalled = DispatchSemaphore(value: 0)

        /// Parks the calling thread forever. Used for a thread of a failed execution, because its code may never end.
        static func park() -> Never {
            while true { neverSignalled.wait() }
        }
    }
#endif
