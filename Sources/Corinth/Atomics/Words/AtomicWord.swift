public import CCorinth
public import Synchronization

/// The order of a load. `acquire` sees everything written before the release from which it reads.
@usableFromInline
enum LoadOrder: Sendable { case relaxed, acquire, sequential }

/// The order of a store. `release` publishes everything written before it.
@usableFromInline
enum StoreOrder: Sendable { case relaxed, release, sequential }

/// The order of a read-modify-write. A failed one only loads: `acquire` if the order acquires, otherwise `relaxed`.
@usableFromInline
enum UpdateOrder: Sendable { case relaxed, acquire, release, acquireRelease, sequential }

/// A 64-bit word with atomic operations. The only access to the hardware's atomics.
///
/// It lies where it is declared: in an object, in a global variable, or in memory that is bound to this type. It can't be copied,
/// so it has one address.
///
/// All lock-free code in Corinth uses this type. Orders are always explicit. In a build with the `Exploration` trait each
/// operation first calls the installed ``Explorer``. The explorer runs one thread at a time and chooses the next one. It can
/// weaken an operation to show that a test detects it.
@frozen
@usableFromInline
@safe struct AtomicWord: ~Copyable, Sendable {
    /// Its own operations aren't used: the explorer sees none of them.
    @usableFromInline let storage: Synchronization.Atomic<UInt64>

    @inlinable @inline(__always)
    init(_ value: UInt64 = 0) {
        storage = Synchronization.Atomic(value)
    }

    @inlinable
    var address: UnsafeMutablePointer<UInt64> {
        // Safe: an `Atomic` never moves, and its value lies at its address.
        @inline(__always)
        get {
            unsafe withUnsafePointer(to: storage) {
                unsafe UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0)).assumingMemoryBound(to: UInt64.self)
            }
        }
    }

    /// The word at an address where nothing else is.
    @inlinable @inline(__always)
    static func at(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<AtomicWord> {
        unsafe address.assumingMemoryBound(to: AtomicWord.self)
    }

    /// Prefetches the cache line from the core that wrote it last, while the caller continues. Affects speed only.
    @inlinable @inline(__always)
    func prefetch() { unsafe ccorinth_prefetch_for_write(address) }

    @inlinable @inline(__always)
    func load(_ order: LoadOrder, site: StaticString = #function) -> UInt64 {
        #if Exploration
            if case .stale(let older) = unsafe Explorer.before(.load(order), on: address, at: site) { return older }
        #endif
        return switch order {
        case .relaxed: unsafe ccorinth_load_relaxed(address)
        case .acquire: unsafe ccorinth_load_acquire(address)
        case .sequential: unsafe ccorinth_load_seq_cst(address)
        }
    }

    @inlinable @inline(__always)
    func store(_ value: UInt64, _ order: StoreOrder, site: StaticString = #function) {
        #if Exploration
            if unsafe Explorer.before(.store(order, value: value), on: address, at: site) == .done { return }
        #endif
        switch order {
        case .relaxed: unsafe ccorinth_store_relaxed(address, value)
        case .release: unsafe ccorinth_store_release(address, value)
        case .sequential: unsafe ccorinth_store_seq_cst(address, value)
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
        case .relaxed: unsafe ccorinth_exchange_relaxed(address, value)
        case .acquire: unsafe ccorinth_exchange_acquire(address, value)
        case .release: unsafe ccorinth_exchange_release(address, value)
        case .acquireRelease: unsafe ccorinth_exchange_acq_rel(address, value)
        case .sequential: unsafe ccorinth_exchange_seq_cst(address, value)
        }
    }

    /// Adds `value`, wrapping around, and returns the old value.
    @inlinable @inline(__always)
    @discardableResult
    func fetchAdd(_ value: UInt64, _ order: UpdateOrder, site: StaticString = #function) -> UInt64 {
        #if Exploration
            if case .stale(let current) = unsafe Explorer.before(.update(order), on: address, at: site) {
                return current
            }
        #endif
        return switch order {
        case .relaxed: unsafe ccorinth_fetch_add_relaxed(address, value)
        case .acquire: unsafe ccorinth_fetch_add_acquire(address, value)
        case .release: unsafe ccorinth_fetch_add_release(address, value)
        case .acquireRelease: unsafe ccorinth_fetch_add_acq_rel(address, value)
        case .sequential: unsafe ccorinth_fetch_add_seq_cst(address, value)
        }
    }

    /// Subtracts `value`, wrapping around, and returns the old value.
    @inlinable @inline(__always)
    @discardableResult
    func fetchSubtract(_ value: UInt64, _ order: UpdateOrder, site: StaticString = #function) -> UInt64 {
        fetchAdd(0 &- value, order, site: site)
    }

    /// Replaces `expected` with `desired`, if the word equals `expected`. Never fails spuriously.
    @inlinable @inline(__always)
    func compareExchange(
        _ expected: UInt64, _ desired: UInt64, _ order: UpdateOrder, site: StaticString = #function
    ) -> (won: Bool, seen: UInt64) {
        #if Exploration
            let verdict = unsafe Explorer.before(
                .compareExchange(order, expected: expected), on: address, at: site)
            switch verdict {
            case .storeInstead:
                unsafe ccorinth_store_relaxed(address, desired)
                return (true, expected)
            case .stale(let older): return (false, older)
            case .proceed, .done: break
            }
        #endif
        let result =
            switch order {
            case .relaxed: unsafe ccorinth_compare_exchange_relaxed(address, expected, desired)
            case .acquire: unsafe ccorinth_compare_exchange_acquire(address, expected, desired)
            case .release: unsafe ccorinth_compare_exchange_release(address, expected, desired)
            case .acquireRelease: unsafe ccorinth_compare_exchange_acq_rel(address, expected, desired)
            case .sequential: unsafe ccorinth_compare_exchange_seq_cst(address, expected, desired)
            }
        return (result.won, result.seen)
    }

    /// Replaces the word with the result of `transition`. This is the compare-exchange loop of every state machine.
    ///
    /// - Parameters:
    ///   - order: The order of the successful exchange.
    ///   - reading: The order of the first load. A failed exchange reads with the order that the exchange implies.
    ///   - transition: Returns the next state of the current one; nil leaves the word unchanged. Runs again if another thread
    ///     has changed the word.
    /// - Returns: The old state, and the new state; nil if the word was left unchanged.
    @inlinable @inline(__always)
    @discardableResult
    func update<State: WordState>(
        _ order: UpdateOrder, reading: LoadOrder = .relaxed, site: StaticString = #function,
        _ transition: (State) -> State?
    ) -> (old: State, new: State?) {
        var seen = State(bits: load(reading, site: site))
        while let next = transition(seen) {
            let result = compareExchange(seen.bits, next.bits, order, site: site)
            if result.won { return (seen, next) }
            seen = State(bits: result.seen)
        }
        return (seen, nil)
    }

    /// Sleeps while the low 32 bits are `expected`. Spurious wake-ups occur: check and wait again.
    func blockingWait(while expected: UInt32, site: StaticString = #function) {
        #if Exploration
            if unsafe Explorer.before(.wait(expected), on: address, at: site) == .done { return }
        #endif
        unsafe ccorinth_blocking_wait(address, expected)
    }

    /// The same, until the monotonic clock shows `deadline`, in nanoseconds; nil for no deadline.
    func blockingWait(while expected: UInt32, untilMonotonic deadline: UInt64?, site: StaticString = #function) {
        guard let deadline else {
            blockingWait(while: expected, site: site)
            return
        }
        #if Exploration
            if unsafe Explorer.before(.wait(expected), on: address, at: site) == .done { return }
        #endif
        unsafe ccorinth_blocking_wait_until_monotonic(address, expected, deadline)
    }

    /// One iteration of a polling loop: sleeps for up to `nanoseconds`, while the low 32 bits are `expected`. No thread has to
    /// wake the caller.
    func poll(while expected: UInt32, for nanoseconds: UInt64, site: StaticString = #function) {
        #if Exploration
            // Like an iteration of a spin loop.
            if unsafe Explorer.before(.spin, on: address, at: site) == .done { return }
        #endif
        unsafe ccorinth_blocking_wait_until_monotonic(address, expected, MonotonicTime.now + nanoseconds)
    }

    /// Wakes up to `count` threads that sleep on this word.
    @usableFromInline
    func wake(_ count: UInt32 = .max, site: StaticString = #function) {
        #if Exploration
            if unsafe Explorer.before(.wake(count), on: address, at: site) == .done { return }
        #endif
        unsafe ccorinth_wake(address, count)
    }

    /// One iteration of a spin loop on this word: a processor pause at first, later it yields the time slice.
    func spin(iteration: Int, site: StaticString = #function) {
        #if Exploration
            if unsafe Explorer.before(.spin, on: address, at: site) == .done { return }
        #endif
        if iteration < 64 { ccorinth_pause() } else { ccorinth_yield() }
    }
}

/// The address of something that lies where it was declared, because it has an ``AtomicWord``.
@inlinable @inline(__always)
func address<Value: ~Copyable>(of value: borrowing Value) -> UnsafePointer<Value> {
    unsafe withUnsafePointer(to: value) { unsafe $0 }
}

/// A state that fits a word. Its functions are the transitions: they access no memory, and tests enumerate them.
@usableFromInline
protocol WordState {
    init(bits: UInt64)
    var bits: UInt64 { get }
}

extension UInt64: WordState {
    @inlinable @inline(__always)
    init(bits: UInt64) { self = bits }

    @inlinable
    var bits: UInt64 {
        @inline(__always)
        get { self }
    }
}

/// Marks accesses to plain memory that one thread hands to another. Empty in a normal build. In an exploring build, the
/// explorer checks that each access happens after the previous one.
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
