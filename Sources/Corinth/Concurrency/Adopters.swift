#if !NaiveLocks
    /// Threads for what no other thread came for: one, and one more each time that none of them has begun anything new for a
    /// while, since callbacks may take as long as they like. They end when there is nothing left.
    @safe final class Adopters: @unchecked Sendable {  // The flag guards all that follows.
        private var flagStorage: UInt64 = 0
        @safe @exclusivity(unchecked) private var waiting = Fifo<@Sendable () -> Void>()
        @safe @exclusivity(unchecked) private var threads = 0
        @safe @exclusivity(unchecked) private var begun: UInt64 = 0

        /// How much had been begun when that was looked at, and since when it is as much.
        @safe @exclusivity(unchecked) private var begunBefore: UInt64 = 0
        @safe @exclusivity(unchecked) private var since: UInt64 = 0

        private var flag: OwnerFlag { OwnerFlag(of: self, at: 0) }

        private func guarded<Result>(_ body: () -> Result) -> Result {
            flag.acquire()
            defer { flag.release() }
            return body()
        }

        /// Has some work done, after what was added before.
        func add(_ work: @escaping @Sendable () -> Void) {
            let isFirst = guarded {
                waiting.append(work)
                if threads > 0 { return false }
                threads = 1
                return true
            }
            if isFirst { start() }
        }

        /// Starts one more thread if something waits and nothing new has been begun for so long.
        ///
        /// - Returns: Whether something waits.
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

        /// If the system starts no thread, the one that asks does the work.
        private func start() {
            if !Thread.tryStart(named: "corinth.adopter", run) { run() }
        }

        private func run() {
            while let work = next() { work() }
        }

        private func next() -> (@Sendable () -> Void)? {
            guarded {
                let work = waiting.popFirst()
                if work == nil { threads -= 1 } else { begun += 1 }
                return work
            }
        }
    }
#endif
