/// What a ``RunQueue`` runs.
class RunNode: StackNode, @unchecked Sendable {  // The queue's stack says who owns the link.
    @safe @exclusivity(unchecked)
    final var below: UInt64 = 0

    /// Called once for each push.
    func run() {}
}

/// Work in FIFO order, with one wake-up for a burst.
///
/// Whoever pushes onto an empty queue wakes its thread. What is pushed until the thread comes is run by the same wake-up. The
/// thread takes everything at once, and what is pushed from then on wakes it again: so of what was pushed before the thread was
/// asked for something else, nothing runs after that.
struct RunQueue: ~Copyable, Sendable {
    private let nodes = AtomicStack()

    /// Whether more than the running node was taken.
    // relaxed: for the thread that runs the nodes.
    private let hasMore = AtomicFlag()

    /// - Returns: Whether to wake the thread, which then calls ``runAll()`` once. Wake-ups come one at a time, in order.
    // release: see the stack. Pairs with the acquire in `runAll()`.
    func push(_ node: RunNode) -> Bool { nodes.push(node) }

    /// Runs what has been pushed.
    func runAll() {
        var rest = nodes.takeAllInOrder(RunNode.self)
        while let node = rest {
            rest = node.takeBelow()
            hasMore.store(rest == nil ? .lowered : .raised, .relaxed)
            node.run()
        }
    }

    /// Whether something waits for the running node to end. For that node.
    var hasWaiting: Bool { hasMore.isRaised(.relaxed) || !nodes.isEmpty }
}
