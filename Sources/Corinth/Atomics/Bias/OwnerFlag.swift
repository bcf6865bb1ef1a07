/// A lock word for critical sections of a few nanoseconds: a short spin, then a plain futex. It isn't a priority-inheritance
/// lock, and readers never use it.
@frozen
@usableFromInline
struct OwnerFlag: ~Copyable, Sendable {
    @usableFromInline let word = AtomicState<OwnerWord>(.free)

    /// How often a thread spins before it sleeps, with processor pauses only. If it yielded, with many threads ready to run,
    /// each yield would take as long as all their time slices.
    static var spinLimit: Int {
        #if Exploration
            Explorer.limit(.spinning, usually: 60)
        #else
            60
        #endif
    }

    /// How many threads a release wakes. Each of them wakes as many: a woken thread waits for a processor before it can wake
    /// others, so with many sleepers the last would be woken late.
    private static var wakeCount: UInt32 {
        #if Exploration
            UInt32(Explorer.limit(.waking, usually: 2))
        #else
            2
        #endif
    }

    @inlinable @inline(__always)
    init() {}

    @inlinable @inline(__always)
    func acquire() -> Held {
        // acquire: sees the last holder's writes. Pairs with the release in `release(_:)`.
        let me = ThreadState.current.token
        if word.tryUpdate(from: .free, .acquire, { $0.acquiring(by: me) }).won { return Held() }
        unsafe blockingWaitToAcquire(nil, for: nil)
        return Held()
    }

    @inlinable @inline(__always)
    func release(_ held: consuming Held) {
        held.end()
        // release: publishes this holder's writes.
        if word.exchange(.free, .release).hasWaiters { wake() }
    }

    /// Runs `body` with the flag held.
    @inlinable @inline(__always)
    func hold<Result>(_ body: () throws -> Result) rethrows -> Result {
        let held = acquire()
        do {
            let result = try body()
            release(held)
            return result
        } catch {
            release(held)
            throw error
        }
    }

    /// Acquires the flag if it is free.
    func tryAcquire() -> Held? {
        // acquire: as in `acquire()`.
        word.tryUpdate(from: .free, .acquire, { $0.acquiring(by: ThreadState.current.token) }).won ? Held() : nil
    }

    /// Acquires the flag if it is free. Otherwise tells its holder, which sees by ``releaseTold(_:)`` what this thread has written
    /// for it. For a flag without a bias.
    func tryAcquireOrTell() -> Held? {
        let me = ThreadState.current.token
        // acquireRelease: as in `acquire()`, and pairs with the acquire in `releaseTold(_:)`, also if it was told before.
        return word.update(.acquireRelease) { $0.acquiring(by: me) ?? $0.waiting() }.old.isFree ? Held() : nil
    }

    /// Releases the flag.
    ///
    /// - Returns: Whether another thread has told this one meanwhile.
    func releaseTold(_ held: consuming Held) -> Bool {
        held.end()
        // release: as in `release(_:)`. acquire: sees what was written before `tryAcquireOrTell()`.
        guard word.exchange(.free, .acquireRelease).hasWaiters else { return false }
        wake()
        return true
    }

    @usableFromInline
    func wake() { word.wake(OwnerFlag.wakeCount, site: "release(_:)") }

    /// - Parameters:
    ///   - bias: The bias of the flag, if it may have one.
    ///   - type: What it guards, if known.
    @usableFromInline
    @inline(never)
    func blockingWaitToAcquire(_ bias: UnsafePointer<BiasedWord>?, for type: Any.Type?) {
        let me = ThreadState.current.token
        // After this thread has slept, others may still sleep: it then sets the bit, so that they are woken.
        var hasSlept = false
        var spins = 0
        #if DEBUG && !Exploration
            var isWaiting = false
            defer { if isWaiting { DeadlockCheck.shared.end() } }
        #endif
        while true {
            let seen = word.load(.relaxed)
            if let bias = unsafe bias, seen.isBiased || seen.isUnclaimed {
                if seen.holder == me {
                    unsafe OwnerFlag.check(!bias.pointee.isInside(seen.bits))
                    // Another thread is about to claim the flag. This one was the last holder, and may claim it too.
                    if unsafe bias.pointee.claim(BiasedWord.generation(of: seen.bits), namesOwner: true) {
                        return noteSleepers(hasSlept)
                    }
                    continue
                }
                if seen.isBiased {
                    if unsafe bias.pointee.takeBias(seen.bits, namesOwner: true) { return noteSleepers(hasSlept) }
                    continue
                }
            }
            OwnerFlag.check(seen.holder != me)
            guard let awaited = seen.waiting() else {
                if word.tryUpdate(from: seen, .acquire, { $0.acquiring(by: me, afterSleep: hasSlept) }).won { return }
                continue
            }
            if spins < OwnerFlag.spinLimit {
                word.spin(iteration: spins)
                spins += 1
                continue
            }
            if seen.hasWaiters || word.tryUpdate(from: seen, .relaxed, { $0.waiting() }).won {
                #if DEBUG && !Exploration
                    if !isWaiting { unsafe DeadlockCheck.shared.begin(AwaitedValue(self, bias, of: type)) }
                    isWaiting = true
                #endif
                word.blockingWait(while: awaited)
                hasSlept = true
            }
        }
    }

    /// Sets the bit of a flag that was acquired by its bias after this thread has slept: then it isn't set yet.
    private func noteSleepers(_ hasSlept: Bool) {
        guard hasSlept else { return }
        // relaxed: the flag is held, and other threads set this bit at most.
        _ = word.exchange(OwnerWord(bits: ThreadState.current.token | 3), .relaxed)
    }

    private static func check(_ isOutside: Bool) {
        precondition(isOutside, "modify was called from inside a modify of the same value; read it instead")
    }
}
