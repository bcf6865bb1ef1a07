internal import Dispatch

/// Posts a work item to a dispatch queue. The work item keeps it between posts.
///
/// An `async` call costs a block, and a continuation that is freed on another thread than the one that made it. A dispatch
/// source costs nothing after its creation: the source itself is queued. But a source that is triggered while its handler is
/// about to return is only then appended to the queue, behind later work of other threads. So there are two sources that
/// alternate. When the handler of one has begun, that of the other has returned, because the queue is serial.
final class DispatchSourcePoster: @unchecked Sendable {  // Posts come one at a time.
    /// How often a source was triggered: first and second alternate. Posts come one at a time, but on any thread.
    private var postsStorage: UInt64 = 0

    /// Made at the second post: many work items are posted once.
    private var sources: (any DispatchSourceUserDataAdd, any DispatchSourceUserDataAdd)?

    private var posts: AtomicWord { AtomicWord(of: self) }

    private init() {
        assert(posts.isStored(in: &postsStorage))
    }

    /// Runs a work item on a serial queue, in FIFO order.
    ///
    /// - Parameter completion: Called after each run. The same one for every post of a work item.
    static func post(
        _ workItem: WorkItem, to queue: DispatchQueue, then completion: (@Sendable () -> Void)? = nil
    ) {
        guard let poster = workItem.attachment as? DispatchSourcePoster else {
            workItem.attachment = DispatchSourcePoster()
            queue.async {
                workItem.run()
                completion?()
            }
            return
        }
        poster.setOff(workItem, on: queue, completion)
    }

    private func setOff(_ workItem: WorkItem, on queue: DispatchQueue, _ completion: (@Sendable () -> Void)?) {
        // acquire: sees the sources. Pairs with the release of the previous post.
        let number = posts.load(.acquire)
        let pair = sources ?? (source(workItem, queue, completion), source(workItem, queue, completion))
        sources = pair
        posts.store(number + 1, .release)
        // Retained until it has run. The handler takes over the reference.
        _ = unsafe Unmanaged.passRetained(workItem)
        // Last: from here on the work item may run, and another thread may post it again.
        (number % 2 == 0 ? pair.0 : pair.1).add(data: 1)
    }

    private func source(
        _ workItem: WorkItem, _ queue: DispatchQueue, _ completion: (@Sendable () -> Void)?
    ) -> any DispatchSourceUserDataAdd {
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        // The work item owns the source, so the source must not own the work item: each post retains it for one run.
        let posted = unsafe Unmanaged.passUnretained(workItem)
        source.setEventHandler {
            unsafe posted.takeRetainedValue().run()
            completion?()
        }
        source.activate()
        return source
    }
}
