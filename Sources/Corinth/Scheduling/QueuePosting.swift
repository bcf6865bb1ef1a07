internal import Dispatch

/// What a dispatch queue keeps for an errand.
///
/// An `async` costs a block, and a continuation that is freed on another thread than it was made on. A source of the
/// queue's costs nothing once it is there: it is queued itself. But one that is set off again while its handler is about
/// to return goes to the end of the queue only then, behind what others have queued meanwhile. So there are two, which take
/// turns: when the handler of one has begun, the other has returned, as the queue is serial.
final class QueuePosting: @unchecked Sendable {  // Its posts come one at a time.
    /// How often a source was set off: by turns, the first and the second. Posts come one at a time, but on any thread.
    private var turnStorage: UInt64 = 0

    /// Made at the second post: many an errand is posted once.
    private var sources: (any DispatchSourceUserDataAdd, any DispatchSourceUserDataAdd)?

    private var turn: AtomicWord { AtomicWord(of: self) }

    /// Runs an errand on a serial queue, after what is queued there.
    ///
    /// - Parameter completion: Called after each run. The same one for every post of an errand.
    static func post(
        _ errand: Errand, to queue: DispatchQueue, then completion: (@Sendable () -> Void)? = nil
    ) {
        guard let posting = errand.attachment as? QueuePosting else {
            errand.attachment = QueuePosting()
            queue.async {
                errand.run()
                completion?()
            }
            return
        }
        posting.setOff(errand, on: queue, completion)
    }

    private func setOff(_ errand: Errand, on queue: DispatchQueue, _ completion: (@Sendable () -> Void)?) {
        // acquire: sees the sources. Pairs with the release of the post before.
        let number = turn.load(.acquire)
        let pair = sources ?? (source(errand, queue, completion), source(errand, queue, completion))
        sources = pair
        turn.store(number + 1, .release)
        // Kept alive until it has run. The handler takes this over.
        _ = unsafe Unmanaged.passRetained(errand)
        // Last: from here on the errand may run, and be posted again on another thread.
        (number % 2 == 0 ? pair.0 : pair.1).add(data: 1)
    }

    private func source(
        _ errand: Errand, _ queue: DispatchQueue, _ completion: (@Sendable () -> Void)?
    ) -> any DispatchSourceUserDataAdd {
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        // The errand owns the source, and so must not be owned by it: each post retains it for one run.
        let posted = unsafe Unmanaged.passUnretained(errand)
        source.setEventHandler {
            unsafe posted.takeRetainedValue().run()
            completion?()
        }
        source.activate()
        return source
    }
}
