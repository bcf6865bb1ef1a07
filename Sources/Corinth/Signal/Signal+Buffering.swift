extension Signal {
    /// Makes a signal and the observer that feeds it, and says what happens to values that come while another thread delivers.
    ///
    /// ```swift
    /// let (ticks, input) = Signal<Tick, FeedError>.pipe(buffering: .dropOldest(capacity: 1_000))
    /// ```
    ///
    /// A value that finds the signal idle is delivered by its sender. One that doesn't waits in the inbox of the signal, and the
    /// policy is about that: with ``BufferingPolicy/blocking(capacity:stallTimeout:)`` the sender of a value that finds no place
    /// waits for one, in turn, once it is out of all callbacks; with the policies that drop or fail, nobody waits for a place
    /// there. Without a policy, it is `.blocking(capacity: 16_384)`.
    ///
    /// A completion or a failure comes after what waits when it is sent, and always has a place; `interrupted` drops what waits.
    ///
    /// In the build with mutexes, every sender waits for the one that delivers, whatever the blocking policy says.
    ///
    /// - Parameters:
    ///   - policy: What happens to values that find no place. With ``BufferingPolicy/failing(capacity:with:)``, the signal fails
    ///     after it has delivered what waits.
    ///   - statistics: Where values are counted as sent, delivered and dropped: those too that don't have to wait.
    ///   - disposable: Disposed of when the signal ends, or when nobody can observe it any more.
    /// - Complexity: As of ``pipe(disposable:)``. Where values are dropped, a value that has to wait takes no allocation in steady
    ///   state. Statistics cost two atomic additions per value.
    /// ## Concurrency
    /// A value that is dropped is released by the thread that sends.
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
        // Where nobody waits for any time, there is no bound.
        self.init(capacity: bound.stallTimeout > 0 ? bound.capacity : .max, stallTimeout: bound.stallTimeout)
    }
}

/// The input of a signal whose values are counted.
@usableFromInline
final class CountedInput<Value, Error: Swift.Error>: Sendable {  // Immutable, and of what is safe to share.
    @usableFromInline let core: SignalCore<Value, Error>
    @usableFromInline let statistics: BufferStatistics

    @inlinable
    init(of core: SignalCore<Value, Error>, _ statistics: BufferStatistics) {
        self.core = core
        self.statistics = statistics
    }

    @inlinable
    func makeInput() -> Signal<Value, Error>.Observer {
        Signal<Value, Error>.Observer(
            input: Sink(value: { self.send($0) }, termination: { self.core.send($0) }),
            trying: { self.trySend($0) })
    }

    @inlinable
    func send(_ value: Value) {
        if core.strand.tryEnterToSend() {
            statistics.countSent()
            deliver(value)
            core.strand.leave()
        } else {
            // Counted when it has its place: until then, its sender has it in hand.
            core.strand.takeInTurn()
            statistics.countSent()
            core.strand.enqueueTaken(InputNode(value, for: self) { input, value in input.deliver(value) })
        }
    }

    @inlinable
    func trySend(_ value: Value) -> Bool {
        // Counted first, as it may be delivered before this returns.
        statistics.countSent()
        let isSent = core.strand.tryPerform(on: self, with: value) { input, value in
            input.deliver(value)
        } queued: { input, value in
            input.deliver(value)
        }
        if !isSent { statistics.takeBack() }
        return isSent
    }

    /// Called by the owner of the strand.
    @inlinable
    func deliver(_ value: Value) {
        if core.isTerminated || core.dropsQueued { statistics.countDropped() } else { statistics.countDelivered() }
        core.deliverQueued(value)
    }
}
