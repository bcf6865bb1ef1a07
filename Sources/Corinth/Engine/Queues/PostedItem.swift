/// A ``WorkItem`` in a ``RunQueue``. The work item keeps one for its next post.
final class PostedItem: RunNode, @unchecked Sendable {  // The flag says who owns the work item.
    /// Owned by the posting code while this is free, and by the queue's thread until then.
    @safe @exclusivity(unchecked)
    private var workItem: WorkItem?

    private let isQueued = AtomicFlag()

    /// A node for one run of a work item: the kept one, unless an earlier post has not run yet.
    static func node(for workItem: WorkItem) -> PostedItem {
        let node: PostedItem
        // acquire: the run has taken the work item. Pairs with the release in `run()`.
        if let kept = workItem.attachment as? PostedItem, !kept.isQueued.isRaised(.acquire) {
            node = kept
        } else {
            node = PostedItem()
            workItem.attachment = node
        }
        PlainAccess.write(node)
        node.workItem = workItem
        // relaxed: only the posting code raises it. The queue publishes the node.
        node.isQueued.store(.raised, .relaxed)
        return node
    }

    override func run() {
        PlainAccess.write(self)
        let workItem = workItem.take()
        // release: see `node(for:)`.
        isQueued.store(.lowered, .release)
        workItem?.run()
    }
}
