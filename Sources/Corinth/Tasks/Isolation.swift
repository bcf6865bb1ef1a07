extension Signal where Value: Sendable {
    /// Observes every event on the actor to which the caller is isolated, or on another one.
    ///
    /// ```swift
    /// actor Store {
    ///     private var total = 0
    ///
    ///     func count(_ orders: Signal<Int, Never>) {
    ///         orders.observeValues(isolation: self) { self.total += $0 }
    ///     }
    /// }
    /// ```
    ///
    /// It is a hop, as `observe(on: ExecutorScheduler(actor: actor))`: events come in order, one hop for a burst, and
    /// `interrupted` overtakes the values that wait (law [C3](doc:Contracts#C3-Hops-keep-the-laws)). The observation keeps the
    /// actor until it ends.
    ///
    /// - Parameters:
    ///   - actor: The actor: `self`, `#isolation`, or a global actor's `shared`.
    ///   - action: Called on the actor.
    /// - Returns: A disposable that ends the observation; nil on a terminated signal. After a disposal on the actor, `action`
    ///   isn't called any more.
    /// ## Concurrency
    /// At most 16,384 values wait for the actor; then the senders do. A thread that runs a task never waits for it.
    @inlinable
    @discardableResult
    public func observe(
        isolation actor: isolated any Actor, _ action: @escaping (Event) -> Void
    ) -> (any Disposable)? {
        // Called on the actor alone, to which the caller is isolated, too.
        nonisolated(unsafe) let action = action
        return observe(on: ExecutorScheduler(actor: actor)).observe { unsafe action($0) }
    }

    /// Observes every event on the main actor, through a ``UIScheduler``.
    ///
    /// ```swift
    /// results.observe(on: MainActor.self) { [weak label] event in label?.text = "\(event)" }
    /// ```
    ///
    /// An event that is sent on the main thread is delivered at once if none is queued. Otherwise there is one hop for a burst.
    ///
    /// - Parameters:
    ///   - actor: `MainActor.self`.
    ///   - action: Called on the main actor.
    /// - Returns: A disposable that ends the observation; nil on a terminated signal.
    @inlinable
    @discardableResult
    public func observe(
        on actor: MainActor.Type, _ action: @escaping @MainActor (Event) -> Void
    ) -> (any Disposable)? {
        observe(on: UIScheduler()).observe { event in MainActor.call(action, with: event) }
    }
}

extension Signal where Value: Sendable, Error == Never {
    /// Observes the values on the actor to which the caller is isolated. See ``observe(isolation:_:)``.
    @inlinable
    @discardableResult
    public func observeValues(
        isolation actor: isolated any Actor, _ action: @escaping (Value) -> Void
    ) -> (any Disposable)? {
        observe(isolation: actor) { if case .value(let value) = $0 { action(value) } }
    }

    /// Observes the values on the main actor. See ``observe(on:_:)``.
    @inlinable
    @discardableResult
    public func observeValues(
        on actor: MainActor.Type, _ action: @escaping @MainActor (Value) -> Void
    ) -> (any Disposable)? {
        observe(on: UIScheduler()).observeValues { value in MainActor.call(action, with: value) }
    }
}

extension SignalProducer where Value: Sendable {
    /// Starts this producer, and observes every event on the actor to which the caller is isolated, or on another one. See
    /// ``Signal/observe(isolation:_:)``.
    ///
    /// - Parameters:
    ///   - actor: The actor.
    ///   - action: Called on the actor.
    /// - Returns: A disposable that interrupts the start.
    /// ## Concurrency
    /// The producer starts on the calling thread.
    @inlinable
    @discardableResult
    public func start(
        isolation actor: isolated any Actor, _ action: @escaping (Signal<Value, Error>.Event) -> Void
    ) -> any Disposable {
        nonisolated(unsafe) let action = action
        return observe(on: ExecutorScheduler(actor: actor)).start { unsafe action($0) }
    }

    /// Starts this producer, and observes every event on the main actor. See ``Signal/observe(on:_:)``.
    @inlinable
    @discardableResult
    public func start(
        on actor: MainActor.Type, _ action: @escaping @MainActor (Signal<Value, Error>.Event) -> Void
    ) -> any Disposable {
        observe(on: UIScheduler()).start { event in MainActor.call(action, with: event) }
    }
}

extension SignalProducer where Value: Sendable, Error == Never {
    /// Starts this producer, and observes the values on an actor. See ``start(isolation:_:)``.
    @inlinable
    @discardableResult
    public func startWithValues(
        isolation actor: isolated any Actor, _ action: @escaping (Value) -> Void
    ) -> any Disposable {
        start(isolation: actor) { if case .value(let value) = $0 { action(value) } }
    }

    /// Starts this producer, and observes the values on the main actor. See ``Signal/observe(on:_:)``.
    @inlinable
    @discardableResult
    public func startWithValues(
        on actor: MainActor.Type, _ action: @escaping @MainActor (Value) -> Void
    ) -> any Disposable {
        observe(on: UIScheduler()).startWithValues { value in MainActor.call(action, with: value) }
    }
}
