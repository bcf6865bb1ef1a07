/// Maps keys to the schedulers of a pool. Keys whose hashes have the same low bits share a slot. Slots are assigned
/// round-robin.
///
/// Keys could be distributed by their hash alone. Then two keys would often share one of two schedulers. With round-robin
/// assignment, the slot counts of two schedulers differ by at most one.
@safe
final class KeyTable: @unchecked Sendable {  // The slots are atomic.
    /// The number of slots. A power of 2.
    private static let size = 4096

    private let assignments = AtomicWord()

    /// One ``KeySlot`` each.
    private let slots: UnsafeMutablePointer<AtomicState<KeySlot>>

    private let schedulers: UInt64

    init(schedulers: Int) {
        self.schedulers = UInt64(schedulers)
        unsafe slots = .allocate(capacity: KeyTable.size)
        for index in 0..<KeyTable.size { unsafe (slots + index).initialize(to: AtomicState(.free)) }
    }

    deinit {
        unsafe slots.deallocate()
    }

    /// The scheduler of keys with this hash. Always the same.
    func index(forHash hash: Int) -> Int {
        // Safe: the address is that of a slot, and the slots live as long as this object.
        unsafe index(of: slots[hash & (KeyTable.size - 1)])
    }

    // relaxed: an index into an immutable array.
    private func index(of slot: borrowing AtomicState<KeySlot>) -> Int { slot.load(.relaxed).index ?? assign(slot) }

    @inline(never)
    private func assign(_ slot: borrowing AtomicState<KeySlot>) -> Int {
        let mine = Int(assignments.fetchAdd(1, .relaxed) % schedulers)
        return slot.tryUpdate(from: .free, .relaxed) { $0.assigning(to: mine) }.seen.index ?? mine
    }
}

/// The scheduler of all keys of one slot: 0, or its index plus 1. Once assigned, it never changes.
struct KeySlot: WordState, Equatable, Sendable {
    let bits: UInt64

    static var free: KeySlot { KeySlot(bits: 0) }

    /// The scheduler's index; nil while the slot is free.
    var index: Int? { self == .free ? nil : Int(bits - 1) }

    /// The slot after it is assigned to a scheduler; nil if it was already assigned.
    func assigning(to index: Int) -> KeySlot? { self == .free ? KeySlot(bits: UInt64(index) + 1) : nil }
}
