extension Action {
    /// Makes an action that is always enabled and depends on the value of a property.
    ///
    /// - Parameters:
    ///   - state: The property. The action keeps it.
    ///   - execute: Makes the producer of one execution from the value of the property and the input.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<State: PropertyProtocol>(
        state: State, execute: @escaping @Sendable (State.Value, Input) -> SignalProducer<Output, Error>
    ) {
        self.init(state: state, enabledIf: { _ in true }, execute: execute)
    }

    /// Makes an action that is enabled while a property is true.
    ///
    /// - Parameters:
    ///   - isEnabled: The property. The action keeps it.
    ///   - execute: Makes the producer of one execution.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<P: PropertyProtocol>(
        enabledIf isEnabled: P, execute: @escaping @Sendable (Input) -> SignalProducer<Output, Error>
    ) where P.Value == Bool {
        self.init(state: isEnabled, enabledIf: { $0 }, execute: { _, input in execute(input) })
    }

    /// Makes an action that is enabled while the value of a property isn't nil.
    ///
    /// - Parameters:
    ///   - state: The property. The action keeps it.
    ///   - execute: Makes the producer of one execution from the unwrapped value and the input.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<P: PropertyProtocol, T>(
        unwrapping state: P, execute: @escaping @Sendable (T, Input) -> SignalProducer<Output, Error>
    ) where P.Value == T? {
        self.init(
            state: state, enabledIf: { $0 != nil },
            execute: { value, input in
                guard let value else { preconditionFailure("an action was executed while it was not enabled") }
                return execute(value, input)
            })
    }

    /// Makes an action that is enabled while the value of a validating property is valid or coerced.
    ///
    /// - Parameters:
    ///   - state: The property. The action keeps its results.
    ///   - execute: Makes the producer of one execution from the valid or coerced value and the input.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<T, E: Swift.Error>(
        validated state: ValidatingProperty<T, E>,
        execute: @escaping @Sendable (T, Input) -> SignalProducer<Output, Error>
    ) {
        self.init(unwrapping: state.result.map { $0.value }, execute: execute)
    }

    /// Makes an action that is always enabled.
    ///
    /// - Parameter execute: Makes the producer of one execution.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init(execute: @escaping @Sendable (Input) -> SignalProducer<Output, Error>) {
        self.init(state: AlwaysEnabled.state, execute: { _, input in execute(input) })
    }
}

extension Action where Input == Void {
    /// Makes an action without an input that is always enabled and depends on the value of a property.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<State: PropertyProtocol>(
        state: State, execute: @escaping @Sendable (State.Value) -> SignalProducer<Output, Error>
    ) {
        self.init(state: state, execute: { value, _ in execute(value) })
    }

    /// Makes an action without an input that is enabled while the value of a property isn't nil.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<P: PropertyProtocol, T>(
        unwrapping state: P, execute: @escaping @Sendable (T) -> SignalProducer<Output, Error>
    ) where P.Value == T? {
        self.init(unwrapping: state, execute: { value, _ in execute(value) })
    }

    /// Makes an action without an input that is enabled while the value of a validating property is valid or coerced.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<T, E: Swift.Error>(
        validated state: ValidatingProperty<T, E>,
        execute: @escaping @Sendable (T) -> SignalProducer<Output, Error>
    ) {
        self.init(validated: state, execute: { value, _ in execute(value) })
    }
}

/// The state of actions that don't depend on a property.
@usableFromInline
enum AlwaysEnabled {
    @usableFromInline static let state = Property<Void>(value: ())
}
