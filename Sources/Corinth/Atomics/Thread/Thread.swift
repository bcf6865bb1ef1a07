internal import CCorinth

/// The library's own threads.
enum Thread {
    /// Starts a thread that runs `body`.
    ///
    /// - Returns: Whether the thread was started.
    static func tryStart(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        final class Body: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        // The thread takes over the reference.
        let error = unsafe ccorinth_start_thread(
            name, nil, { context in unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }, context)
        if error != 0 { unsafe Unmanaged<Body>.fromOpaque(context).release() }
        return error == 0
    }
}
