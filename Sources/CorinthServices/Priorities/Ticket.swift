/// Goes through a buffer with a value, or for one. If the buffer drops it, `onDrop` is called.
///
/// Not generic, so that its deinitialiser looks up no types.
@usableFromInline
final class Ticket: Sendable {
    @usableFromInline let onDrop: @Sendable () -> Void

    // Set by the buffer's receiver, and read by the deinitialiser, which come one after the other.
    @safe @exclusivity(unchecked)
    @usableFromInline nonisolated(unsafe) var isTaken = false

    @inlinable
    init(onDrop: @escaping @Sendable () -> Void) { self.onDrop = onDrop }

    @inlinable
    deinit {
        if !isTaken { onDrop() }
    }

    /// It has arrived.
    @inlinable
    func take() { isTaken = true }
}
