public import Corinth
public import Dispatch

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SignalProducer where Value == [UInt8] {
    /// Starts this producer, and writes its values to a file, a pipe or a stream socket, until the end.
    ///
    /// ```swift
    /// try await answers.map { Array($0.utf8) }.write(to: connection, on: scheduler)
    /// ```
    ///
    /// It writes as fast as the peer reads. Meanwhile values wait in a buffer, and when that is full, so does whoever sends them:
    /// see ``BufferingPolicy``. No thread waits. Against a peer that never reads, cancel the task, or pass a policy that fails:
    /// that gives up at once what waits. Values that the producer sends while it starts exceed the bound, as those of
    /// ``values(bufferingPolicy:statistics:)`` do.
    ///
    /// The descriptor becomes non-blocking (`O_NONBLOCK`) for everyone who shares it, and stays so. This function watches a
    /// duplicate of it, and closes that. You close yours when you like; the peer sees the end of the bytes when the last descriptor
    /// is closed.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - scheduler: The scheduler on which it writes. Many may share it.
    ///   - policy: The overflow policy of the values that wait to be written. One that drops leaves gaps in the bytes.
    /// - Returns: How many bytes were written: all of the values of a producer that has completed.
    /// - Throws: The failure of the producer, after the bytes before it were written. ``SystemError`` if the system can't write
    ///   them, such as with `EPIPE` if the peer is gone; this raises no `SIGPIPE`. `CancellationError` if the task is cancelled or
    ///   the producer is interrupted: part of a value may have been written then. In each case, the start has been disposed of.
    /// - Complexity: One call of the system per value, or three if it isn't a socket, and no allocation; one wake-up of the
    ///   scheduler for each time that it has to wait for the peer.
    /// ## Concurrency
    /// The producer starts on the scheduler. Any thread may send its values. Writing to a file may wait for the disk, and holds up
    /// the scheduler meanwhile.
    @concurrent
    @discardableResult
    public func write(
        to descriptor: Int32, on scheduler: QueueScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .blocking(capacity: 16, stallTimeout: .never)
    ) async throws -> Int {
        let descriptor = try Descriptor(owning: try Descriptor.duplicate(of: descriptor))
        let watched = WatchedDescriptor(descriptor, for: .writing, on: scheduler.queue)
        defer { watched.end() }
        return try await withTaskExecutorPreference(scheduler) {
            // By its own end, by a policy that fails, or by the cancellation of the task.
            let isInterrupted = Atomic(false)
            let source = on(interrupted: {
                isInterrupted.value = true
                watched.goOn()
            })
            var turns = watched.turns.values(bufferingPolicy: .latest).makeAsyncIterator()
            var sum = 0
            for try await bytes in source.values(bufferingPolicy: policy) {
                var written = 0
                while written < bytes.count, !isInterrupted.value {
                    if let count = try descriptor.putBytes(bytes, from: written) {
                        written += count
                    } else {
                        try watched.wait()
                        if await turns.next() == nil { throw CancellationError() }
                    }
                }
                sum += written
            }
            if isInterrupted.value || Task.isCancelled { throw CancellationError() }
            return sum
        }
    }
}
