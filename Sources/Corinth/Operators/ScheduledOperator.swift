public import Foundation

/// The base of operators that deliver on a scheduler.
///
/// Whoever owns the strand changes the state: the source, or an action of the scheduler. But only actions of the scheduler
/// deliver. One that finds the strand owned comes back by way of the scheduler, since what it left to the owner would be
/// delivered on the owner's thread.
@usableFromInline
class ScheduledOperator<Next: Receiver>: Join<Next>, @unchecked Sendable {  // As its superclass.
    @usableFromInline final let scheduler: any Scheduler

    /// Where senders wait for a place, if they do.
    @usableFromInline var permits: Permits? { nil }

    /// The one action that waits: the pending timer, or the end.
    @usableFromInline final let pending = PendingAction()

    /// What ends with the result, the pending action included.
    @usableFromInline final let resources: CompositeDisposable

    /// Takes the operator out of the producer's run, which may go on with another source. Written when it is made.
    @safe @exclusivity(unchecked)
    @usableFromInline final var handle: (any Disposable)?

    /// Counts what was scheduled: an action that has been replaced by a later one does nothing. Owned by whoever owns the
    /// strand, as what follows.
    @safe @exclusivity(unchecked)
    @usableFromInline final var turn: UInt64 = 0

    /// The end that is to be delivered as soon as the scheduler comes to it.
    @safe @exclusivity(unchecked)
    @usableFromInline final var ending: Termination<Next.Error>?

    @inlinable
    init(_ output: JoinOutput<Next>, on scheduler: any Scheduler) {
        self.scheduler = scheduler
        resources = output.resources
        super.init(output, sources: 1)
        resources.add(pending)
        if let end = scheduler.end { resources.add(end.add { self.interruptAtOnce() }) }
    }

    /// Whether nothing but the end is delivered any more.
    @inlinable
    final var isOver: Bool {
        @inline(__always)
        get { isTerminated || ending != nil }
    }

    /// Drops what waits because nobody needs the result any more.
    @inlinable
    final func abandon() {
        strand.performAtOnce(on: self, with: ()) { stage, _ in
            if stage.isTerminated { return }
            stage.isTerminated = true
            stage.dropWaiting()
            stage.permits?.close()
        }
    }

    // MARK: What is called by the owner of the strand

    /// Settles the end, which drops what waits. An interruption takes the place of another end that waits.
    @inlinable
    final func settle(_ termination: Termination<Next.Error>) -> Plan {
        if isTerminated { return .nothing }
        guard ending == nil else {
            if case .interrupted = termination { ending = termination }
            return .nothing
        }
        ending = termination
        dropWaiting()
        turn &+= 1
        return .end(turn)
    }

    /// Lets go of the values that wait: the end has been settled, and they are not delivered any more.
    @usableFromInline
    func dropWaiting() {}

    /// Delivers the end. Called by an action of the scheduler.
    @inlinable
    final func finish(_ termination: Termination<Next.Error>) {
        permits?.close()
        terminate(termination)
        resources.dispose()
        handle?.dispose()
    }

    // MARK: What is called by whoever made a plan, when the strand has been left if possible

    /// Schedules the end.
    @inlinable
    final func scheduleEnd(_ turn: UInt64) {
        pending.replace(
            with: scheduler.scheduleInOrder {
                self.deliver {
                    if let ending = self.ending { self.finish(ending) }
                    return false
                }
            },
            turn)
    }

    /// Interrupts: what waits is dropped, and the interruption delivered as soon as the scheduler comes to it.
    @inlinable
    final func interrupt() {
        if strand.tryEnterAtOnce() {
            let plan = settle(.interrupted)
            strand.leave()
            if case .end(let turn) = plan { scheduleEnd(turn) }
        } else {
            strand.enqueueAtOnce(
                InputNode((), for: self) { stage, _ in
                    if case .end(let turn) = stage.settle(.interrupted) { stage.scheduleEnd(turn) }
                })
        }
    }

    /// The same, and doesn't wait for the scheduler to come to it.
    @inlinable
    final func interruptAtOnce() {
        strand.performAtOnce(on: self, with: ()) { stage, _ in
            if stage.isTerminated { return }
            _ = stage.settle(.interrupted)
            stage.finish(.interrupted)
        }
    }

    /// Where the source sends to.
    ///
    /// - Parameters:
    ///   - receive: Takes a value, and says what is to be scheduled. Called by the owner of the strand, as is `end`.
    ///   - end: Takes the end.
    ///   - permits: Where senders wait for a place, if they do. The owner of the strand counts off what doesn't wait any more.
    ///   - carryOut: Schedules it. Called when the strand has been left, where that can be: a scheduler may run an action
    ///     before it returns.
    @inlinable @inline(__always)
    final func port<Value>(
        receive: @escaping (Value) -> Plan, end: @escaping (Termination<Next.Error>) -> Plan,
        permits: Permits? = nil, carryOut: @escaping (Plan) -> Void
    ) -> Sink<Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in
                permits?.enter()
                if strand.tryEnter() {
                    let plan = receive(value)
                    strand.leave()
                    carryOut(plan)
                } else {
                    strand.queue(value, for: self) { _, value in carryOut(receive(value)) }
                }
                permits?.settle(outside: strand)
            },
            termination: { termination in
                if strand.tryEnter() {
                    let plan = end(termination)
                    strand.leave()
                    carryOut(plan)
                } else {
                    strand.queue(termination, for: self) { _, termination in carryOut(end(termination)) }
                }
            })
    }

    // MARK: Actions of the scheduler

    /// Runs a step as the owner of the strand, again as long as it says so; here, or later by way of the scheduler.
    @inlinable
    final func deliver(_ step: @escaping @Sendable () -> Bool) {
        Strand.withoutWaiting {
            for _ in 0..<1024 {
                guard strand.tryEnter() else {
                    // Not from here: a scheduler that runs it at once would find the strand owned again, for ever.
                    strand.enqueueEdit { Worker.submitSurely { self.comeBack(step) } }
                    return
                }
                let goesOn = step()
                strand.leave()
                if !goesOn { return }
                if Strand.stops(owning: permits, thenGoesOn: { self.comeBack(step) }) { return }
            }
            comeBack(step)
        }
    }

    @usableFromInline
    final func comeBack(_ step: @escaping @Sendable () -> Bool) {
        scheduler.scheduleInOrder { self.deliver(step) }
    }
}

/// What is to be scheduled after a change of an operator's state.
@frozen
@usableFromInline
enum Plan {
    case nothing
    /// A timer.
    case alarm(Alarm)
    /// Values that wait for nothing but the scheduler, and their turn.
    case delivery(UInt64)
    /// The end, and its turn.
    case end(UInt64)
}

/// When a timer is to fire, and its place among what an operator has scheduled.
@frozen
@usableFromInline
struct Alarm: Sendable {
    /// As a ``SteadyClock`` has it, and as the scheduler's clock has it.
    @usableFromInline let date: Date
    @usableFromInline let clockDate: Date
    @usableFromInline let turn: UInt64

    @inlinable
    init(_ date: Date, _ turn: UInt64, onClock clockDate: Date) {
        self.date = date
        self.clockDate = clockDate
        self.turn = turn
    }
}

/// The action that an operator has scheduled last. One that comes late, from a thread that was slow, doesn't replace a
/// later one.
@usableFromInline
final class PendingAction: Disposable {
    private struct State: Sendable {
        var turn: UInt64
        var action: (any Disposable)?
    }

    private let state = AtomicReference(State(turn: 0, action: nil))

    @usableFromInline
    init() {}

    @usableFromInline
    var isDisposed: Bool { state.load().turn == .max }

    /// Disposes of what waits, and keeps `action` unless something later came before it.
    @usableFromInline
    func replace(with action: (any Disposable)?, _ turn: UInt64) {
        let old = state.update { $0.turn < turn ? State(turn: turn, action: action) : nil }
        if old.turn < turn { old.action?.dispose() } else { action?.dispose() }
    }

    /// Disposes of what waits and of whatever comes.
    @usableFromInline
    func dispose() { state.exchange(State(turn: .max, action: nil)).action?.dispose() }
}

extension Strand {
    /// Runs what a scheduler's thread does: it never waits for a place, as others may be queued behind it.
    @inlinable
    static func withoutWaiting(_ body: () -> Void) {
        #if NaiveLocks
            body()
        #else
            ThreadState.withoutWaiting(body)
        #endif
    }

    /// Whether such a thread is to stop, as it has filled something. What goes on then is called when there is a place.
    ///
    /// - Parameter own: What that thread gives back, and for which others wait while it stops.
    @inlinable @inline(__always)
    static func stops(owning own: Permits?, thenGoesOn action: @escaping @Sendable () -> Void) -> Bool {
        #if NaiveLocks
            false
        #else
            guard ThreadState.current.hasDeferredWait, let waits = ThreadState.current.takeDeferredWaits() else {
                return false
            }
            return waits.stop(ResumableAction { _ in action() }, owning: own)
        #endif
    }
}
