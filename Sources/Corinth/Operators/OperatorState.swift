/// What an operator remembers between two values. Owned by whoever delivers to it.
@usableFromInline
final class OperatorState<Value> {
    @safe @exclusivity(unchecked)
    @usableFromInline var value: Value

    @inlinable @inline(__always)
    init(_ value: Value) {
        self.value = value
    }
}
