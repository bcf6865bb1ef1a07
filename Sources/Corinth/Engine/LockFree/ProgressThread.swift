#if !NaiveLocks
    internal import Dispatch

    /// The library's own thread, started on first use. It guarantees progress however busy all other threads are: it detects
    /// stalls, and finds strands that no thread adopts.
    ///
    /// It runs no callbacks, because these may take any time. Its ``Adopters`` deliver. It delivers itself only if the system
    /// can't start a thread for them. It never waits for a permit.
    @safe final class ProgressThread: @unchecked Sendable {  // Atomic words; the thread owns the lists.
        /// The newest request of other threads, or 0.
        private var requestsStorage: UInt64 = 0

        /// Raised while the thread sleeps or is about to sleep.
        private var parkedStorage = FlagState.lowered.bits

        /// Raised if the thread exists or is being started.
        private var startedStorage = FlagState.lowered.bits

        private static let shared = ProgressThread()

        private let adopters = Adopters()

        /// The interval of the checks, in nanoseconds. A strand without a thread gets one after 1 to 2 intervals.
        private static let patrol: UInt64 = 2_000_000

        private var requests: AtomicStack { AtomicStack(AtomicWord(of: self)) }
        private var parked: AtomicFlag { AtomicFlag(of: self, at: 8) }
        private var started: AtomicFlag { AtomicFlag(of: self, at: 16) }

        private init() {
            assert(requests.word.isStored(in: &requestsStorage))
            assert(parked.isStored(in: &parkedStorage))
            assert(started.isStored(in: &startedStorage))
        }

        // MARK: From any thread

        /// Checks these permits for stalls until there is no waiter left.
        static func watch(_ permits: Permits, from time: UInt64) {
            #if Exploration
                // The explorer may run the check at any later moment. Permits without a stall timeout aren't checked.
                if Explorer.isControlled {
                    if permits.stallTimeout == .max { return }
                    _ = Explorer.submit { if let next = permits.look(at: time) { watch(permits, from: next) } }
                    return
                }
            #endif
            shared.push(Request(stallsOf: permits, at: time))
        }

        /// Starts a thread for an orphaned strand if no thread adopts it for a while. Called once, until
        /// ``Strand/lookForThread()`` finds a thread.
        static func watch(_ strand: Strand) {
            #if Exploration
                if Explorer.isControlled { return }
            #endif
            shared.push(Request(threadOf: strand, at: MonotonicTime.now + patrol))
        }

        /// Does some work if no other thread has done it after a while.
        static func watch(_ work: OneShotAction) {
            #if Exploration
                if Explorer.isControlled { return }
            #endif
            shared.push(Request(for: work, at: MonotonicTime.now + patrol))
        }

        private final class Request: StackNode {
            /// Not retained: permits that are unreachable have no waiter.
            private weak var permits: Permits?

            /// Retained until it has a thread.
            private let strand: Strand?

            private let work: OneShotAction?

            /// When to check next. Owned by the progress thread after the push.
            var time: UInt64

            var below: UInt64 = 0

            init(
                stallsOf permits: Permits? = nil, threadOf strand: Strand? = nil, for work: OneShotAction? = nil,
                at time: UInt64
            ) {
                self.permits = permits
                self.strand = strand
                self.work = work
                self.time = time
            }

            /// Checks the request, and returns when to check again; nil if the request is done.
            func look(at now: UInt64, _ adopters: Adopters) -> UInt64? {
                if let strand {
                    switch strand.lookForThread() {
                    case .found: return nil
                    case .pending: return now + ProgressThread.patrol
                    case .overdue:
                        adopters.add {
                            strand.adoptAlone()
                            ProgressThread.watch(strand)
                        }
                        return nil
                    }
                }
                if let work, !work.isTaken { adopters.add { work.runOnce() } }
                return permits?.look(at: now)
            }
        }

        private func push(_ request: Request) {
            // sequential: release, which publishes the request; and, with the next load, against the thread's store and load
            // before it sleeps. One side sees the other.
            requests.push(request, .sequential)
            if parked.isRaised(.sequential), parked.tryLower(.relaxed) { parked.wake(1) }
            if !started.isRaised(.relaxed), started.tryRaise(.relaxed) {
                // If the thread can't be started, the next request tries again.
                if !Thread.tryStart(named: "corinth.progress", { self.run() }) { started.store(.lowered, .relaxed) }
            }
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
                        guard let time = request.look(at: now, adopters) else { return true }
                        request.time = time
                    }
                    next = min(next, request.time)
                    return false
                }
                if adopters.look(at: now, timeout: ProgressThread.patrol) {
                    next = min(next, now + ProgressThread.patrol)
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
