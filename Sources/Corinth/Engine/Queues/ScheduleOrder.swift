/// How many actions a scheduler has been given: the order of what is scheduled and of the values of hops (law C5).
///
/// A hop queues its values itself and schedules one drain for a burst. As long as nothing else has been scheduled since, a later
/// value may join. Otherwise it begins a new run with a drain of its own, behind what was scheduled before it.
@usableFromInline
final class ScheduleOrder: Sendable {
    // relaxed throughout: what orders a value after an action that another thread has scheduled also orders the counts.
    @usableFromInline let count: AtomicWord
    private let step: UInt64

    private init(_ count: UInt64, step: UInt64) {
        self.count = AtomicWord(count)
        self.step = step
    }

    /// That of a scheduler of the library.
    convenience init() { self.init(1, step: 1) }

    /// That of a scheduler whose actions aren't counted here: each value is an action.
    @usableFromInline static let unknown = ScheduleOrder(.max, step: 0)

    /// That of what needs no order.
    @usableFromInline static let none = ScheduleOrder(1, step: 0)

    /// Counts an action. Called before it is queued, so that a value that is sent after `schedule` has returned finds it counted.
    ///
    /// - Returns: The count with which a value may join the action's run.
    @usableFromInline
    @discardableResult
    func raise() -> UInt64 {
        step == 0 ? 1 : count.fetchAdd(step, .relaxed) &+ step
    }
}
