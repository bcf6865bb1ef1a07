/// What waits for a signal where nobody waits for a place: a value that finds none is dropped, or the oldest is, or the stream
/// fails.
///
/// A value that finds the signal idle, and nothing in here, is delivered by its sender. Any other is stored, and one node in the
/// strand delivers what is stored. Whoever stores the first value queues that node.
@usableFromInline
final class Inbox<Value, Error: Swift.Error>: @unchecked Sendable {  // The flag guards what is not atomic.
    /// Whether values may have to wait: 0 if nothing is stored and the end has not been sent. Written with the flag held.
    @usableFromInline var busyStorage: UInt64 = 0
    private var flagStorage: UInt64 = 0

    @usableFromInline let core: SignalCore<Value, Error>
    @usableFromInline let statistics: BufferStatistics?
    private let capacity: Int
    private let dropsOldest: Bool
    private let failure: Error?

    // Guarded by the flag.
    @safe @exclusivity(unchecked) private var values = Fifo<Value>()

    /// Whether a node is in the strand that delivers what is stored.
    @safe @exclusivity(unchecked) private var hasNode = false

    /// Whether nothing is stored any more.
    @safe @exclusivity(unchecked) private var isClosed = false

    /// What comes after what is stored.
    @safe @exclusivity(unchecked) private var ending: Termination<Error>?

    @usableFromInline
    init(of core: SignalCore<Value, Error>, _ buffering: Buffering<Error>) {
        self.core = core
        statistics = buffering.statistics
        capacity = buffering.bound.capacity
        dropsOldest = buffering.bound.dropsOldest
        failure = buffering.failure
    }

    @inlinable
    var busy: AtomicWord {
        @inline(__always)
        get { AtomicWord(of: self) }
    }

    private var flag: OwnerFlag { OwnerFlag(of: self, at: 8) }

    @inlinable
    func makeInput() -> Signal<Value, Error>.Observer {
        Signal<Value, Error>.Observer(
            input: Sink(value: { self.send($0) }, termination: { self.send($0) }),
            trying: { self.trySend($0) })
    }

    // MARK: From any thread

    @inlinable
    func send(_ value: Value) {
        statistics?.countSent()
        // relaxed: what this thread has stored itself, and is not delivered yet, it sees. The rest has no order.
        if busy.load(.relaxed) == 0, core.strand.tryEnterToSendAtOnce() {
            deliver(value)
            core.strand.leave()
        } else if case .stored(true) = store(value, orRefuse: false) {
            core.strand.enqueueAtOnce(makeNode())
        }
    }

    @inlinable
    func trySend(_ value: Value) -> Bool {
        statistics?.countSent()
        if busy.load(.relaxed) == 0, core.strand.tryEnterToSendAtOnce() {
            let outer = core.strand.takeOuterWaits()
            deliver(value)
            core.strand.leaveAtOnce(restoring: outer)
            return true
        }
        switch store(value, orRefuse: true) {
        case .refused:
            statistics?.takeBack()
            return false
        case .stored(let isFirst):
            if isFirst { core.strand.enqueueWithoutWaiting(makeNode(), hasPlace: false) }
            return true
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
        /// And whether the caller has to queue a node.
        case stored(isFirst: Bool)
        case refused
    }

    /// Has a value wait, or drops it, or another in its place.
    ///
    /// - Parameter mayRefuse: Whether to refuse a value instead of dropping it, or of having the stream fail.
    @usableFromInline
    func store(_ value: Value, orRefuse mayRefuse: Bool) -> Outcome {
        // Released when the flag is not held.
        var dropped: Value?
        flag.acquire()
        PlainAccess.write(self)
        let hasPlace = values.count < capacity
        if isClosed {
            dropped = value
        } else if hasPlace || dropsOldest {
            if !hasPlace { dropped = values.popFirst() }
            values.append(value)
        } else if mayRefuse {
            flag.release()
            return .refused
        } else {
            dropped = value
            if let failure {
                isClosed = true
                ending = .failed(failure)
            }
        }
        let isFirst = becomeBusy()
        flag.release()
        if dropped != nil {
            statistics?.countDropped()
            Probe.drop(self)
        }
        return .stored(isFirst: isFirst)
    }

    /// Whether the caller has to queue a node. Called with the flag held.
    private func becomeBusy() -> Bool {
        if values.isEmpty, !isClosed { return false }
        // relaxed: as in `send(_:)`.
        busy.store(1, .relaxed)
        let isFirst = !hasNode && (!values.isEmpty || ending != nil)
        hasNode = hasNode || isFirst
        return isFirst
    }

    /// Has nothing stored any more.
    ///
    /// - Returns: Whether the caller has to have the rest delivered; nil if this was closed before.
    @usableFromInline
    func close(droppingRest: Bool, with termination: Termination<Error>?) -> Bool? {
        // Released when the flag is not held.
        var dropped = Fifo<Value>()
        flag.acquire()
        PlainAccess.write(self)
        let isFirst: Bool?
        if isClosed {
            isFirst = nil
        } else {
            isClosed = true
            ending = termination
            if droppingRest { swap(&dropped, &values) }
            isFirst = becomeBusy()
        }
        flag.release()
        statistics?.countDropped(dropped.count)
        return isFirst
    }

    // MARK: By the owner of the strand

    /// What delivers what is stored. It is nobody's own event: who delivers it helps.
    @usableFromInline
    func makeNode() -> StrandNode {
        InputNode((), for: self, isForeign: true) { inbox, _ in inbox.deliverStored() }
    }

    @usableFromInline
    func deliverStored() {
        for _ in 0..<Inbox.turn {
            flag.acquire()
            PlainAccess.write(self)
            guard let value = values.popFirst() else {
                hasNode = false
                let end = ending.take()
                // relaxed: as in `send(_:)`.
                if !isClosed { busy.store(0, .relaxed) }
                flag.release()
                if let end { core.terminate(end) }
                return
            }
            flag.release()
            deliver(value)
            if Strand.mustStop { break }
        }
        // What is left has its turn after what others have queued.
        core.strand.enqueueAtOnce(makeNode())
    }

    /// How many values are delivered in one go.
    private static var turn: Int { 64 }

    @inlinable
    func deliver(_ value: Value) {
        if core.isTerminated { statistics?.countDropped() } else { statistics?.countDelivered() }
        core.deliver(value)
    }
}
