extension BufferingPolicy {
    /// The default policy of a sequence of values: that of a hop to a scheduler with its own threads.
    @usableFromInline
    static var usualOfValues: BufferingPolicy {
        Strand.boundsHops ? blocking(capacity: Strand.defaultCapacity) : unbounded
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Signal where Value: Sendable {
    /// The values of this signal as an asynchronous sequence. Each iteration observes the signal.
    ///
    /// ```swift
    /// for await price in prices.values(bufferingPolicy: .latest) { await screen.show(price) }
    /// ```
    ///
    /// The sequence keeps the signal observable. See ``AsyncValues`` for its end, cancellation and concurrency.
    ///
    /// - Parameters:
    ///   - policy: The overflow policy of the values that the task hasn't requested yet. By default, 16,384 values wait, and
    ///     then the senders.
    ///   - statistics: Counts the values of all iterations as sent, delivered and dropped.
    /// - Complexity: A policy that drops or fails allocates its whole capacity for each iteration.
    @inlinable
    public func values(
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil
    ) -> AsyncValues<Value, Error> {
        AsyncValues(policy ?? .usualOfValues, counting: statistics, beginningAtOnce: true) { iteration in
            self.connect(to: iteration.sink, until: iteration.source)
        }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Signal where Value: Sendable {
    /// The values of this signal as an asynchronous sequence; a value that waits is replaced by a newer one of the same key.
    ///
    /// ```swift
    /// for await quote in quotes.values(latestBy: \.symbol) { await screen.show(quote) }
    /// ```
    ///
    /// The task gets keys in the order in which they came to have a value that waits, and the latest value of each. No more values wait
    /// than there are keys, and no sender waits. See ``AsyncValues`` for the end, cancellation and concurrency.
    ///
    /// - Parameters:
    ///   - key: Returns the key of a value. Runs once for each value and iteration, on the thread on which the signal delivers.
    ///   - statistics: Counts the values of all iterations as sent, delivered and dropped, and those that were replaced.
    /// - Complexity: A look into a dictionary per value, and no allocation, unless the key is new or comes back after a pause.
    @inlinable
    public func values<Key: Hashable & Sendable>(
        latestBy key: @escaping @Sendable (Value) -> Key, statistics: BufferStatistics? = nil
    ) -> some AsyncSequence<Value, Error> & Sendable {
        AsyncValues<ConflatedValue<Key, Value>, Error>(.unbounded, counting: nil, beginningAtOnce: true) { iteration in
            let sink = Conflation.kernel(into: iteration.sink, by: key, counting: statistics)
            self.connect(to: sink, until: iteration.source)
        }
        .compactMap { $0.take() }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SignalProducer where Value: Sendable {
    /// The values of this producer as an asynchronous sequence. Each iteration starts the producer.
    ///
    /// ```swift
    /// for try await page in pages.values() { show(page) }
    /// ```
    ///
    /// See ``AsyncValues`` for its end, cancellation and concurrency.
    ///
    /// - Parameters:
    ///   - policy: The overflow policy of the values that the task hasn't requested yet. By default, 16,384 values wait, and
    ///     then the senders.
    ///   - statistics: Counts the values of all iterations as sent, delivered and dropped.
    /// - Complexity: A policy that drops or fails allocates its whole capacity for each iteration.
    @inlinable
    public func values(
        bufferingPolicy policy: BufferingPolicy<Error>? = nil, statistics: BufferStatistics? = nil
    ) -> AsyncValues<Value, Error> {
        AsyncValues(policy ?? .usualOfValues, counting: statistics, beginningAtOnce: false) { iteration in
            let outside = Trampoline.stepOutside()
            self.connect(to: iteration.sink, until: iteration.source)
            Trampoline.goBack(outside)
        }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension PropertyProtocol where Value: Sendable {
    /// The current value, then the changes, as an asynchronous sequence.
    ///
    /// ```swift
    /// for await state in connection.state.values { await log(state) }
    /// ```
    ///
    /// Changes coalesce: a task that is slower than the changes gets the latest value, and none in between. The first
    /// value is the one at the first request. The sequence ends when the property is released; it doesn't keep the property.
    /// For every change, see ``values(bufferingPolicy:statistics:)``.
    @inlinable
    public var values: AsyncValues<Value, Never> { producer.values(bufferingPolicy: .latest) }

    /// The current value, then the changes, as an asynchronous sequence with an overflow policy. See
    /// ``SignalProducer/values(bufferingPolicy:statistics:)``.
    ///
    /// - Parameters:
    ///   - policy: The overflow policy of the changes that the task hasn't requested yet.
    ///   - statistics: Counts the values of all iterations as sent, delivered and dropped.
    @inlinable
    public func values(
        bufferingPolicy policy: BufferingPolicy<Never>, statistics: BufferStatistics? = nil
    ) -> AsyncValues<Value, Never> {
        producer.values(bufferingPolicy: policy, statistics: statistics)
    }
}
