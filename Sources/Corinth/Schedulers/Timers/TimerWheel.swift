/// Waiting entries. Adding and removing one are O(1) in their number.
///
/// A hierarchical timing wheel (George Varghese, Tony Lauck: *Hashed and Hierarchical Timing Wheels*, SOSP 1987, scheme 7). A
/// deadline is a number of 11 digits of 6 bits each. An entry lies in the slot of the highest digit in which its deadline
/// differs from the wheel's start, so each slot of a level comes after all levels below it. When a slot's time comes, its
/// entries move down to their next differing digit. On the lowest level a slot is one nanosecond, and entries lie in the
/// order of insertion. So entries come out in the order of their deadlines, to the nanosecond, and equal deadlines in the
/// order of insertion.
///
/// Each slot knows the earliest deadline that it has held, so no thread wakes only to move entries.
///
/// Time never goes back.
@safe
struct TimerWheel: ~Copyable {
    /// The result of one step.
    enum Step {
        /// Nothing is due.
        case idle
        /// An entry was moved down, or is about to be.
        case moved
        /// This entry is due, and has been removed from the wheel.
        case due(TimerEntry)
    }

    @safe private struct Slot {
        var entries = IntrusiveList<TimerEntry>()

        /// A lower bound of the deadlines. It is exact until the earliest entry is removed.
        var earliest: UInt64 = .max
    }

    private static let levelCount = 11

    /// By level, then by digit.
    private var slots = ContiguousArray(repeating: Slot(), count: levelCount * 64)

    /// For each level, a bit for each slot that isn't empty.
    private var occupied = ContiguousArray<UInt64>(repeating: 0, count: levelCount)

    /// A bit for each level that isn't empty.
    private var occupiedLevels: UInt64 = 0

    /// No deadline in the wheel is earlier; an earlier deadline counts as this one.
    private(set) var start: TimePoint

    /// The slot whose entries are being moved down. Never empty.
    private var moving: Int?

    /// How many entries the wheel has.
    private(set) var count = 0

    init(start: TimePoint) {
        self.start = start
    }

    deinit {
        for slot in slots {
            var entries = slot.entries
            while let entry = unsafe entries.first?.takeUnretainedValue() {
                entry.slot = -1
                unsafe entries.remove(entry).release()
                entry.drop()
            }
        }
    }

    /// When an entry is or may be due: never later than the first deadline. Earlier only if the first entry was removed.
    var earliest: TimePoint? {
        guard let slot = firstSlot else { return nil }
        return moving == nil ? TimePoint(nanoseconds: slots[slot].earliest) : start
    }

    /// Adds an entry, which must not be in a wheel.
    mutating func insert(_ entry: TimerEntry) {
        assert(entry.slot < 0, "the entry is in the wheel already")
        count += 1
        let key = max(entry.deadline, start).nanoseconds
        var slot = slot(of: key)
        // An entry for a slot that is being emptied is appended to that slot and moved down later.
        if let moving, slot < moving, isInRange(key, of: moving) { slot = moving }
        unsafe append(.passRetained(entry), key, to: slot)
    }

    /// Removes an entry, if it is in the wheel. The caller retains it.
    mutating func remove(_ entry: TimerEntry) {
        guard entry.slot >= 0 else { return }
        unsafe unlink(entry).release()
        count -= 1
    }

    /// Removes the next due entry, or does a part of the work before that.
    mutating func step(until now: TimePoint) -> Step {
        if let moving {
            moveDown(from: moving)
            return .moved
        }
        guard let slot = firstSlot, slots[slot].earliest <= now.nanoseconds, let first = first(of: slot) else {
            return .idle
        }
        let isAlone = unsafe first.neighbours.next == nil
        if isAlone, first.deadline > now {
            // The earliest entry was removed.
            slots[slot].earliest = max(first.deadline, start).nanoseconds
            return .idle
        }
        if slot < 64 || isAlone {
            count -= 1
            return unsafe .due(unlink(first).takeRetainedValue())
        }
        // Every entry of the slot is at or after its earliest deadline, and every other entry is after the slot.
        start = TimePoint(nanoseconds: slots[slot].earliest)
        moving = slot
        return .moved
    }

    // MARK: Slots

    /// The slot of the earliest entries.
    private var firstSlot: Int? {
        guard occupiedLevels != 0 else { return nil }
        let level = occupiedLevels.trailingZeroBitCount
        return level << 6 | occupied[level].trailingZeroBitCount
    }

    private func first(of slot: Int) -> TimerEntry? { unsafe slots[slot].entries.first?.takeUnretainedValue() }

    private func slot(of key: UInt64) -> Int {
        let differing = key ^ start.nanoseconds
        let level = (63 - (differing | 1).leadingZeroBitCount) / 6
        return level << 6 | Int(truncatingIfNeeded: key >> UInt64(6 * level)) & 63
    }

    /// Whether a deadline belongs to the slot that contains the start.
    private func isInRange(_ key: UInt64, of slot: Int) -> Bool {
        (key ^ start.nanoseconds) >> UInt64(6 * (slot >> 6)) == 0
    }

    /// Moves the first entry of a slot down.
    private mutating func moveDown(from slot: Int) {
        if let first = first(of: slot) { unsafe place(unlink(first)) }
    }

    /// Appends an entry to its slot.
    private mutating func place(_ entry: Unmanaged<TimerEntry>) {
        let key = unsafe max(entry._withUnsafeGuaranteedRef { $0.deadline }, start).nanoseconds
        unsafe append(entry, key, to: slot(of: key))
    }

    private mutating func append(_ entry: Unmanaged<TimerEntry>, _ key: UInt64, to slot: Int) {
        unsafe entry._withUnsafeGuaranteedRef { $0.slot = Int32(truncatingIfNeeded: slot) }
        if slots[slot].entries.isEmpty {
            occupied[slot >> 6] |= 1 << UInt64(slot & 63)
            occupiedLevels |= 1 << UInt64(slot >> 6)
        }
        unsafe slots[slot].entries.append(entry)
        slots[slot].earliest = min(slots[slot].earliest, key)
    }

    /// Removes an entry from its slot, and returns the wheel's reference to it.
    private mutating func unlink(_ entry: TimerEntry) -> Unmanaged<TimerEntry> {
        let slot = Int(entry.slot)
        entry.slot = -1
        let removed = unsafe slots[slot].entries.remove(entry)
        if slots[slot].entries.isEmpty { becameEmpty(slot) }
        return unsafe removed
    }

    private mutating func becameEmpty(_ slot: Int) {
        slots[slot].earliest = .max
        occupied[slot >> 6] &= ~(1 << UInt64(slot & 63))
        if occupied[slot >> 6] == 0 { occupiedLevels &= ~(1 << UInt64(slot >> 6)) }
        if moving == slot { moving = nil }
    }
}
