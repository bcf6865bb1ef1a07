public import CCorinth

/// What a load promises: `acquire` sees everything that was written before the release that it reads from.
@usableFromInline
enum LoadOrder: Sendable { case relaxed, acquire, sequential }

/// What a store promises: `release` publishes everything that was written before it.
@usableFromInline
enum StoreOrder: Sendable { case relaxed, release, sequential }

/// What a read-modify-write promises. One that fails only loads: `acquire` where the order acquires, else `relaxed`.
@usableFromInline
enum UpdateOrder: Sendable { case relaxed, acquire, release, acquireRelease, sequential }

/// The one door to the hardware's atomics: a 64-bit word somewhere in raw memory.
///
/// Everything lock-free in Corinth is written against this type. Orders are always spelled out. In a build with the
/// `Exploration` trait each operation first asks the installed ``Explorer``, which runs one thread at a time, decides
/// who is next, and can weaken an operation in order to show that a test would notice.
@frozen
@usableFromInline
@safe struct AtomicWord: @unchecked Sendable {  // A word is shared by design; each access to it is atomic.
    @usableFromInline let address: UnsafeMutablePointer<UInt64>

    @inlinable @inline(__always)
    init(_ address: UnsafeMutablePointer<UInt64>) {
        unsafe self.address = unsafe address
    }

    /// The word at `offset` bytes into the stored properties of `object`, which must declare it there and never touch
    /// it otherwise. The address holds as long as the object lives.
    @inlinable @inline(__always)
    init(of object: AnyObject, at offset: Int = 0) {
        // An object's stored properties don't move, and start after its header in every supported ABI.
        let properties = unsafe _getUnsafePointerToStoredProperties(object)
        unsafe self.address = (properties + offset).assumingMemoryBound(to: UInt64.self)
    }

    /// Has the processor fetch the cache line, from whichever core wrote to it last, while the caller goes on. Nothing but a
    /// matter of speed.
    @inlinable @inline(__always)
    func prefetch() { unsafe corinth_prefetch_for_write(address) }

    @inlinable @inline(__always)
    func load(_ order: LoadOrder, site: StaticString = #function) -> UInt64 {
        #if Exploration
            if case .stale(let older) = unsafe Explorer.before(.load(order), on: address, at: site) { return older }
        #endif
        return switch order {
        case .relaxed: unsafe corinth_load_relaxed(address)
        case .acquire: unsafe corinth_load_acquire(address)
        case .sequential: unsafe corinth_load_seq_cst(address)
        }
    }

    @inlinable @inline(__always)
    func store(_ value: UInt64, _ order: StoreOrder, site: StaticString = #function) {
        #if Exploration
            if unsafe Explorer.before(.store(order), on: address, at: site) == .done { return }
        #endif
        switch order {
        case .relaxed: unsafe corinth_store_relaxed(address, value)
        case .release: unsafe corinth_store_release(address, value)
        case .sequential: unsafe corinth_store_seq_cst(address, value)
        }
    }

    @inlinable @inline(__always)
    func exchange(_ value: UInt64, _ order: UpdateOrder, site: StaticString = #function) -> UInt64 {
        #if Exploration
            if case .stale(let current) = unsafe Explorer.before(.update(order), on: address, at: site) {
                return current
            }
        #endif
        return switch order {
        case .relaxed: unsafe corinth_exchange_relaxed(address, value)
        case .acquire: unsafe corinth_exchange_acquire(address, value)
        case .release: unsafe corinth_exchange_release(address, value)
        case .acquireRelease: unsafe corinth_exchange_acq_rel(address, value)
        case .sequential: unsafe corinth_exchange_seq_cst(address, value)
        }
    }

    /// Adds `value`, wrapping around, and returns what was there before.
    @inlinable @inline(__always)
    @discardableResult
    func fetchAdd(_ value: UInt64, _ order: UpdateOrder, site: StaticString = #function) -> UInt64 {
        #if Exploration
            if case .stale(let current) = unsafe Explorer.before(.update(order), on: address, at: site) {
                return current
            }
        #endif
        return switch order {
        case .relaxed: unsafe corinth_fetch_add_relaxed(address, value)
        case .acquire: unsafe corinth_fetch_add_acquire(address, value)
        case .release: unsafe corinth_fetch_add_release(address, value)
        case .acquireRelease: unsafe corinth_fetch_add_acq_rel(address, value)
        case .sequential: unsafe corinth_fetch_add_seq_cst(address, value)
        }
    }

    /// Subtracts `value`, wrapping around, and returns what was there before.
    @inlinable @inline(__always)
    @discardableResult
    func fetchSubtract(_ value: UInt64, _ order: UpdateOrder, site: StaticString = #function) -> UInt64 {
        fetchAdd(0 &- value, order, site: site)
    }

    /// Replaces `expected` by `desired`, if it is `expected` that is there. Never fails spuriously.
    @inlinable @inline(__always)
    func compareExchange(
        _ expected: UInt64, _ desired: UInt64, _ order: UpdateOrder, site: StaticString = #function
    ) -> (won: Bool, seen: UInt64) {
        #if Exploration
            let verdict = unsafe Explorer.before(
                .compareExchange(order, expected: expected), on: address, at: site)
            switch verdict {
            case .storeInstead:
                unsafe corinth_store_relaxed(address, desired)
                return (true, expected)
            case .stale(let older): return (false, older)
            case .proceed, .done: break
            }
        #endif
        let result =
            switch order {
            case .relaxed: unsafe corinth_compare_exchange_relaxed(address, expected, desired)
            case .acquire: unsafe corinth_compare_exchange_acquire(address, expected, desired)
            case .release: unsafe corinth_compare_exchange_release(address, expected, desired)
            case .acquireRelease: unsafe corinth_compare_exchange_acq_rel(address, expected, desired)
            case .sequential: unsafe corinth_compare_exchange_seq_cst(address, expected, desired)
            }
        return (result.won, result.seen)
    }

    /// Sleeps while the low 32 bits are `expected`. Wakes up for no reason, too: check and wait again.
    func blockingWait(while expected: UInt32, site: StaticString = #function) {
        #if Exploration
            if unsafe Explorer.before(.wait(expected), on: address, at: site) == .done { return }
        #endif
        unsafe corinth_blocking_wait(address, expected)
    }

    /// The same, until the monotonic clock shows `deadline`, in nanoseconds; nil if no time ends it.
    func blockingWait(while expected: UInt32, untilMonotonic deadline: UInt64?, site: StaticString = #function) {
        guard let deadline else {
            blockingWait(while: expected, site: site)
            return
        }
        #if Exploration
            if unsafe Explorer.before(.wait(expected), on: address, at: site) == .done { return }
        #endif
        unsafe corinth_blocking_wait_until_monotonic(address, expected, deadline)
    }

    /// Wakes up to `count` threads that sleep on this word.
    @usableFromInline
    func wake(_ count: UInt32 = .max, site: StaticString = #function) {
        #if Exploration
            if unsafe Explorer.before(.wake(count), on: address, at: site) == .done { return }
        #endif
        unsafe corinth_wake(address, count)
    }

    /// One turn of a spin loop on this word: a processor pause at first, then the rest of the time slice.
    func spin(turn: Int, site: StaticString = #function) {
        #if Exploration
            if unsafe Explorer.before(.spin, on: address, at: site) == .done { return }
        #endif
        if turn < 64 { corinth_pause() } else { corinth_yield() }
    }
}

/// Plain memory that one thread hands to another. Nothing in a normal build; in an exploring one, the explorer checks
/// that each access happens after the one before it.
@frozen
@usableFromInline
enum PlainAccess {
    @inlinable @inline(__always)
    static func read(_ object: AnyObject) {
        #if Exploration
            Explorer.plain(object, isWrite: false)
        #endif
    }

    @inlinable @inline(__always)
    static func write(_ object: AnyObject) {
        #if Exploration
            Explorer.plain(object, isWrite: true)
        #endif
    }
}
