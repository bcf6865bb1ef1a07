/// A piece of work that waits for a strand, in the list that the strand's word points to.
///
/// `run` is a closure without captures, made where the subclass's types are known, and not a method: a method of a
/// generic class that is reached through its table would run unspecialised code.
@usableFromInline
@safe class StrandNode: @unchecked Sendable {  // Handed from the thread that pushes it to the owner that runs it.
    /// The node that was pushed before this one; after the owner has reversed the list, the one to run after it.
    ///
    /// Written by the pushing thread until the push, by the owner of the strand after it.
    @safe @exclusivity(unchecked)
    @usableFromInline final var next: Unmanaged<StrandNode>?

    /// The thread that pushed it: work of the owner's own doesn't count as help.
    @usableFromInline final let sender: UInt64

    @usableFromInline
    final let run: (StrandNode) -> Void

    @inlinable
    init(run: @escaping (StrandNode) -> Void) {
        next = nil
        self.sender = ThreadState.current.token
        self.run = run
    }
}

/// Work that no type is known of: changes to an observer list, and whatever else is not an event.
@usableFromInline
final class WorkNode: StrandNode, @unchecked Sendable {  // As its superclass.
    @usableFromInline let work: () -> Void

    @inlinable
    init(_ work: @escaping () -> Void) {
        self.work = work
        super.init { node in unsafe unsafeDowncast(node, to: WorkNode.self).work() }
    }
}
