/// One word that one thread may hold at a time, for a few nanoseconds: a short spin, then a plain futex. Never a
/// priority-inheritance lock, and never on the way of a reader.
///
///      63 ……………………… 1     0
///     | the holder's token | waiters |
@frozen
@usableFromInline
struct OwnerFlag {
    @usableFromInline let word: AtomicWord

    /// How many turns a thread spins before it sleeps: pauses of the processor only. If it yielded instead, with many threads
    /// ready to run, each yield would take as long as a time slice of each of them.
    static var spinningTurns: Int {
        #if Exploration
            Explorer.limit(.spinning, usually: 60)
        #else
            60
        #endif
    }

    /// The flag at `offset` in the stored properties of `object`.
    @inlinable @inline(__always)
    init(of object: AnyObject, at offset: Int) {
        word = AtomicWord(of: object, at: offset)
    }

    init(_ word: AtomicWord) {
        self.word = word
    }

    @inlinable @inline(__always)
    func acquire() {
        // acquire: sees what the last holder did. Pairs with the release in `release()`.
        if !word.compareExchange(0, ThreadState.current.token, .acquire).won { blockingWaitToAcquire() }
    }

    /// The same, of a flag that is held while code of the user's runs.
    ///
    /// - Parameter type: What the flag guards, for the message of ``DeadlockCheck``. Asked for in debug builds alone, when the
    ///   flag is not free.
    @inlinable @inline(__always)
    func acquire(for type: @autoclosure () -> Any.Type) {
        // acquire: as in `acquire()`.
        if !word.compareExchange(0, ThreadState.current.token, .acquire, site: "acquire()").won {
            assert(ThreadState.current.note(awaited: type()))
            blockingWaitToAcquire()
        }
    }

    @inlinable @inline(__always)
    func release() {
        // release: publishes what this holder did.
        // Two are woken, and each of them wakes two more: a thread waits for a processor before it can pass the wake-up on, and
        // of many sleepers the last would come late.
        if word.exchange(0, .release) & 1 != 0 { word.wake(2) }
    }

    @usableFromInline
    @inline(never)
    func blockingWaitToAcquire() {
        let me = ThreadState.current.token
        // Once this thread has slept, others may sleep too: it then leaves the bit set, so that they are woken.
        var held = me
        var turn = 0
        #if DEBUG && !Exploration
            var isWaiting = false
            defer { DeadlockCheck.shared.end(isWaiting) }
        #endif
        while true {
            let seen = word.load(.relaxed)
            if seen == 0 {
                if word.compareExchange(0, held, .acquire).won { return }
                continue
            }
            precondition(
                seen & ~1 != me, "modify was called from inside a modify of the same value; read it instead")
            if turn < OwnerFlag.spinningTurns {
                word.spin(turn: turn)
                turn += 1
                continue
            }
            if seen & 1 != 0 || word.compareExchange(seen, seen | 1, .relaxed).won {
                #if DEBUG && !Exploration
                    if !isWaiting { DeadlockCheck.shared.begin(word) }
                    isWaiting = true
                #endif
                word.blockingWait(while: UInt32(truncatingIfNeeded: seen | 1))
                held = me | 1
            }
        }
    }
}
