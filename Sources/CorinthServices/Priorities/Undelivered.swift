/// A value on its way through a buffer. If the buffer drops it, `onDrop` receives it.
@usableFromInline
final class Undelivered<Value>: Sendable {
    // Taken by the buffer's receiver or by the deinitialiser, and those don't run at the same time.
    @usableFromInline nonisolated(unsafe) var value: Value?
    @usableFromInline let onDrop: @Sendable (Value) -> Void

    @inlinable
    init(_ value: Value, onDrop: @escaping @Sendable (Value) -> Void) {
        unsafe self.value = value
        self.onDrop = onDrop
    }

    @inlinable
    deinit {
        if let value = take() { onDrop(value) }
    }

    @inlinable
    func take() -> Value? { unsafe value.take() }
}
