public import CorinthEssentials

/// The base of operators that deliver on a scheduler.
///
/// The strand's owner changes the state: the source, or an action of the scheduler. Only actions of the scheduler deliver. An
/// action that finds the strand owned is rescheduled, because the owner would deliver on its own thread.
@usableFromInline
class ScheduledOperator<Next: Receiver>: Join<Next>, Disposable, @unchecked Sendable {  // See the superclass.
    @usableFromInline final let scheduler: any Scheduler

    /// The permits for which senders wait; nil if senders don't wait.
    @usableFromInline var permits: Permits? { nil }

    /// The one scheduled action: the pending timer, or the termination.
    @usableFromInline final let pending = PendingAction()

    /// The resources of the result, including the pending action. Disposed of when the result terminates.
    @usableFromInline final let resources: CompositeDisposable

    /// The producer's run, which may continue with another source when this has ended, what it has given for this, and the run of
    /// the source; none for a signal. Written before this is shared.
    @safe @exclusivity(unchecked)
    @usableFromInline final var held: (run: ProducerRun, entry: CompositeEntry?, upstream: ProducerRun)?

    /// Counts the scheduled actions: an action replaced by a later one does nothing. This and the fields below are owned by
    /// the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline final var generation: UInt64 = 0

    /// The pending termination, which the scheduler delivers.
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

    /// Makes this a part of a producer's start.
    @inlinable
    final func hold(in run: ProducerRun, _ upstream: ProducerRun) {
        held = (run, nil, upstream)
        run.hold(self) { held?.entry = $0 }
    }

    /// Whether the result has ended.
    @usableFromInline
    final var isDisposed: Bool { resources.isDisposed }

    /// Interrupts the result of a producer's start, and disposes of the source.
    @usableFromInline
    final func dispose() {
        interrupt()
        held?.upstream.dispose()
    }

    /// Whether only the termination can still be delivered.
    @inlinable
    final var isOver: Bool {
        @inline(__always)
        get { isTerminated || ending != nil }
    }

    /// Drops the buffered values because the result isn't needed any more.
    @inlinable
    final func abandon() {
        strand.performAtOnce(on: self, with: ()) { stage, _ in
            if stage.isTerminated { return }
            stage.isTerminated = true
            stage.dropWaiting()
            stage.permits?.close()
        }
    }

    // MARK: Called by the strand's owner

    /// Decides the termination and drops the buffered values. An interruption replaces another pending termination.
    @inlinable
    final func beginEnd(_ termination: Termination<Next.Error>) -> NextAction {
        if isTerminated { return .nothing }
        guard ending == nil else {
            if case .interrupted = termination { ending = termination }
            return .nothing
        }
        ending = termination
        dropWaiting()
        generation &+= 1
        return .end(generation)
    }

    /// Releases the buffered values after the termination is decided: they won't be delivered.
    @usableFromInline
    func dropWaiting() {}

    /// Delivers the termination. Called by an action of the scheduler.
    @inlinable
    final func finish(_ termination: Termination<Next.Error>) {
        permits?.close()
        terminate(termination)
        resources.dispose()
        if let (run, entry, _) = held { run.release(entry) }
    }

    // MARK: Called with a next action, after the strand has been left if possible

    /// Schedules the termination.
    @inlinable
    final func scheduleEnd(_ generation: UInt64) {
        pending.replace(
            with: scheduler.scheduleInOrder {
                self.deliver {
                    if let ending = self.ending { self.finish(ending) }
                    return false
                }
            },
            generation)
    }

    /// Interrupts: drops the buffered values and schedules the interruption.
    @inlinable
    final func interrupt() {
        if let owned = strand.enterAtOnce() {
            let nextAction = beginEnd(.interrupted)
            strand.leave(owned)
            if case .end(let generation) = nextAction { scheduleEnd(generation) }
        } else {
            strand.enqueue(
                InputNode((), for: self) { stage, _ in
                    if case .end(let generation) = stage.beginEnd(.interrupted) { stage.scheduleEnd(generation) }
                }, .atOnce)
        }
    }

    /// The same, but without waiting for the scheduler.
    @inlinable
    final func interruptAtOnce() {
        strand.performAtOnce(on: self, with: ()) { stage, _ in
            if stage.isTerminated { return }
            _ = stage.beginEnd(.interrupted)
            stage.finish(.interrupted)
        }
    }

    /// The input for the source.
    ///
    /// - Parameters:
    ///   - receive: Receives a value, and returns the next action. Called by the strand's owner, like `end`.
    ///   - end: Receives the termination.
    ///   - permits: The permits for which senders wait; nil if senders don't wait. The strand's owner uncounts values that
    ///     are no longer buffered.
    ///   - carryOut: Schedules the next action. Called after the strand has been left, if possible: a scheduler may run an
    ///     action before it returns.
    @inlinable @inline(__always)
    final func input<Value>(
        receive: @escaping (Value) -> NextAction, end: @escaping (Termination<Next.Error>) -> NextAction,
        permits: Permits? = nil, carryOut: @escaping (NextAction) -> Void
    ) -> Sink<Value, Next.Error> {
        let strand = strand
        @inline(__always)
        func send<Event>(_ event: Event, _ receive: @escaping (Event) -> NextAction) {
            if let owned = strand.enter() {
                let nextAction = receive(event)
                strand.leave(owned)
                carryOut(nextAction)
            } else {
                strand.queue(event, for: self) { _, event in carryOut(receive(event)) }
            }
        }
        return Sink(
            value: { value in
                permits?.enter()
                send(value, receive)
                permits?.waitIfBeyondBound(outside: strand)
            },
            termination: { send($0, end) })
    }

    // MARK: Actions of the scheduler

    /// Runs a step as the strand's owner, repeatedly while it returns true. If the strand is owned, it reschedules itself.
    @inlinable
    final func deliver(_ step: @escaping @Sendable () -> Bool) {
        Strand.withoutWaiting {
            for _ in 0..<1024 {
                guard let owned = strand.enter() else {
                    // Not on this thread: a scheduler that runs it at once would find the strand owned again, for ever.
                    strand.enqueueEdit { Worker.submit { self.deliverLater(step) } }
                    return
                }
                let hasMore = step()
                strand.leave(owned)
                if !hasMore { return }
                if Strand.stops(owning: permits, thenResumes: { self.deliverLater(step) }) { return }
            }
            deliverLater(step)
        }
    }

    @usableFromInline
    final func deliverLater(_ step: @escaping @Sendable () -> Bool) {
        scheduler.scheduleInOrder { self.deliver(step) }
    }
}

/// The action to schedule after a change of an operator's state.
@frozen
@usableFromInline
enum NextAction {
    case nothing
    /// A timer.
    case timer(TimerRequest)
    /// Values that are ready for delivery, and their generation.
    case delivery(UInt64)
    /// The termination, and its generation.
    case end(UInt64)
}

/// When a timer fires, and its generation among the operator's scheduled actions.
@frozen
@usableFromInline
struct TimerRequest: Sendable {
    /// On a ``SteadyClock``, and on the scheduler's clock.
    @usableFromInline let date: Date
    @usableFromInline let clockDate: Date
    @usableFromInline let generation: UInt64

    @inlinable
    init(_ date: Date, _ generation: UInt64, onClock clockDate: Date) {
        self.date = date
        self.clockDate = clockDate
        self.generation = generation
    }
}

/// The action that an operator has scheduled last. A late call from a slow thread doesn't replace a later action.
@usableFromInline
final class PendingAction: Disposable {
    private struct State: Sendable {
        var generation: UInt64
        var action: (any Disposable)?
    }

    private let state = AtomicReference(State(generation: 0, action: nil))

    @usableFromInline
    init() {}

    @usableFromInline
    var isDisposed: Bool { state.load().generation == .max }

    /// Disposes of the pending action and keeps `action`, unless a later one is already pending.
    @usableFromInline
    func replace(with action: (any Disposable)?, _ generation: UInt64) {
        let old = state.update { $0.generation < generation ? State(generation: generation, action: action) : nil }
        if old.generation < generation { old.action?.dispose() } else { action?.dispose() }
    }

    /// Disposes of the pending action and of every later one.
    @usableFromInline
    func dispose() { state.exchange(State(generation: .max, action: nil)).action?.dispose() }
}
