/// Work that is scheduled again and again, and is itself what a scheduler queues: no closure and no disposable each time.
///
/// Whoever posts it sees to it that it isn't posted again before its run has begun. A subclass says what it is for.
@usableFromInline
class Errand: @unchecked Sendable {  // Its posts, and with them `attachment`, come one at a time.
    /// A closure without captures, made where the subclass's types are known, and not a method: a method of a generic class
    /// that is reached through its table would run unspecialised code.
    @usableFromInline final let work: (Errand) -> Void

    /// What the scheduler keeps for it from one post to the next. Owned by whoever posts.
    @safe @exclusivity(unchecked)
    @usableFromInline final var attachment: AnyObject?

    /// How many bytes of stored properties come before those of a subclass.
    @inlinable static var size: Int { 24 }

    @inlinable
    init(work: @escaping (Errand) -> Void) {
        self.work = work
        attachment = nil
    }

    /// Does the work. Called by the scheduler.
    @inlinable @inline(__always)
    final func run() { work(self) }
}

/// A scheduler that runs errands, in order with its actions, without an allocation for each.
@usableFromInline
protocol ErrandScheduler: Scheduler {
    /// Runs the errand once, and keeps it alive until then. An errand is posted to one scheduler only.
    func post(_ errand: Errand)

    /// Whether the calling thread is running one of its actions: what that thread waits for, this scheduler can't do.
    var isCurrent: Bool { get }
}

extension ErrandScheduler {
    /// For one that can't tell.
    @usableFromInline var isCurrent: Bool { false }
}
