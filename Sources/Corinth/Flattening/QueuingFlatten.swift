/// A strategy in which inner streams wait for their turn, in a buffer with a bound.
@usableFromInline
class QueuingFlatten<Next: Receiver>: Flatten<Next>, @unchecked Sendable {  // As its superclass.
    /// Streams that have not been started. Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline final var waiting: Buffer<Inner>

    /// What the result fails with when a stream finds no room; nil if it goes on.
    @usableFromInline final let failure: Next.Error?

    @inlinable
    init(_ output: JoinOutput<Next>, _ buffering: Buffering<Next.Error>) {
        waiting = Buffer(buffering.bound, counting: buffering.statistics)
        failure = buffering.failure
        super.init(output)
        guard buffering.statistics != nil else { return }
        // After the end, or when nobody needs the result any more.
        resources.add { self.strand.perform(on: self, with: ()) { flatten, _ in flatten.drop() } }
    }

    @usableFromInline
    final func drop() {
        isTerminated = true
        dropWaiting()
    }

    /// Lets go of what waits: there is no use in it any more.
    @usableFromInline
    func dropWaiting() { waiting.dropAll() }

    /// Ends the result, and drops what waits.
    @inlinable
    final func fail(_ error: Next.Error) {
        dropWaiting()
        terminate(.failed(error))
    }

    /// Takes a stream in, and says whether it may run now. Else it waits, or there is no use in it.
    ///
    /// - Parameter isFull: Whether as many run as may.
    @inlinable
    final func takeIn(_ inner: Inner, isFull: Bool) -> Bool {
        if isTerminated {
            waiting.refuse()
            return false
        }
        if !isFull {
            waiting.pass()
            return true
        }
        if !waiting.append(inner), let failure { fail(failure) }
        return false
    }
}
