public import CorinthEssentials

/// A scheduler's time, corrected when its clock is set. For operators that record a time and compare it with the time later.
///
/// A scheduled action runs after the interval that was left when it was scheduled, even if the clock is set in the meantime.
/// Two observations therefore show that the clock was set. First, the clock is earlier than before, or earlier than the date of
/// a timer that has fired. Second, a timer that hasn't fired is overdue by more than ``limit``. From then on the reported time
/// is the pending timer's date, because the true time can hardly be later. When the timer fires, its date is the true time, and
/// the clock is corrected to it. A time recorded in between leads to a wait that is too long, by at most the time that was
/// left. No wait is too short, unless the clock is set forward by less than ``limit``.
///
/// If the clock is never set, this is the scheduler's time.
@frozen
@usableFromInline
struct SteadyClock {
    /// How late a timer may be, in seconds. A later one shows that the clock was set forward.
    @inlinable
    static var limit: TimeInterval { 60 }

    @usableFromInline let scheduler: any DateScheduler

    /// The difference to the clock's time, in seconds.
    @usableFromInline var correction: TimeInterval = 0

    /// The latest time that was seen.
    @usableFromInline var latest = Date.distantPast

    /// The date of the pending timer.
    @usableFromInline var timer: Date?

    /// Whether the clock was set while the timer is pending.
    @usableFromInline var hasJumped = false

    /// How many times the clock was set back, in total and when the timer was set.
    @usableFromInline var setBackCount: UInt64 = 0
    @usableFromInline var timerSetBackCount: UInt64 = 0

    @inlinable
    init(_ scheduler: any DateScheduler) {
        self.scheduler = scheduler
    }

    /// The time. It never decreases.
    @inlinable
    mutating func now() -> Date { hasJumped ? latest : now(reading: scheduler.currentDate) }

    /// The time, if the scheduler's clock shows `reading`.
    @inlinable
    mutating func now(reading: Date) -> Date {
        let date = reading.addingTimeInterval(correction)
        if isPossible(date) { latest = date } else { correct(date, to: timer ?? latest) }
        return latest
    }

    /// Whether this can be the true time.
    @inlinable
    func isPossible(_ date: Date) -> Bool {
        guard let timer else { return date >= latest }
        return date >= latest && date <= timer.addingTimeInterval(SteadyClock.limit)
    }

    /// Corrects the clock to `time`, or to the latest time that was seen if that is later.
    @usableFromInline
    mutating func correct(_ date: Date, to time: Date) {
        if date < latest { setBackCount &+= 1 }
        // A timer's date may be infinitely far away.
        if time < .distantFuture { latest = max(latest, time) }
        correction += latest.timeIntervalSince(date)
        hasJumped = timer != nil
    }

    /// Whether the clock was not set back since the timer was set. Otherwise the timer is late on a scheduler that uses the
    /// clock.
    @inlinable
    var isTimerRight: Bool { timerSetBackCount == setBackCount }

    /// Records the date of a timer that replaces the pending one.
    ///
    /// - Returns: The date on the scheduler's clock.
    @inlinable
    mutating func setTimer(_ date: Date) -> Date {
        timer = date
        hasJumped = false
        timerSetBackCount = setBackCount
        return date.addingTimeInterval(-correction)
    }

    /// Records that the timer has fired.
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
