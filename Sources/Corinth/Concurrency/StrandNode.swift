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

/// An input for some state that the strand serialises: most often, an event for a signal.
@usableFromInline
final class InputNode<State: AnyObject, Input>: StrandNode, @unchecked Sendable {  // As its superclass.
    @usableFromInline let state: State
    @usableFromInline let input: Input
    @usableFromInline let work: (State, Input) -> Void

    @inlinable
    init(_ input: Input, for state: State, _ work: @escaping (State, Input) -> Void) {
        self.state = state
        self.input = input
        self.work = work
        super.init { node in
            let node = unsafe unsafeDowncast(node, to: InputNode<State, Input>.self)
            node.work(node.state, node.input)
        }
    }
}

extension Strand {
    /// Runs `work` on its state as the owner of the strand: now if the strand is idle, else after what is queued.
    ///
    /// For what comes once. The value path is written out where it is needed, around ``queue(_:for:_:)``: the closure is not
    /// inlined, and what it calls of the shim isn't either.
    ///
    /// - Parameter work: A closure without captures, so that nothing is allocated unless the input has to wait.
    @inlinable @inline(__always)
    func perform<State: AnyObject, Input>(
        on state: State, with input: Input, _ work: @escaping (State, Input) -> Void
    ) {
        if tryEnter() {
            work(state, input)
            leave()
        } else {
            queue(input, for: state, work)
        }
    }

    /// The same for disposals, which wait for nobody: neither for room nor, on mutexes, for the one that a delivery holds. A
    /// disposal goes up a stream, and deliveries go down.
    @inlinable
    func performAtOnce<State: AnyObject, Input>(
        on state: State, with input: Input, _ work: @escaping (State, Input) -> Void
    ) {
        if tryEnterAtOnce() {
            work(state, input)
            leave()
        } else {
            enqueueAtOnce(InputNode(input, for: state, work))
        }
    }

    /// Runs `work` on its state after what is queued.
    @inlinable
    @inline(never)
    func queue<State: AnyObject, Input>(
        _ input: Input, for state: State, _ work: @escaping (State, Input) -> Void
    ) {
        enqueue(InputNode(input, for: state, work))
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
