internal import CCorinth

/// Threads of the library's own.
enum Thread {
    /// Starts a thread that runs a loop.
    static func start(named name: String, on processor: Int?, _ loop: ThreadLoop) {
        if let processor { requireUsable(processor) }
        let context = unsafe Unmanaged.passRetained(loop).toOpaque()
        let error = unsafe corinth_start_thread(
            name, processor.map { Int32($0) } ?? -1,
            // Handed over to the thread.
            { context in unsafe Unmanaged<ThreadLoop>.fromOpaque(context).takeRetainedValue().run() }, context)
        precondition(error == 0, "the system starts no thread for the ThreadScheduler “\(name)”: error \(error)")
    }

    /// Starts a thread that runs `body`.
    ///
    /// - Returns: Whether the system has started one.
    static func tryStart(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        final class Body: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        // Handed over to the thread.
        let error = unsafe corinth_start_thread(
            name, -1, { context in unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }, context)
        if error != 0 { unsafe Unmanaged<Body>.fromOpaque(context).release() }
        return error == 0
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
    /// The loop of the thread scheduler whose thread this is, to compare with.
    var loop: UnsafeMutableRawPointer? {
        get { unsafe state.pointee.loop }
        nonmutating set { unsafe state.pointee.loop = newValue }
    }

    /// Whether this thread may wait for room in a ring: not while it owns a strand, for which the ring's thread might wait, and
    /// not in an end, which waits for nothing.
    var mayWaitForRing: Bool { owned <= ThreadState.deferredWaitOnly && ends == 0 }
}
