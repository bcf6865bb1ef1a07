/// The engine of a signal: its observers, its state, and the strand that serialises both.
///
/// A ``Signal`` is a handle on it, so that a core knows when nobody can observe it any more. The observer at the signal's
/// input and, for a derived signal, the source's list keep the core alive; the core keeps its observers.
@usableFromInline
final class SignalCore<Value, Error: Swift.Error>: SignalState, @unchecked Sendable {  // As its superclass.
    /// Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var observers = ObserverList<Value, Error>()

    // Written out: an inherited one would be unspecialised code.
    @inlinable
    override init(strand: Strand, resources: CompositeDisposable?) {
        super.init(strand: strand, resources: resources)
    }

    @inlinable
    deinit {
        // Unspecialised code, and slow: most signals have released their list when they ended.
        if hasList { observers.release() }
    }

    // MARK: Events, from any thread

    @inlinable @inline(__always)
    func send(_ value: Value) {
        if strand.tryEnterToSend() {
            deliver(value)
            strand.leave()
        } else {
            strand.queue(value, for: self) { core, value in core.deliverQueued(value) }
        }
    }

    /// Sends, unless the value would have to wait and finds no place.
    @inlinable
    func trySend(_ value: Value) -> Bool {
        strand.tryPerform(on: self, with: value) { core, value in
            core.deliver(value)
        } queued: { core, value in
            core.deliverQueued(value)
        }
    }

    /// The same as ``send(_:)``, and never waits for a place.
    @usableFromInline
    func sendAtOnce(_ value: Value) {
        strand.performAtOnce(on: self, with: value) { core, value in core.deliver(value) }
    }

    @inlinable
    @inline(never)
    func send(_ termination: Termination<Error>) {
        if case .interrupted = termination {
            interrupt()
        } else {
            strand.performAtOnce(on: self, with: termination) { core, termination in
                core.terminate(termination)
            } orQueueAfter: { core in
                // relaxed: as in `dropsQueued`. An interruption that comes later doesn't overtake this.
                _ = core.terminated.compareExchange(0, EndMark.ending, .relaxed)
            }
        }
    }

    /// Interrupts as soon as the event in progress is through: what waits in front of the interruption is dropped.
    @inlinable
    func interrupt() {
        strand.performAtOnce(on: self, with: ()) { core, _ in
            core.terminate(.interrupted)
        } orQueueAfter: { core in
            // relaxed: a hint, but for this thread. Of two ends, the first one counts.
            if core.terminated.compareExchange(0, EndMark.interrupting, .relaxed).won { core.strand.cancelStops() }
        }
    }

    // MARK: Events, from the owner of the strand

    /// Delivers a value. After the end the list is empty, and nothing happens.
    @inlinable @inline(__always)
    func deliver(_ value: Value) {
        StackRoom.check()
        let observers = strand.withState { self.observers }
        if !observers.send(value) { Probe.drop(strand) }
    }

    /// Delivers a value that had to wait, unless it was overtaken by an interruption.
    @inlinable
    func deliverQueued(_ value: Value) {
        if dropsQueued { Probe.drop(strand) } else { deliver(value) }
    }

    /// Settles the end, tells the observers, and lets go of everything: observers first (law S3).
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        StackRoom.check()
        strand.enterDerived()
        if let observers = strand.withState({ settle() }) {
            observers.terminate(termination)
            letGo()
        }
        strand.leaveDerived()
    }

    /// Turns to terminated, and returns whom to tell; nil if it was before.
    @inlinable
    func settle() -> ObserverList<Value, Error>? {
        guard markTerminated() else { return nil }
        observerCount = 0
        hasList = false
        return observers.takeAll()
    }
}
