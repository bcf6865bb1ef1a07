@usableFromInline
enum FlattenSequences {
    @inlinable @inline(__always)
    static func kernel<Elements: Sequence, Next: StoppableReceiver>(
        into next: Next
    ) -> Sink<Elements, Next.Error> where Next.Value == Elements.Element {
        Sink(
            value: { elements in
                for element in elements {
                    if next.isStopped { break }
                    next.receive(element)
                }
            },
            termination: next.onTermination)
    }
}

extension Signal where Value: Sequence {
    /// Sends the elements of each value, one by one.
    ///
    /// - Complexity: O(elements) per value, without an allocation beside the iterator's own.
    /// ## Concurrency
    /// The elements of one value are sent in one go: an observer that gives up in between gets none of the rest, but they are
    /// iterated over, so a sequence should not be endless. On a producer it may be.
    @inlinable
    public func flatten() -> Signal<Value.Element, Error> {
        derive { FlattenSequences.kernel(into: $0) }
    }
}

extension SignalProducer where Value: Sequence {
    /// Sends the elements of each value, one by one, until the start is disposed of. See ``Signal/flatten()``.
    @inlinable
    public func flatten() -> SignalProducer<Value.Element, Error> {
        fuseStoppable(shared { FlattenSequences.kernel(into: $0) })
    }
}
