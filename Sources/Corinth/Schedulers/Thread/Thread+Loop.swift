internal import CCorinth

extension Thread {
    /// Starts a thread that runs a loop.
    static func start(named name: String, on processor: Int?, _ loop: ThreadLoop) {
        if let processor { requireUsable(processor) }
        let context = unsafe Unmanaged.passRetained(loop).toOpaque()
        let error = unsafe corinth_start_thread(
            name, processor.map { Int32($0) } ?? -1,
            // Handed over to the thread.
            { context in unsafe Unmanaged<ThreadLoop>.fromOpaque(context).takeRetainedValue().run() }, context)
        precondition(
            error == 0, "the system could not start the thread of the ThreadScheduler “\(name)”: error \(error)")
    }

    private static func requireUsable(_ processor: Int) {
        let isUsable = Int32(exactly: processor).map { corinth_may_use($0) } ?? false
        precondition(
            isUsable,
            corinth_can_bind()
                ? "affinity is \(processor), but must be one of the processors that this process may use: \(usable)"
                : "affinity is \(processor), but must be at least 0")
    }

    private static var usable: String {
        (0..<1024).filter { corinth_may_use($0) }.map { "\($0)" }.joined(separator: ", ")
    }
}

extension ThreadState {
    /// The loop of the thread scheduler that runs on this thread, for comparison.
    var loop: UnsafeMutableRawPointer? {
        get { unsafe state.pointee.loop }
        nonmutating set { unsafe state.pointee.loop = newValue }
    }

    /// Whether this thread may wait for capacity in a ring. It must not while it owns a strand, for which the ring's thread
    /// might wait, or during a termination, which never waits.
    var mayWaitForRing: Bool { ownsNone && !isEnding }
}
