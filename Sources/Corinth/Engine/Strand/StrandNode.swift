internal import CCorinth

/// Work queued for a strand, in the list to which the strand's word points.
///
/// `run` is a closure without captures, made where the subclass's types are known. It isn't a method: a method of a generic
/// class called through its table runs unspecialised code.
@usableFromInline
@safe class StrandNode: @unchecked Sendable {  // The push hands it to the owner that runs it.
    /// The node pushed before this one. After the owner has reversed the list, the node to run after this one.
    ///
    /// Owned by the pushing thread until the push, then by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline final var next: Unmanaged<StrandNode>?

    /// What the work is done on, so that it isn't released before. Retained, unless ``isKeptByList``.
    @safe
    @usableFromInline final let state: Unmanaged<AnyObject>?

    /// The pushing thread's token or 0, and where a token has zeros: in the two lowest bits whether it takes permits and
    /// ``isKeptByList``, and in the three highest the binary logarithm of how many events there is room for.
    private final let origin: UInt64

    /// The pushing thread's token, or 0 if the node counts as foreign to every thread. The owner's own work doesn't count as
    /// help.
    final var sender: UInt64 { origin & (1 << 61 - 4) }

    /// How many permits it takes, one for each event that there is room for: 0 if it isn't an event.
    final var permits: UInt64 { (origin & 1) << (origin >> 61) }

    /// Whether it is a ``EventBurst``.
    final var isBurst: Bool { origin >> 61 != 0 }

    /// Whether the list retains the state while this node is queued, once for all such nodes. The state is the object whose
    /// strand it is: that of all of them. While the node isn't queued, the pushing thread has a reference.
    private final var isKeptByList: Bool { origin & 2 != 0 }

    /// What the list must retain.
    @safe final var keeper: Unmanaged<AnyObject>? { isKeptByList ? state : nil }

    @usableFromInline
    final let run: (StrandNode) -> Void

    /// Prefetches the node at an address: most nodes take one cache line or two.
    @inline(__always)
    static func prefetch(_ address: UnsafeMutableRawPointer) {
        unsafe ccorinth_prefetch_for_write(address)
        unsafe ccorinth_prefetch_for_write(address + 64)
    }

    @safe
    @usableFromInline
    init(
        on state: Unmanaged<AnyObject>? = nil, isKeptByList: Bool = false, takesPermit: Bool = true,
        isForeign: Bool = false, size: Int = 0, run: @escaping (StrandNode) -> Void
    ) {
        next = nil
        unsafe self.state = state
        if !isKeptByList { _ = unsafe state?.retain() }
        origin =
            (isForeign ? 0 : ThreadState.current.token) | (takesPermit ? 1 : 0) | (isKeptByList ? 2 : 0)
            | UInt64(size) << 61
        self.run = run
    }

    deinit {
        if !isKeptByList { unsafe state?.release() }
    }

    /// Runs work on the state.
    @inlinable @inline(__always)
    final func withState<State: AnyObject>(_ type: State.Type, _ work: (State) -> Void) {
        unsafe state.unsafelyUnwrapped._withUnsafeGuaranteedRef { unsafe work(unsafeDowncast($0, to: type)) }
    }
}

/// An object whose events a strand serialises.
@usableFromInline
protocol EventTarget: AnyObject {
    associatedtype QueuedValue
    func deliverQueued(_ value: QueuedValue)
}

/// An event for a signal, which the strand serialises. It has 64 bytes, a cache line, if its value is a word.
@usableFromInline
final class EventNode<Target: EventTarget>: StrandNode, @unchecked Sendable {  // See the superclass.
    @usableFromInline let value: Target.QueuedValue

    /// - Parameters:
    ///   - target: Whose event it is.
    ///   - isKeptByList: Only if `target` is the object whose strand it is.
    @inlinable
    init(_ value: Target.QueuedValue, for target: Target, isKeptByList: Bool) {
        self.value = value
        super.init(on: unsafe .passUnretained(target), isKeptByList: isKeptByList) { node in
            let node = unsafe unsafeDowncast(node, to: EventNode.self)
            node.withState(Target.self) { $0.deliverQueued(node.value) }
        }
    }
}

/// An input for a state that the strand serialises. Unlike an ``EventNode``, it stores what is done with it, so that one function
/// makes all of them: work that each call site writes out takes 33 KB more in an optimised program.
@usableFromInline
final class InputNode<State: AnyObject, Input>: StrandNode, @unchecked Sendable {  // See the superclass.
    @usableFromInline let input: Input
    @usableFromInline let work: (State, Input) -> Void

    @inlinable
    init(
        _ input: Input, for state: State, isForeign: Bool = false, _ work: @escaping (State, Input) -> Void
    ) {
        self.input = input
        self.work = work
        super.init(on: unsafe .passUnretained(state), isForeign: isForeign) { node in
            let node = unsafe unsafeDowncast(node, to: InputNode<State, Input>.self)
            node.withState(State.self) { node.work($0, node.input) }
        }
    }
}

extension Strand {
    /// Runs `work` on its state as the strand's owner: now if the strand is idle, otherwise after all queued nodes. It waits
    /// for no permit.
    ///
    /// For rare operations: terminations, disposals, timers. Values take ``send(_:to:_:queued:)``: here, the closure isn't
    /// inlined, and neither are its calls of the shim.
    ///
    /// - Parameter work: A closure without captures, so nothing is allocated unless the input is queued.
    @inlinable @inline(__always)
    func perform<State: AnyObject, Input>(
        on state: State, with input: Input, _ work: @escaping (State, Input) -> Void
    ) {
        if let owned = enter() {
            work(state, input)
            leave(owned)
        } else {
            enqueue(InputNode(input, for: state, work), .atOnce)
        }
    }

    /// The same for values. The caller waits for a permit if the inbox is full.
    ///
    /// A caller that captures the strand captures it separately: if reached through its state, it would be retained for each
    /// value.
    ///
    /// - Parameters:
    ///   - input: Evaluated only if it is queued.
    ///   - work: Runs now, if the strand is idle. The compiler inlines an autoclosure always, other closures only if they are
    ///     small.
    ///   - queued: The same work for a queued input. It has no captures.
    @inlinable @inline(__always)
    func send<State: AnyObject, Input>(
        _ input: @autoclosure () -> Input, to state: State, _ work: @autoclosure () -> Void,
        queued: @escaping (State, Input) -> Void
    ) {
        if let owned = enter() {
            work()
            leave(owned)
        } else {
            queue(input(), for: state, queued)
        }
    }

    /// The same for terminations and disposals that user code calls. They don't wait, and they don't run nodes of other
    /// threads. With mutexes, they don't wait for the mutex held by a delivery. A disposal goes upstream, deliveries go
    /// downstream.
    ///
    /// - Parameter announce: Called before `work` is queued, if the strand isn't idle. It has no captures either.
    @inlinable
    func performAtOnce<State: AnyObject, Input>(
        on state: State, with input: Input, _ work: @escaping (State, Input) -> Void,
        orQueueAfter announce: (State) -> Void = { _ in }
    ) {
        ThreadState.ending {
            if let owned = enterAtOnce() {
                work(state, input)
                leave(owned)
            } else {
                announce(state)
                enqueue(InputNode(input, for: state, work), .atOnce)
            }
        }
    }

    /// Runs `work` on its state after all queued nodes.
    @inlinable
    @inline(never)
    func queue<State: AnyObject, Input>(
        _ input: Input, for state: State, _ work: @escaping (State, Input) -> Void
    ) {
        enqueue(InputNode(input, for: state, work), .inTurn)
    }
}

extension Strand {
    /// Runs `work` as the strand's owner: now if the strand is idle, otherwise after all queued nodes, if there is a permit. The
    /// caller doesn't wait. If `work` exceeds a bound for which the caller would have to wait, the strand stops instead, and a
    /// task is suspended.
    ///
    /// - Parameters:
    ///   - mode: Whether a task sends, and the waiter for a permit if none is free.
    ///   - makeNode: Makes a node of the same work.
    /// - Returns: Whether it has run or will run. It is refused if there is no permit.
    @inlinable
    func tryPerform(
        _ mode: SendMode, _ work: @autoclosure () -> Void, orQueue makeNode: @autoclosure () -> StrandNode
    ) -> SendAttempt {
        // An event that has a permit is queued: the strand gives the permit back when it takes the event from the queue.
        if mode.waiter?.hasPermit != true, let owned = enterToSendAtOnce() {
            let delivery = setWaitsAside(owned)
            work()
            return leave(delivery, suspending: mode.suspends)
        }
        guard tryTake(for: mode.waiter) else { return .refused }
        return attempt(makeNode(), .taken, suspending: mode.suspends)
    }
}

/// Work that was queued in the delivery of a bound property's change, and is part of it.
final class ChangeNode: StrandNode, @unchecked Sendable {  // See the superclass.
    private let node: StrandNode
    private let change: ChangeStamp

    private init(_ node: StrandNode, of change: ChangeStamp) {
        self.node = node
        self.change = change
        super.init(
            on: node.keeper, isKeptByList: unsafe node.keeper != nil, takesPermit: node.permits > 0,
            isForeign: node.sender == 0
        ) { node in
            let node = unsafe unsafeDowncast(node, to: ChangeNode.self)
            ThreadState.current.during(node.change) { node.node.run(node.node) }
        }
    }

    /// The node as part of the change that this thread delivers, if there is one.
    @inline(__always)
    static func keeping(_ node: StrandNode, by thread: ThreadState) -> StrandNode {
        thread.change == .none ? node : ChangeNode(node, of: thread.change)
    }
}

/// Work without a known type: changes of an observer list, and other work that isn't an event.
@usableFromInline
final class WorkNode: StrandNode, @unchecked Sendable {  // See the superclass.
    @usableFromInline let work: () -> Void

    /// - Parameter takesPermit: Whether it counts as an event of the strand's inbox.
    @inlinable
    init(takesPermit: Bool = false, _ work: @escaping () -> Void) {
        self.work = work
        super.init(takesPermit: takesPermit) { node in unsafe unsafeDowncast(node, to: WorkNode.self).work() }
    }
}
