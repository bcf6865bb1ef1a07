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
final class Workers: Sendable {
    typealias Work = @Sendable () -> Void

    static let shared = Workers()

    /// How many threads that wait are to look for work.
    private let calls = AtomicWord()

    /// How many threads are started without delay.
    private let limit: Int

    /// How long a thread waits for work, in nanoseconds.
    private let idleTime: UInt64

    private struct State {
        var waiting = Deque<Work>()

        /// How many threads there are, and how many of them wait and aren't called.
        var threads = 0
        var idle = 0

        /// How often work was begun; its value at the last change that ``Workers/look(at:)`` has seen, and the time of that.
        var begun: UInt64 = 0
        var begunBefore: UInt64 = 0
        var since: UInt64 = 0

        /// Whether ``ProgressThread`` looks.
        var isWatched = false

        mutating func append(_ work: @escaping Work) -> Addition {
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
    }

    private let state = Guarded(State())

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
        var addition = state.hold { state -> Addition in
            if state.idle == 0, state.threads < limit || !mayWait {
                state.threads += 1
                return .start
            }
            return state.append(work)
        }
        if addition == .start {
            if Thread.tryStart(named: "corinth.worker", { self.run(work) }) { return true }
            addition = state.hold { state in
                state.threads -= 1
                return mayWait ? state.append(work) : .refuse
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

    /// Starts one more thread if work waits and none has begun for a while.
    ///
    /// - Returns: When to look again; nil if no work waits.
    func look(at now: UInt64) -> UInt64? {
        let (isOver, isStuck) = state.hold { state in
            if state.begun != state.begunBefore {
                state.begunBefore = state.begun
                state.since = now
            }
            let isStuck = !state.waiting.isEmpty && now - min(now, state.since) >= interval
            if isStuck {
                state.since = now
                state.threads += 1
            }
            state.isWatched = !state.waiting.isEmpty
            return (!state.isWatched, isStuck)
        }
        // If the system can't start a thread, this one does the work.
        if isStuck, !Thread.tryStart(named: "corinth.worker", { self.run(nil) }) { runAll() }
        return isOver ? nil : now + interval
    }

    // MARK: On the threads

    private func run(_ first: Work?) {
        if let first {
            state.hold { $0.begun += 1 }
            first()
        }
        repeat {
            while let work = next() { work() }
        } while waitForWork()
    }

    /// Does the work that waits, as a thread that ends afterwards.
    private func runAll() {
        while let work = next() { work() }
        state.hold { $0.threads -= 1 }
    }

    private func next() -> Work? {
        state.hold { state in
            let work = state.waiting.popFirst()
            if work != nil { state.begun += 1 }
            return work
        }
    }

    /// - Returns: Whether there is work, or was. False if this thread ends.
    private func waitForWork() -> Bool {
        let waits = state.hold { state in
            if !state.waiting.isEmpty { return false }
            state.idle += 1
            return true
        }
        if !waits { return true }
        let deadline = MonotonicTime.now + idleTime
        while true {
            // acquire: pairs with the addition in `add(_:mayRefuse:)`.
            if calls.update(.acquire, { (seen: UInt64) in seen > 0 ? seen - 1 : nil }).new != nil { return true }
            calls.blockingWait(while: 0, untilMonotonic: deadline)
            if MonotonicTime.now < deadline { continue }
            let ends = state.hold { state in
                // Otherwise each thread that waits has been called.
                if state.idle == 0 { return false }
                state.idle -= 1
                state.threads -= 1
                return true
            }
            if ends { return false }
        }
    }
}
