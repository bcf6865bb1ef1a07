@usableFromInline
enum Filter {
    @inlinable @inline(__always)
    static func kernel<Next: Receiver>(
        into next: Next, _ isIncluded: @escaping (Next.Value) -> Bool
    ) -> Sink<Next.Value, Next.Error> {
        Sink(value: { if isIncluded($0) { next.receive($0) } }, termination: next.onTermination)
    }
}

extension Signal {
    /// Passes on the values for which `isIncluded` says so.
    @inlinable
    public func filter(_ isIncluded: sending @escaping (Value) -> Bool) -> Signal<Value, Error> {
        derive { Filter.kernel(into: $0, isIncluded) }
    }
}
