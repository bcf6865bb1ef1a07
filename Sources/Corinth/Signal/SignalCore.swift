/// The engine of a signal: its observers, its state, and the strand that serialises both.
///
/// A ``Signal`` is a handle on it, so a core knows when it can't be observed any more. The observer at the signal's input
/// retains the core; for a derived signal, the source's list does. The core retains its observers, and its source.
@usableFromInline
class SignalCore<Value, Error: Swift.Error>: SignalState, EventTarget, @unchecked Sendable {  // See the superclass.
    // Written out: an inherited one would be unspecialised code.
    @inlinable
    override init(strand: consuming Strand, resources: consuming CompositeDisposable?) {
        super.init(strand: strand, resources: resources)
        if Registry.isOn { Registry.enter(self, .signal) }
    }

    @inlinable
    override init(from source: SignalState) {
        super.init(from: source)
    }

    override final var signalType: Any.Type { Signal<Value, Error>.self }

    // MARK: Events, from any thread

    @inlinable @inline(__always)
    final func send(_ value: Value) {
        if let owned = enterToSend() {
            deliver(value)
            leave(owned)
        } else {
            queue(value)
        }
    }

    /// Queues a value, unless an interruption is queued before it: nothing would be delivered, and no thread waits for that.
    @inlinable
    @inline(never)
    final func queue(_ value: Value) {
        if dropsQueued { return probeDrop() }
        withStrand { $0.queue(value, for: self, isKeptByList: hasOwnStrand) }
    }

    @inlinable @inline(__always)
    final func node(for value: Value) -> StrandNode { EventNode(value, for: self, isKeptByList: hasOwnStrand) }

    @inlinable
    final func carryOut(_ request: InputRequest<Value, Error>) -> SendAttempt {
        switch request {
        case .send(let value, let mode): return trySend(value, mode)
        case .terminate(let termination):
            send(termination)
            return .sent
        }
    }

    /// Sends the value unless it would be queued and the inbox is full.
    @inlinable
    final func trySend(_ value: Value, _ mode: SendMode) -> SendAttempt {
        if dropsQueued {
            probeDrop()
            return .sent
        }
        return withStrand { $0.tryPerform(mode, deliver(value), orQueue: node(for: value)) }
    }

    @inlinable
    @inline(never)
    final func send(_ termination: Termination<Error>) {
        // A stream that follows another one ends inside that one's end.
        StackSpace.require()
        if case .interrupted = termination {
            interrupt()
        } else {
            withStrand {
                $0.performAtOnce(on: self, with: termination) { core, termination in
                    core.terminate(termination)
                } orQueueAfter: { core in
                    // relaxed: as in `dropsQueued`. A later interruption doesn't overtake this termination.
                    _ = core.end.tryUpdate(from: .open, .relaxed) { $0.queuingEnd() }
                }
            }
        }
    }

    /// Interrupts as soon as the current event is delivered. Values queued before the interruption are dropped.
    @inlinable
    final func interrupt() {
        withStrand {
            $0.performAtOnce(on: self, with: ()) { core, _ in
                core.terminate(.interrupted)
            } orQueueAfter: { core in
                // relaxed: a hint, except for this thread. Of two terminations, the first one counts.
                if core.end.tryUpdate(from: .open, .relaxed, { $0.queuingInterruption() }).won {
                    core.strand.endWaits()
                }
            }
        }
    }

    // MARK: Events, from the owner of the strand

    /// Delivers a value. After the termination the list is empty, and nothing happens.
    @inlinable @inline(__always)
    final func deliver(_ value: Value) {
        StackSpace.check()
        let observers = withState { self.observers.snapshot }
        if !observers.send(value, to: Sink<Value, Error>.self) { probeDrop() }
    }

    /// Delivers a value that was queued, unless an interruption has overtaken it.
    @inlinable
    final func deliverQueued(_ value: Value) {
        if dropsQueued { probeDrop() } else { deliver(value) }
    }

    /// Terminates the signal, notifies the observers, and releases everything: observers first (law S3).
    @inlinable
    final func terminate(_ termination: Termination<Error>) {
        StackSpace.check()
        enterDerived()
        if let observers = withState({ takeObserversAtEnd() }) {
            observers.terminate(termination, to: Sink<Value, Error>.self)
            releaseAfterEnd()
        }
        leaveDerived()
    }
}
