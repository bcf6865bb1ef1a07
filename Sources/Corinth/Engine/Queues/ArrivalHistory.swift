#if !NaiveLocks
    /// Whether the next element of a mailbox usually comes soon after the last one: within the time for which its drain may
    /// linger. Owned by the draining side.
    ///
    /// A score tells it. Elements that come soon raise it by 1, others lower it. A drain that lingers in vain lowers it by a
    /// penalty, which doubles each time. So where lingering can't succeed, as on one processor, it is tried ever more rarely.
    ///
    /// A drain that loses its processor while it lingers delays elements by a time slice, so lingering then stops for a
    /// ``Cooldown``. The kernel takes the processor from who spins, if there are more busy threads than processors.
    @usableFromInline
    struct ArrivalHistory: Equatable, Sendable {
        /// How many elements in a row have to come soon before a drain lingers for the first time.
        static var first: Int32 { 4 }

        /// The highest score.
        static var best: Int32 { 64 }

        /// How many elements that come soon make up for one that doesn't.
        static var loss: Int32 { 8 }

        /// The smallest and the largest penalty.
        static var penalties: ClosedRange<Int32> { 16...4096 }

        private var score = -ArrivalHistory.first
        private var penalty = ArrivalHistory.penalties.lowerBound
        private var interrupted = Cooldown()

        @usableFromInline
        init() {}

        /// Whether a drain should linger.
        @usableFromInline
        var isSoon: Bool { score >= 0 }

        /// Whether lingering has stopped for some time.
        @usableFromInline
        func isInterrupted(at now: UInt64) -> Bool { interrupted.isActive(at: now) }

        /// Looks whether a drain that lingers lost its processor between two looks at the clock.
        @usableFromInline
        mutating func check(from last: UInt64, to now: UInt64) {
            if Cooldown.isInterruption(from: last, to: now) { interrupted.begin(at: now) }
        }

        /// Counts an element for which no drain lingered.
        @usableFromInline
        mutating func arrive(isSoon: Bool) {
            if isSoon {
                score = min(score + 1, ArrivalHistory.best)
            } else {
                score = max(score - ArrivalHistory.loss, min(score, -ArrivalHistory.first))
            }
        }

        /// Counts an element that came while a drain lingered.
        @usableFromInline
        mutating func succeed() {
            if score == ArrivalHistory.best {
                penalty = ArrivalHistory.penalties.lowerBound
            } else {
                score += 1
            }
        }

        /// Counts a drain that lingered in vain.
        @usableFromInline
        mutating func fail() {
            score -= penalty
            penalty = min(2 * penalty, ArrivalHistory.penalties.upperBound)
        }
    }
#endif
