public import Foundation

/// The time of a scheduler as if nobody ever set its clock: for operators that note when something came, and look at the time
/// again later.
///
/// What was scheduled for a date comes after the time that was left when it was scheduled, whatever the clock says then. So two
/// things show that the clock was set: it shows less than it did, or than it must when a timer has fired; or the time of a
/// timer that hasn't fired is over by more than ``limit``. From then on it is the time of that timer, later than which it can
/// hardly be, until the timer fires. Then that is what time it is, and the clock is corrected. So what is noted meanwhile waits
/// longer than it should, by the time that was left; nothing waits shorter, unless the clock is put forward by less
/// than the limit.
///
/// With a clock that nobody sets, it is the clock's time.
@frozen
@usableFromInline
struct SteadyClock {
    /// How late a timer may be, in seconds, before it counts as a clock that was put forward.
    @inlinable
    static var limit: TimeInterval { 60 }

    @usableFromInline let scheduler: any DateScheduler

    /// What is added to the clock's time, in seconds.
    @usableFromInline var correction: TimeInterval = 0

    /// The latest time that was seen.
    @usableFromInline var latest = Date.distantPast

    /// When the timer that waits is to fire.
    @usableFromInline var timer: Date?

    /// Whether the clock was found to have been set while that timer waits.
    @usableFromInline var hasJumped = false

    /// How often the clock was found to have been put back, and how often when the timer was set.
    @usableFromInline var setBackCount: UInt64 = 0
    @usableFromInline var timerSetBackCount: UInt64 = 0

    @inlinable
    init(_ scheduler: any DateScheduler) {
        self.scheduler = scheduler
    }

    /// The time. Never earlier than before.
    @inlinable
    mutating func now() -> Date {
        if hasJumped { return latest }
        let date = scheduler.currentDate.addingTimeInterval(correction)
        if isPossible(date) { latest = date } else { correct(date, to: timer ?? latest) }
        return latest
    }

    /// Whether it may be this time, as far as is known.
    @inlinable
    func isPossible(_ date: Date) -> Bool {
        guard let timer else { return date >= latest }
        return date >= latest && date <= timer.addingTimeInterval(SteadyClock.limit)
    }

    /// Makes it a time, or the latest that was seen.
    @usableFromInline
    mutating func correct(_ date: Date, to time: Date) {
        if date < latest { setBackCount &+= 1 }
        // A timer may be for a time that never comes.
        if time < .distantFuture { latest = max(latest, time) }
        correction += latest.timeIntervalSince(date)
        hasJumped = timer != nil
    }

    /// Whether the timer that waits has been set since the clock was put back: on a scheduler that goes by the clock, it is
    /// late otherwise.
    @inlinable
    var isTimerRight: Bool { timerSetBackCount == setBackCount }

    /// Notes when a timer is to fire, instead of the one that waited.
    ///
    /// - Returns: The time by the scheduler's clock.
    @inlinable
    mutating func setTimer(_ date: Date) -> Date {
        timer = date
        hasJumped = false
        timerSetBackCount = setBackCount
        return date.addingTimeInterval(-correction)
    }

    /// Notes that the timer has fired.
    @inlinable
    mutating func timerFired() {
        guard let time = timer else { return }
        let date = scheduler.currentDate.addingTimeInterval(correction)
        let isRight = !hasJumped && date >= time && isPossible(date)
        timer = nil
        hasJumped = false
        if isRight { latest = date } else { correct(date, to: time) }
    }
}
