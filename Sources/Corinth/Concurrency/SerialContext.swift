internal import Dispatch

/// What runs code on one thread at a time: the queue or the thread of a scheduler.
///
/// It knows what the thread that runs it now waits for. ``WaitGraph`` follows that.
@usableFromInline
@safe class SerialContext: @unchecked Sendable {  // Its mutable field is guarded by the flag of the graph.
    /// The context on which this one runs in turn: of the queue that a queue targets.
    final let outer: SerialContext?

    #if !NaiveLocks
        /// What the thread that runs this waits for, if it sleeps. Guarded by the flag of ``WaitGraph``. Not retained: the
        /// sleeping thread does that.
        @safe @exclusivity(unchecked)
        final var blockedOn: Unmanaged<Permits>?
    #endif

    init(in outer: SerialContext? = nil) {
        self.outer = outer
        #if !NaiveLocks
            blockedOn = nil
        #endif
    }

    /// Whether the calling thread runs it now: what that thread waits for, this can't do.
    var isCurrent: Bool {
        var mine = SerialContext.current
        while let candidate = mine {
            if candidate === self { return true }
            mine = candidate.outer
        }
        return false
    }

    // MARK: Of queues

    private static let key = DispatchSpecificKey<SerialContext>()

    /// The context of a serial queue. The same one, whoever asks.
    static func of(_ queue: DispatchQueue, targeting target: DispatchQueue? = nil) -> SerialContext {
        if let known = queue.getSpecific(key: key) { return known }
        let context = SerialContext(in: target?.getSpecific(key: key))
        queue.setSpecific(key: key, value: context)
        return context
    }

    // MARK: Of the calling thread

    /// The innermost context that the calling thread runs, if it runs one.
    static var current: SerialContext? {
        ThreadLoop.current?.context ?? DispatchQueue.getSpecific(key: key)
    }
}

/// One that somebody else knows about.
final class RunnerContext: SerialContext, @unchecked Sendable {  // As its superclass.
    private let isRunHere: @Sendable () -> Bool

    init(_ isRunHere: @escaping @Sendable () -> Bool) {
        self.isRunHere = isRunHere
        super.init()
    }

    override var isCurrent: Bool { isRunHere() }
}
