/// An ``OwnerFlag`` that is biased to the thread that uses it most: that one acquires and releases it without a locked
/// instruction. See ``BiasedWord``.
@frozen
@usableFromInline
@safe struct BiasedFlag: ~Copyable, Sendable {
    @usableFromInline let bias = BiasedWord()

    /// The place of the history, which only the holder reads and writes.
    @usableFromInline let historyWord = AtomicWord(BiasHistory.none)

    @inlinable @inline(__always)
    init() {}

    /// The flag, whose word is that of the bias.
    @inlinable
    var flag: OwnerFlag {
        @inline(__always) unsafeAddress {
            unsafe UnsafeRawPointer(bias.word.address).assumingMemoryBound(to: OwnerFlag.self)
        }
    }

    private var history: UnsafeMutablePointer<BiasHistory> {
        unsafe UnsafeMutableRawPointer(historyWord.address).assumingMemoryBound(to: BiasHistory.self)
    }

    /// Acquires the flag. It may be held while user code runs.
    ///
    /// - Parameter type: What the flag guards, for the message of ``DeadlockCheck``. Evaluated when the flag isn't free.
    @inlinable @inline(__always)
    func acquire(for type: @autoclosure () -> Any.Type) -> Held {
        if !bias.tryEnterByBias(.current, namesOwner: true) { acquireWithoutBias(for: type()) }
        return Held()
    }

    @usableFromInline
    @inline(never)
    func acquireWithoutBias(for type: Any.Type) {
        // acquire: as in `OwnerFlag.acquire()`.
        let me = ThreadState.current.token
        if !flag.word.tryUpdate(from: .free, .acquire, site: "acquire()", { $0.acquiring(by: me) }).won {
            unsafe flag.blockingWaitToAcquire(address(of: bias), for: type)
        }
    }

    /// Acquires the flag if no thread holds it and it isn't biased to another thread.
    @usableFromInline
    func tryAcquire() -> Held? {
        if bias.tryEnterByBias(.current, namesOwner: true) { return Held() }
        // acquire: as in `OwnerFlag.acquire()`.
        let me = ThreadState.current.token
        return flag.word.tryUpdate(from: .free, .acquire) { $0.acquiring(by: me) }.won ? Held() : nil
    }

    @inlinable @inline(__always)
    func release(_ held: consuming Held) {
        held.end()
        if bias.leaveByBias(.current, namesOwner: true) { releaseWithoutBias(Held()) }
    }

    @usableFromInline
    @inline(never)
    func releaseWithoutBias(_ held: consuming Held) {
        let thread = ThreadState.current
        bias.giveUpBias(thread, namesOwner: true)
        if BiasedWord.isPossible, let generation = unsafe history.pointee.next(for: thread) {
            let word = OwnerWord(bits: thread.token | BiasedWord.owned)
            // release: publishes this holder's writes. Pairs with the acquire in `acquire(for:)`.
            let given = flag.word.tryUpdate(from: word, .release) { _ in
                OwnerWord(bits: BiasedWord.bits(for: thread, generation))
            }
            if given.won { return held.end() }
            unsafe history.pointee.meet()
        }
        flag.release(held)
    }
}
