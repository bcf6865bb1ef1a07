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
    /// - Complexity: O(elements) per value. No allocation except those of the iterator.
    /// ## Concurrency
    /// All elements of a value are sent during one event. An observer that is disposed of in between receives no more of
    /// them, but the iteration continues. A signal's sequences must therefore be finite. A producer stops the iteration, so
    /// its sequences may be infinite.
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
