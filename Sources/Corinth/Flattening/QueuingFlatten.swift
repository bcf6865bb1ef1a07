/// The base class of strategies whose inner streams wait in a bounded buffer.
@usableFromInline
class QueuingFlatten<Next: Receiver>: Flatten<Next>, @unchecked Sendable {  // As its superclass, with a flag.
    /// Guards ``waiting``, for a few instructions at a time.
    @usableFromInline final let flag = OwnerFlag()

    /// Inner streams that have not been started.
    @safe @exclusivity(unchecked)
    @usableFromInline final var waiting: Buffer<Inner>

    /// Whether the result has ended. Guarded by the flag.
    @safe @exclusivity(unchecked)
    @usableFromInline final var isClosed = false

    /// The maximum number of running inner streams.
    @usableFromInline final let limit: UInt

    /// The error with which the result fails on overflow. nil if it continues.
    @usableFromInline final let failure: Next.Error?

    /// The bound and the statistics of ``waiting``. They may be read without the flag.
    @usableFromInline final let bound: BufferBound
    @usableFromInline final let statistics: BufferStatistics?

    @inlinable
    init(_ output: JoinOutput<Next>, limit: UInt, _ buffering: Buffering<Next.Error>) {
        waiting = Buffer(buffering.bound, counting: buffering.statistics)
        self.limit = min(limit, AdmissionWord.greatestLimit)
        failure = buffering.failure
        bound = buffering.bound
        statistics = buffering.statistics
        super.init(output)
        guard statistics != nil else { return }
        // Runs after the end, or when the result is no longer observed.
        resources.add { self.strand.performAtOnce(on: self, with: ()) { flatten, _ in flatten.drop() } }
    }

    @usableFromInline
    final func drop() {
        isTerminated = true
        dropWaiting()
    }

    /// Drops the waiting streams after the end of the result.
    @usableFromInline
    func dropWaiting() {
        let held = flag.acquire()
        isClosed = true
        let dropped = waiting.dropAll()
        flag.release(held)
        // Released while the flag isn't held, because the release may run user code.
        withExtendedLifetime(dropped) {}
    }

    /// Fails, and drops the waiting streams.
    @inlinable
    final func fail(_ error: Next.Error) {
        dropWaiting()
        terminate(.failed(error))
    }

    /// Accepts a stream. Called by the thread on which the outer stream sends.
    ///
    /// - Returns: Whether the stream may run now. If false, it waits or was dropped.
    @inlinable
    final func takeIn(_ inner: Inner) -> Bool {
        while !admission.start(limit: limit) {
            if putOff(inner) { return false }
        }
        return true
    }

    /// Counts a stream that doesn't wait. Called by the strand's owner.
    @inlinable @inline(__always)
    final func countPassed() {
        guard let statistics else { return }
        statistics.countSent()
        if isTerminated { statistics.countDropped() } else { statistics.countDelivered() }
    }

    /// Queues a stream, unless it may run now.
    ///
    /// - Returns: Whether it was queued or dropped. If false, it may run: only this thread adds streams, so the count can only
    ///   fall.
    @usableFromInline
    @inline(never)
    final func putOff(_ inner: Inner) -> Bool {
        let held = flag.acquire()
        if !admission.wait(limit: limit) {
            flag.release(held)
            return false
        }
        var dropped: Inner?
        if isClosed { waiting.refuse() } else { dropped = waiting.append(inner) }
        if isClosed || dropped != nil { admission.takeOut() }
        flag.release(held)
        if dropped != nil, let failure { strand.perform(on: self, with: failure) { $0.fail($1) } }
        // As in `dropWaiting()`.
        withExtendedLifetime(dropped) {}
        return true
    }

    /// The first waiting stream, which may run now.
    ///
    /// - Parameter taken: Called with the flag if there is one.
    @usableFromInline
    @inline(never)
    final func takeWaiting(_ taken: () -> Void = {}) -> Inner? {
        let held = flag.acquire()
        // Other ends may have taken the waiting streams.
        let isNone = admission.finish()
        let inner = isNone ? nil : waiting.popFirst()
        if inner != nil {
            taken()
            admission.takeOut()
        }
        flag.release(held)
        return inner
    }
}
