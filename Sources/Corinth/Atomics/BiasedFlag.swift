/// An ``OwnerFlag`` that is biased to the thread that uses it most: that one acquires and releases it without a locked
/// instruction. See ``BiasedWord``.
@frozen
@usableFromInline
@safe struct BiasedFlag {
    /// The stored property of the object that has the flag.
    @frozen
    @usableFromInline
    struct Storage {
        @usableFromInline var word: UInt64 = 0
        @usableFromInline var inside: UInt64 = 0
        var history = BiasHistory()

        @usableFromInline
        init() {}
    }

    @usableFromInline let flag: OwnerFlag
    @usableFromInline let bias: BiasedWord

    /// Owned by the holder.
    @usableFromInline let history: UnsafeMutablePointer<BiasHistory>

    /// The flag at `offset` in the stored properties of `object`.
    @inlinable @inline(__always)
    init(of object: AnyObject, at offset: Int) {
        flag = OwnerFlag(of: object, at: offset)
        bias = BiasedWord(flag.word.word, inside: AtomicBytes(of: object, at: offset + 8), namesOwner: true)
        unsafe history = (_getUnsafePointerToStoredProperties(object) + offset + 16).assumingMemoryBound(
            to: BiasHistory.self)
    }

    /// Whether the flag is in `field`. See ``AtomicWord/isStored(in:)``.
    @inlinable
    func isStored(in field: inout Storage) -> Bool {
        flag.word.isStored(in: &field.word) && bias.inside.isStored(in: &field.inside)
    }

    /// Acquires the flag. It may be held while user code runs.
    ///
    /// - Parameter type: What the flag guards, for the message of ``DeadlockCheck``. Evaluated in debug builds only, when the
    ///   flag isn't free.
    @inlinable @inline(__always)
    func acquire(for type: @autoclosure () -> Any.Type) {
        if bias.tryEnterByBias(.current) { return }
        // acquire: as in `OwnerFlag.acquire()`.
        let me = ThreadState.current.token
        if !flag.word.tryUpdate(from: .free, .acquire, site: "acquire()", { $0.acquiring(by: me) }).won {
            assert(ThreadState.current.note(awaited: type()))
            flag.blockingWaitToAcquire(bias)
        }
    }

    /// Acquires the flag if no thread holds it and it isn't biased to another thread.
    @usableFromInline
    func tryAcquire() -> Bool {
        if bias.tryEnterByBias(.current) { return true }
        // acquire: as in `OwnerFlag.acquire()`.
        let me = ThreadState.current.token
        return flag.word.tryUpdate(from: .free, .acquire) { $0.acquiring(by: me) }.won
    }

    @inlinable @inline(__always)
    func release() {
        if bias.leaveByBias(.current) { releaseWithoutBias() }
    }

    @usableFromInline
    @inline(never)
    func releaseWithoutBias() {
        let thread = ThreadState.current
        bias.giveUpBias(thread)
        if BiasedWord.isPossible, let generation = unsafe history.pointee.next(for: thread) {
            let held = OwnerWord(bits: thread.token | BiasedWord.owned)
            // release: publishes this holder's writes. Pairs with the acquire in `acquire(for:)`.
            let given = flag.word.tryUpdate(from: held, .release) { _ in
                OwnerWord(bits: BiasedWord.bits(for: thread, generation))
            }
            if given.won { return }
            unsafe history.pointee.meet()
        }
        flag.release()
    }
}
