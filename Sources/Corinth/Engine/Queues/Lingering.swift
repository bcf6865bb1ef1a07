#if !NaiveLocks
    import CCorinth

    /// How a run of a drain has lingered so far.
    @frozen
    @usableFromInline
    struct Lingering {
        /// From which limit on a drain may linger a few times without looking at the clock. In nanoseconds; about twice the time
        /// that these take.
        static var short: UInt64 { 10_000 }

        /// When other work of the scheduler must have its turn. In nanoseconds; 0 if the run hasn't lingered.
        fileprivate var deadline: UInt64 = 0

        /// How often it may linger for a short time, without a look at the clock.
        fileprivate var shortLimit = 0

        @usableFromInline
        init() {}
    }

    /// What a drain finds that has delivered everything.
    @frozen
    @usableFromInline
    enum Waiting {
        /// It goes on: there is an element.
        case arrived
        /// It goes on, and more elements come: there was one at once.
        case arrivedAtOnce
        /// It ends. It has come to rest, so that the next post schedules another one, or it goes on after other work of the
        /// scheduler has had its turn.
        case ends
    }

    extension OrderedDrain {
        /// Lingers for the next element.
        ///
        /// A run that has delivered nothing doesn't yield. Otherwise two drains of one scheduler would yield to each other for
        /// ever.
        ///
        /// - Parameters:
        ///   - arrivals: Says that it usually comes soon.
        ///   - counts: Count the elements.
        ///   - delivered: How many elements were ever delivered, and how many of them by this run.
        ///   - run: The number of the run.
        /// - Returns: nil if the drain must come to rest, which is one more look: an element may have come since the last one,
        ///   and then what must come behind it, for which the drain would have to end. See ``yields(_:)``.
        @usableFromInline
        final func linger(
            _ lingering: inout Lingering, with arrivals: inout ArrivalHistory, until counts: PermitStateAddress,
            exceed delivered: (ever: UInt64, byRun: UInt64), in run: UInt64
        ) -> Waiting? {
            if hasWaitingWork { return delivered.byRun > 0 && yields(run) ? .ends : nil }
            // Looking at the clock takes as long as some elements take to come.
            if lingering.shortLimit > 0, let polls = poll(counts, 16, delivered.ever) {
                lingering.shortLimit -= 1
                arrivals.succeed()
                return polls < 2 ? .arrivedAtOnce : .arrived
            }
            let began = MonotonicTime.now
            if arrivals.isInterrupted(at: began) { return nil }
            let isFirst = lingering.deadline == 0
            if isFirst {
                // Less the time that it may linger without looking at the clock.
                let margin = lingerLimit < Lingering.short ? 0 : Lingering.short / 2
                lingering.deadline = began &+ lingerLimit &- margin
            }
            if lingerLimit >= Lingering.short { lingering.shortLimit = 6 }
            var last = began
            while true {
                let hasArrived = poll(counts, 8, delivered.ever) != nil
                let now = MonotonicTime.now
                arrivals.check(from: last, to: now)
                last = now
                if hasArrived {
                    arrivals.succeed()
                    return .arrived
                }
                let isInterrupted = hasWaitingWork
                if !isInterrupted, now < lingering.deadline { continue }
                if !isInterrupted, isFirst {
                    arrivals.fail()
                    return nil
                }
                // If it isn't the first time, it has lingered for a part of the time only.
                return delivered.byRun > 0 && yields(run) ? .ends : nil
            }
        }

        /// Whether the scheduler knows of other work. The call retains the scheduler, so it is made only where it may say so.
        private var hasWaitingWork: Bool { knowsWaitingWork && scheduler.hasWaitingWork }

        /// Looks up to `limit` times for an element.
        ///
        /// - Returns: How often it looked in vain before it found one; nil if there is none.
        private func poll(_ counts: PermitStateAddress, _ limit: Int, _ delivered: UInt64) -> Int? {
            for count in 0..<limit {
                // relaxed: the drain looks again.
                if counts.pointee.used.load(.relaxed) != delivered { return count }
                ccorinth_pause()
            }
            return nil
        }
    }
#endif
