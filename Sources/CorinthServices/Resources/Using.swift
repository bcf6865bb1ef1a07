public import Corinth

extension SignalProducer {
    /// Makes a producer that uses a resource: each start acquires one of its own, and releases it at the end, which may take time.
    ///
    /// ```swift
    /// let rows = SignalProducer.using(pool.connection()) { connection in
    ///     connection.rows(of: query)
    /// } release: { connection in
    ///     .task { await connection.close() }
    /// }
    /// ```
    ///
    /// The end of the stream is delivered when the resource has been released. A start that is disposed of or interrupted ends at once, and
    /// the resource is released meanwhile; nothing cancels that. A resource is released exactly once, also if it comes when the start has
    /// been disposed of.
    ///
    /// - Parameters:
    ///   - acquire: Sends the resource. A further one is released at once. Its failure is forwarded; if it completes without a resource, so
    ///     does the result.
    ///   - body: Makes the producer of the values.
    ///   - release: Makes the producer that releases the resource. Called when it is to be released. Its values don't matter.
    /// - Complexity: A constant number of allocations for each start.
    /// ## Concurrency
    /// The producers start where the event comes that is the reason: the resource, the end, or the disposal.
    @inlinable
    public static func using<Resource: Sendable, Released>(
        _ acquire: SignalProducer<Resource, Error>,
        body: @escaping @Sendable (Resource) -> SignalProducer<Value, Error>,
        release: @escaping @Sendable (Resource) -> SignalProducer<Released, Never>
    ) -> SignalProducer<Value, Error> {
        SignalProducer { observer, lifetime in
            var isAcquired = false
            // If it isn't used, it is released by whoever drops it.
            let source = acquire.map { resource in (resource, Ticket { release(resource).start() }) }.take(first: 1)
            source.start(during: lifetime) { event in
                switch event {
                case .value((let resource, let ticket)):
                    ticket.take()
                    isAcquired = true
                    body(resource).start(observer, releasing: release(resource), during: lifetime)
                case .failed(let error): observer.send(error: error)
                case .completed: if !isAcquired { observer.sendCompleted() }
                case .interrupted: observer.sendInterrupted()
                }
            }
        }
    }

    /// Passes a completion or a failure on when `release` has ended, which is started once, also at a disposal, and which nothing cancels.
    @inlinable
    func start(
        _ observer: Signal<Value, Error>.Observer,
        releasing release: @autoclosure @escaping @Sendable () -> SignalProducer<some Any, Never>,
        during lifetime: Lifetime
    ) {
        let isReleased = Atomic(false)
        lifetime.observeEnded { if !isReleased.swap(true) { release().start() } }
        // Any thread may send to the observer of a start.
        nonisolated(unsafe) let observer = observer
        start(during: lifetime) { event in
            guard event.isCompleted || event.error != nil, !isReleased.swap(true) else {
                return unsafe observer.send(event)
            }
            let error = event.error
            release().start { released in
                guard released.isTerminating else { return }
                if let error { unsafe observer.send(error: error) } else { unsafe observer.sendCompleted() }
            }
        }
    }
}
