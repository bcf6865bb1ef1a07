internal import CCorinth
internal import Dispatch

/// A context that runs code on one thread at a time: the queue or the thread of a scheduler.
///
/// It records what the thread that runs it waits for. ``WaitGraph`` follows this edge.
@usableFromInline
@safe class SerialContext: @unchecked Sendable {  // The graph's flag guards its mutable field.
    /// The context on which this one runs: that of the target queue.
    final let outer: SerialContext?

    /// The permits for which the thread that runs this context sleeps. Guarded by the flag of `WaitGraph`. Not retained: the
    /// sleeping thread retains them. The lock-based build detects no deadlocks and leaves it nil.
    @safe @exclusivity(unchecked)
    final var blockedOn: Unmanaged<Permits>?

    init(in outer: SerialContext? = nil) {
        self.outer = outer
        blockedOn = nil
    }

    /// Whether the calling thread runs this context now. If so, the thread must not wait for this context.
    var isCurrent: Bool {
        var mine = SerialContext.current
        while let candidate = mine {
            if candidate === self { return true }
            mine = candidate.outer
        }
        return false
    }

    // MARK: Queues

    private static let key = DispatchSpecificKey<SerialContext>()

    /// The context of a serial queue. Returns the same one for every call.
    static func of(_ queue: DispatchQueue, targeting target: DispatchQueue? = nil) -> SerialContext {
        if let known = queue.getSpecific(key: key) { return known }
        let context = SerialContext(in: target?.getSpecific(key: key))
        queue.setSpecific(key: key, value: context)
        return context
    }

    // MARK: The calling thread

    /// The innermost context that the calling thread runs, if any.
    static var current: SerialContext? {
        ThreadState.current.context ?? DispatchQueue.getSpecific(key: key)
    }
}

extension ThreadState {
    /// The context that this thread runs during its whole lifetime: that of a thread scheduler. Not retained: the thread's
    /// loop retains it.
    var context: SerialContext? {
        get {
            guard let context = unsafe state.pointee.context else { return nil }
            return unsafe Unmanaged<SerialContext>.fromOpaque(context).takeUnretainedValue()
        }
        nonmutating set {
            unsafe state.pointee.context = newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        }
    }
}

/// A context with a closure that tells whether the calling thread runs it.
final class RunnerContext: SerialContext, @unchecked Sendable {  // See the superclass.
    private let isRunHere: @Sendable () -> Bool

    init(_ isRunHere: @escaping @Sendable () -> Bool) {
        self.isRunHere = isRunHere
        super.init()
    }

    override var isCurrent: Bool { isRunHere() }

    /// The context of work that a task does. A thread that runs a task must not wait for it: both may need the same thread of
    /// a pool.
    static let tasks = RunnerContext { unsafe withUnsafeCurrentTask { unsafe $0 != nil } }
}
