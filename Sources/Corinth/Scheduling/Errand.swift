/// Work that is scheduled again and again, and is itself what a scheduler queues: no closure and no disposable each time.
///
/// Whoever posts it sees to it that it isn't posted again before its run has begun. A subclass says what it is for.
@usableFromInline
class Errand: Resumable, @unchecked Sendable {  // Its posts, and with them `attachment`, come one at a time.
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
        super.init()
    }

    /// Does the work. Called by the scheduler.
    @inlinable @inline(__always)
    final func run() { work(self) }

    /// Has a scheduler run it.
    ///
    /// - Parameter errands: The same scheduler, if it runs errands.
    @inlinable
    final func post(to scheduler: any Scheduler, _ errands: (any ErrandScheduler)?) {
        Probe.wake(self)
        if let errands {
            errands.post(self)
        } else {
            scheduler.scheduleInOrder { self.run() }
        }
    }

    /// What posts it again, for whichever thread. Called by its run, which is about to end without having done everything.
    @usableFromInline
    final func promise(
        to scheduler: any Scheduler, _ errands: (any ErrandScheduler)?
    ) -> @Sendable () -> Void {
        if let errands { return errands.promise(self) }
        return { self.post(to: scheduler, nil) }
    }
}

/// A scheduler that runs errands, in order with its actions, without an allocation for each.
@usableFromInline
protocol ErrandScheduler: Scheduler {
    /// Runs the errand once, and keeps it alive until then. An errand is posted to one scheduler only.
    func post(_ errand: Errand)

    /// What posts an errand again, for whichever thread. Called by its run. What is called later is taken then, whatever
    /// becomes of the scheduler until then.
    func promise(_ errand: Errand) -> @Sendable () -> Void

    /// What runs its actions one at a time, if that is known: what a thread that runs it waits for, it can't do.
    var context: SerialContext? { get }

    /// Whether it runs by itself, and not when its user has it run, perhaps after having sent everything.
    var runsByItself: Bool { get }
}

extension ErrandScheduler {
    /// For one that can't tell.
    @usableFromInline var context: SerialContext? { nil }

    @usableFromInline var runsByItself: Bool { true }

    @usableFromInline
    func promise(_ errand: Errand) -> @Sendable () -> Void {
        { errand.post(to: self, self) }
    }
}

extension Scheduler {
    /// What is disposed of when it runs nothing any more, or is about to drop its work; nil if that can't be.
    @inlinable
    var end: CompositeDisposable? {
        (self as? PooledScheduler)?.core.interrupting ?? (self as? ThreadScheduler)?.loop.ended
    }
}
