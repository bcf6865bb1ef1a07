/// How many entries a composite has, and at which number it is swept.
///
/// A sweep passes each entry once. It comes when the number has doubled since the last one, so an addition costs at most two steps,
/// and at most as many ended entries stay as there are others, and 32.
struct CompositePopulation: Equatable, Sendable {
    /// The number at which the first sweep comes.
    static var least: UInt32 {
        #if Exploration
            UInt32(Explorer.limit(.sweeping, usually: 32))
        #else
            32
        #endif
    }

    private(set) var count: UInt32 = 0

    /// At which number the next sweep comes, if it isn't below ``least``.
    private(set) var limit: UInt32 = 0

    /// Counts an added entry. Returns whether a sweep is due, which the caller makes: there is no other one until ``endSweep()``.
    mutating func add() -> Bool {
        count += 1
        if count < limit || count < CompositePopulation.least { return false }
        limit = .max
        return true
    }

    mutating func remove() { count -= 1 }

    mutating func endSweep() { limit = UInt32(clamping: UInt64(count) * 2) }
}
