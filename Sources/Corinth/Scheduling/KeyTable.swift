/// Which scheduler of a pool has which keys: a slot for all keys whose hash ends alike, given out in turn.
///
/// Keys could be spread by their hash alone. But then two keys would be on the same of two schedulers as often as not; with
/// slots that are given out in turn, no scheduler has more than one slot more than another.
@safe
final class KeyTable: @unchecked Sendable {  // Access to the slots is atomic.
    /// How many slots there are. A power of 2.
    private static let size = 4096

    private var turnStorage: UInt64 = 0

    /// A word for each slot: 0, or a scheduler's index and 1.
    private let slots: UnsafeMutablePointer<UInt64>

    private let schedulers: UInt64

    init(schedulers: Int) {
        self.schedulers = UInt64(schedulers)
        unsafe slots = .allocate(capacity: KeyTable.size)
        unsafe slots.initialize(repeating: 0, count: KeyTable.size)
    }

    deinit {
        unsafe slots.deallocate()
    }

    private var turn: AtomicWord { AtomicWord(of: self) }

    /// The scheduler of a key with this hash: the same each time.
    func index(forHash hash: Int) -> Int {
        // The address is one of the slots', which live as long as this.
        let slot = unsafe AtomicWord(slots + (hash & (KeyTable.size - 1)))
        // relaxed: an index into what never changes.
        let seen = slot.load(.relaxed)
        return Int(seen == 0 ? assign(slot) : seen) - 1
    }

    @inline(never)
    private func assign(_ slot: AtomicWord) -> UInt64 {
        let mine = turn.fetchAdd(1, .relaxed) % schedulers + 1
        let result = slot.compareExchange(0, mine, .relaxed)
        return result.won ? mine : result.seen
    }
}
