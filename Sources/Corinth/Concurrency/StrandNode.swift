internal import CCorinth

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

    /// The thread that pushed it, or 0, and whether it takes a place in the inbox: a token is even.
    private final let origin: UInt64

    /// The thread that pushed it: work of the owner's own doesn't count as help. 0 if it is nobody's own.
    final var sender: UInt64 { origin & ~1 }

    /// How many places it takes in the inbox: 1, or 0 if it is no event.
    final var places: UInt64 { origin & 1 }

    @usableFromInline
    final let run: (StrandNode) -> Void

    /// Has the processor fetch the node at an address: what it is to do, and most inputs, take two cache lines.
    @inline(__always)
    static func prefetch(_ address: UnsafeMutableRawPointer) {
        unsafe corinth_prefetch_for_write(address)
        unsafe corinth_prefetch_for_write(address + 64)
    }

    @usableFromInline
    init(takesPlace: Bool = true, isForeign: Bool = false, run: @escaping (StrandNode) -> Void) {
        next = nil
        origin = (isForeign ? 0 : ThreadState.current.token) | (takesPlace ? 1 : 0)
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
    init(
        _ input: Input, for state: State, isForeign: Bool = false, _ work: @escaping (State, Input) -> Void
    ) {
        self.state = state
        self.input = input
        self.work = work
        super.init(isForeign: isForeign) { node in
            let node = unsafe unsafeDowncast(node, to: InputNode<State, Input>.self)
            node.work(node.state, node.input)
        }
    }
}

extension Strand {
    /// Runs `work` on its state as the owner of the strand: now if the strand is idle, else after what is queued. It waits for
    /// no place.
    ///
    /// For what comes once: ends, disposals, timers. The value path is written out where it is needed, around
    /// ``queue(_:for:_:)``: the closure is not inlined, and what it calls of the shim isn't either.
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
            enqueueAtOnce(InputNode(input, for: state, work))
        }
    }

    /// The same for ends and disposals that the user calls. They wait for nothing, run nothing that other threads have queued,
    /// and, on mutexes, don't wait for the one that a delivery holds. A disposal goes up a stream, and deliveries go down.
    ///
    /// - Parameter announce: Called before `work` is queued, if the strand isn't idle. Captures nothing either.
    @inlinable
    func performAtOnce<State: AnyObject, Input>(
        on state: State, with input: Input, _ work: @escaping (State, Input) -> Void,
        orQueueAfter announce: (State) -> Void = { _ in }
    ) {
        let thread = ThreadState.current
        thread.ends &+= 1
        if tryEnterAtOnce() {
            work(state, input)
            leave()
        } else {
            announce(state)
            enqueueAtOnce(InputNode(input, for: state, work))
        }
        thread.ends &-= 1
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

extension Strand {
    /// Runs `work` on its state as the owner of the strand: now if the strand is idle, else after what is queued, if there is a
    /// place. The caller waits for nothing. If `work` fills something that the caller would have to wait for, the strand stops
    /// in its stead.
    ///
    /// - Parameters:
    ///   - work: A closure without captures.
    ///   - queued: The same where the input had to wait.
    /// - Returns: Whether it has run, or will; false if there is no place.
    @inlinable
    func tryPerform<State: AnyObject, Input>(
        on state: State, with input: Input, _ work: (State, Input) -> Void,
        queued: @escaping (State, Input) -> Void
    ) -> Bool {
        if tryEnterToSendAtOnce() {
            let outer = takeOuterWaits()
            work(state, input)
            leaveAtOnce(restoring: outer)
            return true
        }
        guard tryTake() else { return false }
        enqueueWithoutWaiting(InputNode(input, for: state, queued), hasPlace: true)
        return true
    }
}

/// Work that no type is known of: changes to an observer list, and whatever else is not an event.
@usableFromInline
final class WorkNode: StrandNode, @unchecked Sendable {  // As its superclass.
    @usableFromInline let work: () -> Void

    @inlinable
    init(_ work: @escaping () -> Void) {
        self.work = work
        super.init(takesPlace: false) { node in unsafe unsafeDowncast(node, to: WorkNode.self).work() }
    }
}
