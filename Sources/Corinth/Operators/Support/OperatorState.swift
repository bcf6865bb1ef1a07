/// An operator's state between two values. Owned by the thread that delivers to the operator.
@usableFromInline
final class OperatorState<Value> {
    @safe @exclusivity(unchecked)
    @usableFromInline var value: Value

    @inlinable @inline(__always)
    init(_ value: Value) {
        self.value = value
    }
}
