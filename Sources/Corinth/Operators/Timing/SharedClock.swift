public import CorinthEssentials

/// A ``SteadyClock`` without a timer that any thread may read.
@usableFromInline
final class SharedClock: Sendable {
    @usableFromInline let scheduler: any DateScheduler
    @usableFromInline let clock: Guarded<SteadyClock>

    @inlinable
    init(_ scheduler: any DateScheduler) {
        self.scheduler = scheduler
        clock = Guarded(SteadyClock(scheduler))
    }

    /// The time. It never decreases.
    @inlinable
    func now() -> Date {
        let seen = clock.hold { $0.latest }
        // Not while the flag is held, because a scheduler's clock may be user code.
        let reading = scheduler.currentDate
        return clock.hold { clock in
            // If another thread has seen a later time meanwhile, an earlier reading doesn't show that the clock was set back.
            if clock.latest != seen, reading.addingTimeInterval(clock.correction) < clock.latest { return clock.latest }
            return clock.now(reading: reading)
        }
    }
}
