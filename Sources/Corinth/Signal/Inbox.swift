/// The buffer of a signal whose overflow policy drops values or fails the stream. No sender waits for capacity.
///
/// If the signal is idle and the inbox is empty, the sender delivers its value. Otherwise the value is stored, and one node
/// in the strand delivers the stored values. The thread that stores the first value queues this node.
@usableFromInline
final class Inbox<Value, Error: Swift.Error>: @unchecked Sendable {  // The flag guards the state.
    /// Lowered if nothing is stored and no termination was sent; otherwise values may have to be queued. Written with the
    /// flag held.
    @usableFromInline let busy = AtomicFlag()
    private let state = Guarded(State())

    @usableFromInline let core: SignalCore<Value, Error>
    @usableFromInline let statistics: BufferStatistics?
    private let capacity: Int
    private let dropsOldest: Bool
    private let failure: Error?

    private struct State: ~Copyable {
        var values = Deque<Value>()

        /// Whether the strand holds a node that delivers the stored values.
        var hasNode = false

        /// Whether the inbox refuses to store further values.
        var isClosed = false

        /// The termination that follows the stored values.
        var ending: Termination<Error>?
    }

    @usableFromInline
    init(of core: SignalCore<Value, Error>, _ buffering: Buffering<Error>) {
        self.core = core
        statistics = buffering.statistics
        capacity = buffering.bound.capacity
        dropsOldest = buffering.bound.dropsOldest
        failure = buffering.failure
    }

    @inlinable
    func makeInput() -> Signal<Value, Error>.Observer {
        Signal<Value, Error>.Input(value: { self.send($0) }, requests: { self.carryOut($0) })
    }

    // MARK: From any thread

    @inlinable
    func send(_ value: Value) {
        statistics?.countSent()
        // relaxed: a thread sees its own stored values that aren't delivered yet. Others have no order.
        if !busy.isRaised(.relaxed), let owned = core.withStrand({ $0.enterToSendAtOnce() }) {
            deliver(value)
            core.leave(owned)
        } else if case .stored(true) = store(value, orRefuse: false) {
            core.strand.enqueue(makeNode(), .atOnce)
        }
    }

    @inlinable
    func carryOut(_ request: InputRequest<Value, Error>) -> SendAttempt {
        switch request {
        case .send(let value, let mode): return trySend(value, mode)
        case .terminate(let termination):
            send(termination)
            return .sent
        }
    }

    @inlinable
    func trySend(_ value: Value, _ mode: SendMode) -> SendAttempt {
        statistics?.countSent()
        if !busy.isRaised(.relaxed), let owned = core.withStrand({ $0.enterToSendAtOnce() }) {
            let strand = core.strand
            let delivery = strand.setWaitsAside(owned)
            deliver(value)
            return strand.leave(delivery, suspending: mode.suspends)
        }
        // No task waits for capacity here: its value is stored, or one is dropped.
        switch store(value, orRefuse: !mode.suspends) {
        case .refused:
            statistics?.takeBack()
            return .refused
        case .stored(let isFirst):
            if !isFirst { return .sent }
            return core.strand.attempt(makeNode(), .atOnce, suspending: mode.suspends)
        }
    }

    @inlinable
    func send(_ termination: Termination<Error>) {
        if case .interrupted = termination {
            if close(droppingRest: true, with: nil) != nil { core.interrupt() }
        } else if close(droppingRest: false, with: termination) == true {
            core.strand.performAtOnce(on: self, with: ()) { inbox, _ in inbox.deliverStored() }
        }
    }

    @usableFromInline
    enum Outcome {
        /// The value was stored or dropped. `isFirst` tells whether the caller has to queue a node.
        case stored(isFirst: Bool)
        case refused
    }

    /// Stores a value, or drops it or an older one.
    ///
    /// - Parameter mayRefuse: Whether to refuse the value instead of dropping it or failing the stream.
    @usableFromInline
    func store(_ value: Value, orRefuse mayRefuse: Bool) -> Outcome {
        let (outcome, dropped) = state.hold { state -> (Outcome, Value?) in
            PlainAccess.write(self)
            var dropped: Value?
            let hasPermit = state.values.count < capacity
            if state.isClosed {
                dropped = value
            } else if hasPermit || dropsOldest {
                if !hasPermit { dropped = state.values.popFirst() }
                state.values.append(value)
            } else if mayRefuse {
                return (.refused, nil)
            } else {
                dropped = value
                if let failure {
                    state.isClosed = true
                    state.ending = .failed(failure)
                }
            }
            return (.stored(isFirst: becomeBusy(&state)), dropped)
        }
        if dropped != nil {
            statistics?.countDropped()
            Probe.drop(self)
        }
        return outcome
    }

    /// Returns whether the caller has to queue a node.
    private func becomeBusy(_ state: inout State) -> Bool {
        if state.values.isEmpty, !state.isClosed { return false }
        // relaxed: as in `send(_:)`.
        busy.store(.raised, .relaxed)
        let isFirst = !state.hasNode && (!state.values.isEmpty || state.ending != nil)
        state.hasNode = state.hasNode || isFirst
        return isFirst
    }

    /// Closes the inbox: nothing is stored any more.
    ///
    /// - Returns: Whether the caller has to queue the delivery of the rest; nil if the inbox was already closed.
    @usableFromInline
    func close(droppingRest: Bool, with termination: Termination<Error>?) -> Bool? {
        // Released after the flag.
        var dropped = Deque<Value>()
        let isFirst: Bool? = state.hold { state in
            PlainAccess.write(self)
            if state.isClosed { return nil }
            state.isClosed = true
            state.ending = termination
            if droppingRest { swap(&dropped, &state.values) }
            return becomeBusy(&state)
        }
        statistics?.countDropped(dropped.count)
        return isFirst
    }

    // MARK: By the owner of the strand

    /// The node that delivers the stored values. It counts as foreign to every thread: delivering it is help.
    @usableFromInline
    func makeNode() -> StrandNode {
        InputNode((), for: self, isForeign: true) { inbox, _ in inbox.deliverStored() }
    }

    @usableFromInline
    func deliverStored() {
        for _ in 0..<Inbox.deliveryLimit {
            let (value, end) = takeStored()
            guard let value else {
                if let end { core.terminate(end) }
                return
            }
            deliver(value)
            if Strand.mustStop { break }
        }
        // The rest is delivered after the nodes of other threads.
        core.strand.enqueue(makeNode(), .atOnce)
    }

    /// The oldest value, or if there is none, the termination.
    private func takeStored() -> (Value?, Termination<Error>?) {
        state.hold { state in
            PlainAccess.write(self)
            if let value = state.values.popFirst() { return (value, nil) }
            state.hasNode = false
            // relaxed: as in `send(_:)`.
            if !state.isClosed { busy.store(.lowered, .relaxed) }
            return (nil, state.ending.take())
        }
    }

    /// How many values are delivered at once.
    private static var deliveryLimit: Int { 64 }

    @inlinable
    func deliver(_ value: Value) {
        if core.isTerminated { statistics?.countDropped() } else { statistics?.countDelivered() }
        core.deliver(value)
    }
}
