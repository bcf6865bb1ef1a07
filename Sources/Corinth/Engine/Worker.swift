/// A thread of the library, for work that must not stay on its original thread.
///
/// Not one of Dispatch: that has a limited number of threads for all queues of the process, and when the system can start no
/// further thread, it makes the submitting thread wait for one.
@usableFromInline
enum Worker {
    /// - Returns: Whether a thread does the work. False if there is none, and the system can't start one.
    static func trySubmit(_ work: @escaping @Sendable () -> Void) -> Bool {
        #if Exploration
            if Explorer.isControlled { return Explorer.limit(.threads, usually: 1) > 0 && Explorer.submit(work) }
        #endif
        return Workers.shared.add(work, mayRefuse: true)
    }

    /// The same for work that can't be done in another way. If there is no thread now, one does it when there is.
    @usableFromInline
    static func submit(_ work: @escaping @Sendable () -> Void) {
        #if Exploration
            if Explorer.submit(work) { return }
        #endif
        _ = Workers.shared.add(work, mayRefuse: false)
    }
}

/// The threads for ``Worker``. There are as many as there is work, up to a number that keeps all processors busy. Work may take
/// any time, so ``ProgressThread`` starts one more each time that none has begun new work for a while. A thread without work
/// waits for some, and ends after a while.
@safe final class Workers: @unchecked Sendable {  // The flag guards the mutable fields; `calls` is atomic.
    typealias Work = @Sendable () -> Void

    static let shared = Workers()

    private let flag = OwnerFlag()

    /// How many threads that wait are to look for work.
    private let calls = AtomicWord()

    /// How many threads are started without delay.
    private let limit: Int

    /// How long a thread waits for work, in nanoseconds.
    private let idleTime: UInt64

    @safe @exclusivity(unchecked) private var waiting = Deque<Work>()

    /// How many threads there are, and how many of them wait and aren't called.
    @safe @exclusivity(unchecked) private var threads = 0
    @safe @exclusivity(unchecked) private var idle = 0

    /// How often work was begun; its value at the last change that ``look(at:)`` has seen, and the time of that.
    @safe @exclusivity(unchecked) private var begun: UInt64 = 0
    @safe @exclusivity(unchecked) private var begunBefore: UInt64 = 0
    @safe @exclusivity(unchecked) private var since: UInt64 = 0

    /// Whether ``ProgressThread`` looks.
    @safe @exclusivity(unchecked) private var isWatched = false

    /// If no work has begun for this time, in nanoseconds, one more thread is started.
    let interval: UInt64

    init(
        limit: Int = Workers.usualLimit, idleTime: UInt64 = 1_000_000_000, interval: UInt64 = 2_000_000
    ) {
        self.interval = interval
        self.limit = limit
        self.idleTime = idleTime
    }

    // MARK: From any thread

    private enum Addition {
        case call, start, watch, refuse, nothing
    }

    /// Adds work. It is begun in FIFO order.
    ///
    /// - Returns: Whether it was added.
    func add(_ work: @escaping Work, mayRefuse: Bool) -> Bool {
        // Otherwise it might wait for a thread whose work never ends.
        let mayWait = !mayRefuse || Workers.areWatched
        var addition = flag.hold { () -> Addition in
            if idle == 0, threads < limit || !mayWait {
                threads += 1
                return .start
            }
            return append(work)
        }
        if addition == .start {
            if Thread.tryStart(named: "corinth.worker", { self.run(work) }) { return true }
            addition = flag.hold {
                threads -= 1
                return mayWait ? append(work) : .refuse
            }
        }
        switch addition {
        case .call:
            // release: publishes the work, which the flag does, too.
            calls.fetchAdd(1, .release)
            calls.wake(1)
        case .watch: watch()
        case .refuse: return false
        case .start, .nothing: break
        }
        return true
    }

    /// Called with the flag held.
    private func append(_ work: @escaping Work) -> Addition {
        waiting.append(work)
        if idle > 0 {
            idle -= 1
            return .call
        }
        if isWatched { return .nothing }
        isWatched = true
        begunBefore = begun
        since = MonotonicTime.now
        return .watch
    }

    /// Starts one more thread if work waits and none has begun for a while.
    ///
    /// - Returns: When to look again; nil if no work waits.
    func look(at now: UInt64) -> UInt64? {
        let (isOver, isStuck) = flag.hold {
            if begun != begunBefore {
                begunBefore = begun
                since = now
            }
            let isStuck = !waiting.isEmpty && now - min(now, since) >= interval
            if isStuck {
                since = now
                threads += 1
            }
            isWatched = !waiting.isEmpty
            return (!isWatched, isStuck)
        }
        // If the system can't start a thread, this one does the work.
        if isStuck, !Thread.tryStart(named: "corinth.worker", { self.run(nil) }) { runAll() }
        return isOver ? nil : now + interval
    }

    // MARK: On the threads

    private func run(_ first: Work?) {
        if let first {
            flag.hold { begun += 1 }
            first()
        }
        repeat {
            while let work = next() { work() }
        } while waitForWork()
    }

    /// Does the work that waits, as a thread that ends afterwards.
    private func runAll() {
        while let work = next() { work() }
        flag.hold { threads -= 1 }
    }

    private func next() -> Work? {
        flag.hold {
            let work = waiting.popFirst()
            if work != nil { begun += 1 }
            return work
        }
    }

    /// - Returns: Whether there is work, or was. False if this thread ends.
    private func waitForWork() -> Bool {
        let waits = flag.hold {
            if !waiting.isEmpty { return false }
            idle += 1
            return true
        }
        if !waits { return true }
        let deadline = MonotonicTime.now + idleTime
        while true {
            // acquire: pairs with the addition in `add(_:mayRefuse:)`.
            if calls.update(.acquire, { (seen: UInt64) in seen > 0 ? seen - 1 : nil }).new != nil { return true }
            calls.blockingWait(while: 0, untilMonotonic: deadline)
            if MonotonicTime.now < deadline { continue }
            let ends = flag.hold {
                // Otherwise each thread that waits has been called.
                if idle == 0 { return false }
                idle -= 1
                threads -= 1
                return true
            }
            if ends { return false }
        }
    }
}
