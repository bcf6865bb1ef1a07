public import Corinth

extension SignalProducer where Value == [UInt8], Error == SystemError {
    /// Reads a file, a pipe or a stream socket. Each start reads on from where the descriptor is.
    ///
    /// ```swift
    /// let input = QueueScheduler(name: "input")
    /// SignalProducer.bytes(of: STDIN_FILENO, on: input)
    ///     .lines(limit: 4_096)
    ///     .observe(on: worker, bufferingPolicy: .blocking(capacity: 64, stallTimeout: .never))
    ///     .startWithResult { handle($0) }
    /// ```
    ///
    /// A value is what one call of `read` has read. The stream completes at the end of the file, or when the peer has closed its
    /// side. It fails with the error of the system, such as `ECONNRESET`.
    ///
    /// ## Who closes the descriptor
    /// Whoever has opened it. A start makes a duplicate of the descriptor, watches that, and closes it. So you may close yours as
    /// soon as the start has begun. A connection is closed when its last descriptor is. To have the start close the only one, use
    /// ``bytes(upTo:on:opening:)``.
    ///
    /// The descriptor becomes non-blocking (`O_NONBLOCK`) for everyone who shares it, and stays so. Two starts at a time share the
    /// bytes: each byte goes to one of them.
    ///
    /// ## When the consumer is slow
    /// While a bounded buffer downstream is full, such as that of `observe(on:bufferingPolicy:)` or of `values(bufferingPolicy:)`,
    /// nothing is read, and no thread waits: the bytes stay with the system, which slows the peer down. What is read already is the
    /// capacity of the buffer and one chunk. The default capacity is that for small values, 16,384, and a stalled consumer gets one
    /// more capacity each 100 ms. For chunks, pass `.blocking(capacity: 16, stallTimeout: .never)` or similar.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor. It must be open when a start begins.
    ///   - chunk: How many bytes a value has at most. At least 1.
    ///   - scheduler: The scheduler on which the start reads and on which its callbacks run. Many starts may share it.
    /// - Complexity: For each chunk, one `read` and one allocation of `chunk` bytes, and a copy if it is less than half full. Each
    ///   time that the start has to wait, another `read`, which finds nothing, and one wake-up of the scheduler. While it waits, it
    ///   has one descriptor, and no memory for bytes.
    /// ## Concurrency
    /// Any thread may start it, and dispose of it at any time, also in a callback. The disposal doesn't wait for a `read` in
    /// progress; the descriptor is closed by the scheduler, after the callback in progress. A `read` of a file may wait for the
    /// disk, and holds up the scheduler meanwhile.
    public static func bytes(
        of descriptor: Int32, upTo chunk: Int = 65_536, on scheduler: QueueScheduler
    ) -> SignalProducer {
        bytes(upTo: chunk, on: scheduler) { () throws(SystemError) in try Descriptor.duplicate(of: descriptor) }
    }

    /// Reads a file, a pipe or a stream socket that each start opens anew, and closes. See ``bytes(of:upTo:on:)``.
    ///
    /// ```swift
    /// let words = SignalProducer.bytes(on: files) { () throws(SystemError) in
    ///     try SystemError.check("open", open("/usr/share/dict/words", O_RDONLY | O_CLOEXEC))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - chunk: How many bytes a value has at most. At least 1.
    ///   - scheduler: The scheduler on which the start reads and on which its callbacks run.
    ///   - open: Opens a descriptor that belongs to the start: it is closed once, however the start ends, and nobody else may close
    ///     it. If it throws, the start fails.
    /// ## Concurrency
    /// `open` runs once for each start, on the thread that starts. If it may block, start with ``start(on:)``.
    public static func bytes(
        upTo chunk: Int = 65_536, on scheduler: QueueScheduler,
        opening open: @escaping @Sendable () throws(SystemError) -> Int32
    ) -> SignalProducer {
        precondition(chunk >= 1, "chunk is \(chunk), but must be at least 1")
        return SignalProducer { observer, lifetime in
            let watched: WatchedDescriptor
            do throws(SystemError) {
                watched = WatchedDescriptor(try Descriptor(owning: try open()), for: .reading, on: scheduler.queue)
            } catch {
                scheduler.schedule { observer.send(error: error) }
                return
            }
            // The hop is what stops while a buffer downstream is full: its next turn isn't delivered until then.
            lifetime += watched.turns.observe(on: scheduler, bufferingPolicy: .unbounded).observeValues {
                // A turn that was queued before the end may come when the descriptor has been closed.
                if watched.hasEnded { return }
                do throws(SystemError) {
                    guard let bytes = try watched.descriptor.takeBytes(upTo: chunk) else { return try watched.wait() }
                    if bytes.isEmpty { return observer.sendCompleted() }
                    observer.send(value: bytes)
                    watched.goOn()
                } catch {
                    observer.send(error: error)
                }
            }
            lifetime.observeEnded { watched.end() }
            watched.goOn()
        }
    }
}
