#if !NaiveLocks
    internal import Dispatch

    /// One thread of the library's own, started when it is first needed. It sees to it that what has to go on does, however
    /// busy all other threads are: it looks for stalls, and takes strands that no thread comes for.
    ///
    /// It runs no callbacks, which may take as long as they like: where somebody has to deliver, its ``Adopters`` do. Only if the
    /// system starts no thread for them, it does so itself. It never waits for a place.
    @safe final class ProgressThread: @unchecked Sendable {  // One atomic word each; the lists are the thread's.
        /// What others ask for: the newest request, or 0.
        private var requestsStorage: UInt64 = 0

        /// 1 while the thread sleeps, or is about to.
        private var parkedStorage: UInt64 = 0

        /// 1 when there is a thread, or will be.
        private var startedStorage: UInt64 = 0

        private static let shared = ProgressThread()

        private let adopters = Adopters()

        /// How long a strand may be without a thread before it is given one: 1 to 2 times so long, in nanoseconds.
        private static let patrol: UInt64 = 2_000_000

        private var requests: AtomicWord { AtomicWord(of: self) }
        private var parked: AtomicWord { AtomicWord(of: self, at: 8) }
        private var started: AtomicWord { AtomicWord(of: self, at: 16) }

        private init() {}

        // MARK: From any thread

        /// Looks for stalls until nobody waits for these permits any more.
        static func watch(_ permits: Permits, from time: UInt64) {
            #if Exploration
                // At any moment from here on. One that never is stalled is not looked at.
                if Explorer.isControlled {
                    if permits.stallTimeout == .max { return }
                    _ = Explorer.submit { if let next = permits.look(at: time) { watch(permits, from: next) } }
                    return
                }
            #endif
            shared.push(Request(stallsOf: permits, at: time))
        }

        /// Has a strand taken that has no thread, if nobody else does so for a while. Called once, until
        /// ``Strand/lookForThread()`` finds that it has one.
        static func watch(_ strand: Strand) {
            #if Exploration
                if Explorer.isControlled { return }
            #endif
            shared.push(Request(threadOf: strand, at: MonotonicTime.now + patrol))
        }

        /// Does some work, if nobody else has done it after a while.
        static func watch(_ work: OneShot) {
            #if Exploration
                if Explorer.isControlled { return }
            #endif
            shared.push(Request(for: work, at: MonotonicTime.now + patrol))
        }

        private final class Request {
            /// Not retained: what nobody can reach any more waits for nothing.
            private weak var permits: Permits?

            /// Retained until it has a thread.
            private let strand: Strand?

            private let work: OneShot?

            /// When to look next. The thread's own, once it was pushed.
            var time: UInt64

            /// The address of the one that was pushed before.
            var older: UInt64 = 0

            init(
                stallsOf permits: Permits? = nil, threadOf strand: Strand? = nil, for work: OneShot? = nil,
                at time: UInt64
            ) {
                self.permits = permits
                self.strand = strand
                self.work = work
                self.time = time
            }

            /// Looks at what was asked for, and says when to look again; nil if there is nothing more to see.
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
                if let work, !work.hasRun { adopters.add { work.run() } }
                return permits?.look(at: now)
            }
        }

        private func push(_ request: Request) {
            let address = unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(request).toOpaque()))
            var seen = requests.load(.relaxed)
            while true {
                request.older = seen
                // sequential: release, which publishes the request and pairs with `takeRequests()`; and, with the load after it,
                // against the store and the load of the thread before it sleeps. One of the two sides sees the other.
                let result = requests.compareExchange(seen, address, .sequential)
                if result.won { break }
                seen = result.seen
            }
            if parked.load(.sequential) != 0, parked.exchange(0, .relaxed) != 0 { parked.wake(1) }
            if started.load(.relaxed) == 0, started.exchange(1, .relaxed) == 0 {
                // Without a thread for it, the next request tries again.
                if !Thread.tryStart(named: "corinth.progress", { self.run() }) { started.store(0, .relaxed) }
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
            // acquire: sees the requests. Pairs with `push(_:)`.
            var rest = requests.exchange(0, .acquire)
            while let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(rest)) {
                // Retained by `push(_:)`.
                let request = unsafe Unmanaged<Request>.fromOpaque(pointer).takeRetainedValue()
                rest = request.older
                pending.append(request)
            }
        }

        private func sleep(until time: UInt64?) {
            // sequential: as said in `push(_:)`.
            parked.store(1, .sequential)
            if requests.load(.sequential) == 0 { parked.blockingWait(while: 1, untilMonotonic: time) }
            // relaxed: whoever still reads 1 wakes nobody.
            parked.store(0, .relaxed)
        }
    }
#endif
