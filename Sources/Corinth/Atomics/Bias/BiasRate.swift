/// Limits how often biases are taken from new words.
///
/// A heavy barrier interrupts every processor that runs a thread of the process. If a program makes many signals on one thread
/// and uses them on others, each would be biased to its first thread and cost one heavy barrier. So if more than ``limit``
/// first biases are taken in an eighth of a second, words get their first bias like a later one, until that time is over: for
/// a thread that has used them often.
enum BiasRate {
    static let limit: UInt64 = 1_000

    /// How many first biases were taken in a period, and the number of the period.
    private static let taken = AtomicState(Taken(0, in: 0))

    ///      63 … 20   19 … 0
    ///     | period | count |
    struct Taken: WordState {
        let bits: UInt64

        init(bits: UInt64) { self.bits = bits }

        init(_ count: UInt64, in period: UInt64) { bits = period << 20 | count }

        var count: UInt64 { bits & 0xF_FFFF }
        var period: UInt64 { bits >> 20 }

        /// After one more was taken. More than the limit isn't counted.
        func counted(in period: UInt64) -> Taken {
            Taken(period == self.period ? min(count + 1, BiasRate.limit) : 1, in: period)
        }
    }

    /// Periods of 134 ms.
    private static var period: UInt64 { MonotonicTime.now >> 27 }

    /// Counts a first bias that is taken.
    static func countTaken() {
        // relaxed: a hint.
        taken.update(.relaxed) { $0.counted(in: period) }
    }

    /// Whether words get their first bias at once.
    static var isLow: Bool {
        // relaxed: a hint.
        let seen = taken.load(.relaxed)
        return seen.count < limit || seen.period != period
    }
}
