public import Corinth

extension Action where Input: Sendable {
    /// Starts that wait for their turn, where `apply` refuses a start while the action executes.
    ///
    /// ```swift
    /// let save = document.save.queuing(upTo: 16)
    /// save(version).start()
    /// ```
    ///
    /// - Parameter capacity: How many starts may wait. Others fail with ``ActionError/disabled``. At least 0.
    /// - Returns: The counterpart of `apply`. Its starts wait for each other, and for an execution that `apply` has begun before
    ///   their turn.
    /// ## Concurrency
    /// A start that has waited executes on the thread that has ended the one before it.
    @inlinable
    public func queuing(
        upTo capacity: Int = .max
    ) -> @Sendable (Input) -> SignalProducer<Output, ActionError<Error>> {
        let turns = Bulkhead(limit: 1, waiting: capacity)
        return { self.applyWhenIdle($0).limited(by: turns, raising: .disabled) }
    }

    /// Starts that share the execution that there is: each receives all of its values, and its end. Their inputs are not used.
    ///
    /// The execution is cancelled when all starts that share it have been disposed of.
    ///
    /// - Complexity: The values of an execution are kept until it ends.
    /// - Returns: The counterpart of `apply`. Its starts don't share executions that `apply` has begun.
    @inlinable
    public func joining() -> @Sendable (Input) -> SignalProducer<Output, ActionError<Error>> {
        let input = Atomic<Input?>(nil)
        let execution = SignalProducer<Output, ActionError<Error>> { observer, lifetime in
            guard let input = input.value else { preconditionFailure("an execution has no input") }
            self.applyWhenIdle(input).start(observer, during: lifetime)
        }
        .share(replay: .max)
        return { next in
            SignalProducer { observer, lifetime in
                input.value = next
                execution.start(observer, during: lifetime)
            }
        }
    }

    /// Starts of which each interrupts the one before it, and executes when that has ended.
    ///
    /// - Returns: The counterpart of `apply`. Its starts don't interrupt executions that `apply` has begun.
    @inlinable
    public func replacing() -> @Sendable (Input) -> SignalProducer<Output, ActionError<Error>> {
        let turns = Bulkhead(limit: 1)
        let latest = Atomic<Lifetime.Token?>(nil)
        return { input in
            SignalProducer { observer, lifetime in
                let (current, token) = Lifetime.make()
                lifetime.observeEnded { token.dispose() }
                let replaced = latest.swap(token)
                self.applyWhenIdle(input).limited(by: turns, raising: .disabled).start(observer, during: current)
                // This one waits already, so that none comes between the two.
                replaced?.dispose()
            }
        }
    }

    /// An execution ends after its end has been delivered, which is when the next one has its turn.
    @inlinable
    func applyWhenIdle(_ input: Input) -> SignalProducer<Output, ActionError<Error>> {
        SignalProducer { observer, lifetime in
            let execution = self.apply(input)
            let turn =
                self.isExecuting.value
                ? self.isExecuting.producer.filter { !$0 }.take(first: 1).then(execution) : execution
            turn.start(observer, during: lifetime)
        }
    }
}
