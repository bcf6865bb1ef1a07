extension Signal {
    /// Creates a signal, the observer that feeds it, and an overflow policy for its inbox.
    ///
    /// ```swift
    /// let (ticks, input) = Signal<Tick, FeedError>.pipe(buffering: .dropOldest(capacity: 1_000))
    /// ```
    ///
    /// If the signal is idle, the sender delivers its value. Otherwise the value is queued in the signal's inbox, to which
    /// the policy applies. With ``BufferingPolicy/blocking(capacity:stallTimeout:)-(_,DispatchTimeInterval)``, a sender that
    /// finds the inbox full
    /// waits in FIFO order, after it has left all callbacks. With the policies that drop or fail, no sender waits for
    /// capacity. The default policy is `.blocking(capacity: 16_384)`.
    ///
    /// A completion or a failure comes after the queued values and always fits. `interrupted` drops the queued values.
    ///
    /// In the build with mutexes, every sender waits for the delivering thread, whatever the blocking policy.
    ///
    /// - Parameters:
    ///   - policy: The overflow policy. With ``BufferingPolicy/failing(capacity:with:)``, the signal delivers the queued
    ///     values and then fails.
    ///   - statistics: Counts values sent, delivered and dropped, including values that aren't queued.
    ///   - disposable: Disposed of when the signal terminates, or when it can't be observed any more.
    /// - Complexity: As ``pipe(disposable:)``. With a dropping policy, a queued value takes no allocation in steady state.
    ///   Statistics cost two atomic additions per value.
    /// ## Concurrency
    /// The sending thread releases a dropped value.
    @inlinable
    public static func pipe(
        buffering policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil,
        disposable: (any Disposable)? = nil
    ) -> (output: Signal, input: Observer) {
        switch policy.kind {
        case .unbounded: pipe(through: Strand(capacity: .max), statistics, disposable)
        case .blocking(let bound): pipe(through: Strand(bound), statistics, disposable)
        case .dropping, .failing:
            pipe(
                through: Inbox(
                    of: makeCore(Strand(), disposable),
                    Buffering(policy.bound, failure: policy.failure, counting: statistics)))
        }
    }

    @inlinable
    static func pipe(
        through strand: Strand, _ statistics: BufferStatistics?, _ disposable: (any Disposable)?
    ) -> (output: Signal, input: Observer) {
        let core = makeCore(strand, disposable)
        return (Signal(core), statistics.map { CountedInput(of: core, $0).makeInput() } ?? core.makeInput())
    }

    @inlinable
    static func pipe(through inbox: Inbox<Value, Error>) -> (output: Signal, input: Observer) {
        (Signal(inbox.core), inbox.makeInput())
    }
}

extension Strand {
    @usableFromInline
    convenience init(_ bound: MailboxBound) {
        // With a stall timeout of 0 no sender ever waits, so there is no bound.
        self.init(capacity: bound.stallTimeout > 0 ? bound.capacity : .max, stallTimeout: bound.stallTimeout)
    }
}

/// The input of a signal whose values are counted.
@usableFromInline
final class CountedInput<Value, Error: Swift.Error>: Sendable {  // Immutable, with sendable contents.
    @usableFromInline let core: SignalCore<Value, Error>
    @usableFromInline let statistics: BufferStatistics

    @inlinable
    init(of core: SignalCore<Value, Error>, _ statistics: BufferStatistics) {
        self.core = core
        self.statistics = statistics
    }

    @inlinable
    func makeInput() -> Signal<Value, Error>.Observer {
        Signal<Value, Error>.Input(value: { self.send($0) }, requests: { self.carryOut($0) })
    }

    @inlinable
    func send(_ value: Value) {
        if let owned = core.enterToSend() {
            statistics.countSent()
            deliver(value)
            core.leave(owned)
        } else {
            // Counted when it has a permit. Until then, the sender holds the value.
            core.strand.takeInTurn()
            statistics.countSent()
            core.strand.enqueue(InputNode(value, for: self) { input, value in input.deliver(value) }, .taken)
        }
    }

    @inlinable
    func carryOut(_ request: InputRequest<Value, Error>) -> SendAttempt {
        switch request {
        case .send(let value, let mode): return trySend(value, mode)
        case .terminate(let termination):
            core.send(termination)
            return .sent
        }
    }

    @inlinable
    func trySend(_ value: Value, _ mode: SendMode) -> SendAttempt {
        // Counted first, because it may be delivered before this call returns.
        statistics.countSent()
        let attempt = core.withStrand {
            $0.tryPerform(mode, deliver(value), orQueue: InputNode(value, for: self) { $0.deliver($1) })
        }
        if case .refused = attempt { statistics.takeBack() }
        return attempt
    }

    /// Called by the strand's owner.
    @inlinable
    func deliver(_ value: Value) {
        if core.isTerminated || core.dropsQueued { statistics.countDropped() } else { statistics.countDelivered() }
        core.deliverQueued(value)
    }
}
