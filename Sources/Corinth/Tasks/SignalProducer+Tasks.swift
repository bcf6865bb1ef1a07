@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SignalProducer where Value: Sendable {
    /// Makes a producer of the elements of an asynchronous sequence. Each start iterates it again, in a task of its own.
    ///
    /// ```swift
    /// SignalProducer(awaiting: connection.lines).observe(on: parser).startWithValues { parse($0) }
    /// ```
    ///
    /// The stream completes with the sequence, and fails with the error that the sequence throws. Disposing of a start
    /// cancels its task.
    ///
    /// - Parameters:
    ///   - elements: The sequence.
    ///   - priority: The priority of the task. nil for that of the task that starts the producer.
    /// - Complexity: A constant number of allocations for each start.
    /// ## Concurrency
    /// The task has the task-locals of the caller of `start`. It delivers the elements; observers run in the task, unless
    /// another thread is delivering. It requests the next element after the last one was delivered. While a hop downstream is
    /// full, the task is suspended, one element ahead of the hop.
    public init<Elements: AsyncSequence & Sendable>(awaiting elements: Elements, priority: TaskPriority? = nil)
    where Elements.Element == Value, Elements.Failure == Error {
        self = .generator(priority: priority) { output throws(Error) in
            var iterator = elements.makeAsyncIterator()
            while let element = try await iterator.next(isolation: nil) {
                guard await output.send(element) else { return }
            }
        }
    }

    /// Makes a producer of the result of an asynchronous operation. Each start runs it again, in a task of its own.
    ///
    /// ```swift
    /// let page = SignalProducer.task { () throws(LoadError) in try await loader.page(at: url) }
    /// ```
    ///
    /// The stream sends the result and completes, or fails with the error that the operation throws. Disposing of a start
    /// cancels its task; a result that comes later is dropped.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task. nil for that of the task that starts the producer.
    ///   - operation: The operation.
    /// - Complexity: A constant number of allocations for each start.
    /// ## Concurrency
    /// The task has the task-locals of the caller of `start`. The observers run in the task.
    public static func task(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws(Error) -> Value
    ) -> SignalProducer {
        generator(priority: priority) { output throws(Error) in
            await output.send(try await operation())
        }
    }

    /// Makes a producer of the values that an asynchronous function sends. Each start runs it again, in a task of its own.
    ///
    /// ```swift
    /// let pages = SignalProducer<Page, LoadError>.generator { output throws(LoadError) in
    ///     var next: URL? = first
    ///     while let url = next {
    ///         let page = try await loader.page(at: url)
    ///         guard await output.send(page) else { return }
    ///         next = page.next
    ///     }
    /// }
    /// ```
    ///
    /// The stream completes when the function returns, and fails with the error that it throws. Disposing of a start cancels
    /// its task. If the stream is disposed of or ends before, ``TaskOutput/send(_:)`` returns false.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task. nil for that of the task that starts the producer.
    ///   - body: Sends the values.
    /// - Complexity: A constant number of allocations for each start.
    /// ## Concurrency
    /// The task has the task-locals of the caller of `start`. `send` delivers in the task, unless another thread is delivering,
    /// and suspends the task while a hop downstream is full.
    public static func generator(
        priority: TaskPriority? = nil,
        _ body: @escaping @Sendable (_ output: TaskOutput<Value, Error>) async throws(Error) -> Void
    ) -> SignalProducer {
        SignalProducer(boundary: { _, sink, run in
            // The inbox has one permit, so that a task that is ahead of its observers is suspended.
            let input = ProducerInput(to: sink, in: run, through: Strand(capacity: 1))
            if input.isDisposed { return }
            let output = TaskOutput(input.makeObserver())
            let task = Task(priority: priority) {
                do throws(Error) {
                    if Task.isCancelled { return }
                    try await body(output)
                    output.observer.value?.sendCompleted()
                } catch {
                    output.observer.value?.send(error: error)
                }
            }
            input.resources.add(
                AnyDisposable {
                    task.cancel()
                    output.observer.value = nil
                })
        })
    }
}

/// The output of a generator: sends the values of one start. See ``SignalProducer/generator(priority:_:)``.
public struct TaskOutput<Value: Sendable, Error: Swift.Error>: Sendable {
    /// nil when the start has ended: a task that ignores its cancellation doesn't keep the stream's observers.
    let observer: Atomic<Signal<Value, Error>.Observer?>

    init(_ observer: Signal<Value, Error>.Observer) {
        self.observer = Atomic(observer)
    }

    /// Sends a value. Suspends the task while there is no permit for it, see ``Signal/Observer/suspendingSend(value:)``.
    ///
    /// - Returns: Whether the task goes on. False if it was cancelled, as by the disposal of the start: then the value isn't
    ///   sent.
    @discardableResult
    nonisolated(nonsending) public func send(_ value: Value) async -> Bool {
        guard let observer = observer.value else { return false }
        do throws(CancellationError) {
            try await observer.suspendingSend(value: value)
            return !Task.isCancelled
        } catch {
            return false
        }
    }
}
