/// A strategy in which inner streams wait for their turn, in a buffer with a bound.
@usableFromInline
class QueuingFlatten<Next: Receiver>: Flatten<Next>, @unchecked Sendable {  // As its superclass, and a flag.
    /// Guards ``waiting``, for some instructions at a time.
    @inlinable
    final var flag: OwnerFlag {
        @inline(__always)
        get { OwnerFlag(of: self, at: 8) }
    }

    /// Streams that have not been started.
    @safe @exclusivity(unchecked)
    @usableFromInline final var waiting: Buffer<Inner>

    /// Whether the result has ended. Under the flag, too.
    @safe @exclusivity(unchecked)
    @usableFromInline final var isClosed = false

    /// How many inner streams may run.
    @usableFromInline final let limit: UInt

    /// What the result fails with when a stream finds no room; nil if it goes on.
    @usableFromInline final let failure: Next.Error?

    /// That of ``waiting``, and whose counts they are: what may be read without the flag.
    @usableFromInline final let bound: BufferBound
    @usableFromInline final let statistics: BufferStatistics?

    @inlinable
    init(_ output: JoinOutput<Next>, limit: UInt, _ buffering: Buffering<Next.Error>) {
        waiting = Buffer(buffering.bound, counting: buffering.statistics)
        self.limit = limit
        failure = buffering.failure
        bound = buffering.bound
        statistics = buffering.statistics
        super.init(output)
        guard statistics != nil else { return }
        // After the end, or when nobody needs the result any more.
        resources.add { self.strand.perform(on: self, with: ()) { flatten, _ in flatten.drop() } }
    }

    @usableFromInline
    final func drop() {
        isTerminated = true
        dropWaiting()
    }

    /// Drops the streams that wait: the result has ended.
    @usableFromInline
    func dropWaiting() {
        flag.acquire()
        isClosed = true
        let dropped = waiting.dropAll()
        flag.release()
        // Only now, as their release may run code of the user's.
        withExtendedLifetime(dropped) {}
    }

    /// Ends the result, and drops what waits.
    @inlinable
    final func fail(_ error: Next.Error) {
        dropWaiting()
        terminate(.failed(error))
    }

    /// Takes a stream in. Called by the thread that brings it.
    ///
    /// - Returns: Whether it is to run now. Else it waits, or was dropped.
    @inlinable
    final func takeIn(_ inner: Inner) -> Bool { admission.start(limit: limit) || !putOff(inner) }

    /// Counts a stream that need not wait. Called by the owner of the strand.
    @inlinable @inline(__always)
    final func countPassed() {
        guard let statistics else { return }
        statistics.countSent()
        if isTerminated { statistics.countDropped() } else { statistics.countDelivered() }
    }

    /// Has a stream wait, unless it may run by now.
    @usableFromInline
    @inline(never)
    final func putOff(_ inner: Inner) -> Bool {
        flag.acquire()
        if !admission.wait(limit: limit) {
            flag.release()
            // It stays true: nobody else brings any.
            return !admission.start(limit: limit)
        }
        var dropped: Inner?
        if isClosed { waiting.refuse() } else { dropped = waiting.append(inner) }
        if isClosed || dropped != nil { admission.takeOut() }
        flag.release()
        if dropped != nil, let failure { strand.perform(on: self, with: failure) { $0.fail($1) } }
        // As above.
        withExtendedLifetime(dropped) {}
        return true
    }

    /// The stream that is to run in place of one that has ended; nil if none waits.
    @inlinable
    final func takeTurn() -> Inner? { admission.finish() ? nil : takeWaiting() }

    @usableFromInline
    @inline(never)
    final func takeWaiting() -> Inner? {
        flag.acquire()
        // Others that ended may have taken what waited.
        let isNone = admission.finish()
        let inner = isNone ? nil : waiting.popFirst()
        if inner != nil { admission.takeOut() }
        flag.release()
        return inner
    }
}
