#if !NaiveLocks
    /// Threads that run adopted work. It starts with one thread. It adds one each time that no thread has begun new work for
    /// a while, because callbacks may take any time. The threads end when the queue is empty.
    @safe final class Adopters: @unchecked Sendable {  // The flag guards all fields below.
        private var flagStorage: UInt64 = 0
        @safe @exclusivity(unchecked) private var waiting = Deque<@Sendable () -> Void>()
        @safe @exclusivity(unchecked) private var threads = 0
        @safe @exclusivity(unchecked) private var begun: UInt64 = 0

        /// The value of `begun` at the last change seen by `look(at:timeout:)`, and the time of that change.
        @safe @exclusivity(unchecked) private var begunBefore: UInt64 = 0
        @safe @exclusivity(unchecked) private var since: UInt64 = 0

        init() {
            assert(flag.word.isStored(in: &flagStorage))
        }

        private var flag: OwnerFlag { OwnerFlag(of: self, at: 0) }

        private func guarded<Result>(_ body: () -> Result) -> Result {
            flag.acquire()
            defer { flag.release() }
            return body()
        }

        /// Queues work, in FIFO order.
        func add(_ work: @escaping @Sendable () -> Void) {
            let isFirst = guarded {
                waiting.append(work)
                if threads > 0 { return false }
                threads = 1
                return true
            }
            if isFirst { start() }
        }

        /// Starts one more thread if work is queued and no work has begun for `timeout` nanoseconds.
        ///
        /// - Returns: Whether work is queued.
        func look(at now: UInt64, timeout: UInt64) -> Bool {
            let (waits, isStuck) = guarded {
                if waiting.isEmpty || begun != begunBefore {
                    begunBefore = begun
                    since = now
                }
                let isStuck = !waiting.isEmpty && now - min(now, since) >= timeout
                if isStuck {
                    since = now
                    threads += 1
                }
                return (!waiting.isEmpty, isStuck)
            }
            if isStuck { start() }
            return waits
        }

        /// If the system can't start a thread, the calling thread does the work.
        private func start() {
            if !Thread.tryStart(named: "corinth.adopter", run) { run() }
        }

        private func run() {
            while let work = next() { work() }
        }

        private func next() -> (@Sendable () -> Void)? {
            guarded {
                assert(threads > 0, "a thread runs that isn't counted")
                let work = waiting.popFirst()
                if work == nil { threads -= 1 } else { begun += 1 }
                return work
            }
        }
    }
#endif
