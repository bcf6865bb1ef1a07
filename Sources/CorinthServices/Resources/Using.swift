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
    /// The end of the stream is delivered when the resource has been released. A start that is disposed of ends at once, and the resource is
    /// released meanwhile; nothing cancels that. A resource is released exactly once, also if it comes when the start has been disposed of.
    ///
    /// - Parameters:
    ///   - acquire: Sends the resource. A further one is released at once. Its failure is forwarded; if it completes without a resource, so
    ///     does the result.
    ///   - body: Makes the producer of the values.
    ///   - release: Makes the producer that releases the resource. Its values don't matter.
    /// - Complexity: A constant number of allocations for each start.
    /// ## Concurrency
    /// The producers start where the event comes that is the reason: the resource, the end, or the disposal.
    @inlinable
    public static func using<Resource: Sendable, Released>(
        _ acquire: SignalProducer<Resource, Error>,
        body: @escaping @Sendable (Resource) -> SignalProducer<Value, Error>,
        release: @escaping @Sendable (Resource) -> SignalProducer<Released, Never>
    ) -> SignalProducer<Value, Error> {
        // If it isn't used, it is released by whoever drops it.
        acquire.map { Undelivered($0) { release($0).start() } }
            .take(first: 1)
            .flatMap(.concat) { acquired -> SignalProducer<Value, Error> in
                guard let resource = acquired.take() else { return .empty }
                let isReleased = Atomic(false)
                // Nothing cancels what it starts.
                let releasing = SignalProducer<Never, Never> { observer, _ in
                    if isReleased.swap(true) { return observer.sendCompleted() }
                    release(resource).start { if $0.isTerminating { observer.sendCompleted() } }
                }
                return body(resource)
                    .flatMapError { error in releasing.then(SignalProducer(error: error)) }
                    .concat(releasing.then(.empty))
                    .finally { releasing.start() }
            }
    }
}
