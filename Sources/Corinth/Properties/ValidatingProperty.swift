/// A property that validates each proposed value, and stores the result of the validation.
///
/// ```swift
/// let age = ValidatingProperty<Int, AgeError>(18) { $0 >= 0 ? .valid : .invalid(.negative) }
/// age.value = -1
/// print(age.value, age.result.value)  // prints 18 invalid(-1, negative)
/// ```
///
/// It wraps an inner property, which receives the valid and the coerced values. A value that is set directly on the inner
/// property is validated, too. It keeps the inner property.
///
/// ## Concurrency
/// See ``MutableProperty``. The validator runs while other changes wait, and must not change the property. Setting ``value``
/// sets ``result`` at once, and delivers the result before the value. Setting the inner property sets ``result`` when the inner
/// change is delivered.
public final class ValidatingProperty<Value, ValidationError: Swift.Error>:
    MutablePropertyProtocol
{
    /// The decision of a validator about a value.
    public enum Decision {
        /// The value is accepted.
        case valid
        /// Another value is accepted instead, with an optional reason.
        case coerced(Value, ValidationError?)
        /// The value is rejected.
        case invalid(ValidationError)
    }

    /// The result of the last proposed value.
    public enum Result {
        /// The value was accepted.
        case valid(Value)
        /// Another value was accepted instead, with an optional reason.
        case coerced(replacement: Value, proposed: Value, error: ValidationError?)
        /// The value was rejected.
        case invalid(Value, ValidationError)

        /// Whether the value was rejected.
        public var isInvalid: Bool {
            if case .invalid = self { true } else { false }
        }

        /// The accepted value. nil if the value was rejected.
        public var value: Value? {
            switch self {
            case .valid(let value), .coerced(replacement: let value, _, _): value
            case .invalid: nil
            }
        }

        /// The reason for a rejection. nil if the value was accepted: that of a coercion is in ``coerced(replacement:proposed:error:)``.
        public var error: ValidationError? {
            if case .invalid(_, let error) = self { error } else { nil }
        }

        /// The proposed value.
        var proposed: Value {
            switch self {
            case .valid(let value), .coerced(_, let value, _), .invalid(let value, _): value
            }
        }

        init(_ value: Value, _ decision: Decision) {
            self =
                switch decision {
                case .valid: .valid(value)
                case .coerced(let replacement, let error):
                    .coerced(replacement: replacement, proposed: value, error: error)
                case .invalid(let error): .invalid(value, error)
                }
        }
    }

    private let getter: () -> Value
    private let setter: (Value) -> Void

    /// Disposed of with the property.
    private let resources = CompositeDisposable()

    /// The result of the last proposed value.
    public let result: Property<Result>

    /// Every change of the stored value.
    public let signal: Signal<Value, Never>

    /// The current value, then every change.
    public let producer: SignalProducer<Value, Never>

    /// Ends when the inner property is released.
    public let lifetime: Lifetime

    /// Makes a property that wraps another one.
    ///
    /// - Parameters:
    ///   - inner: The property that stores the accepted values. It is kept.
    ///   - validator: Validates each value that is proposed here, and each value that is set directly on `inner`.
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<Inner: ComposableMutablePropertyProtocol>(
        _ inner: Inner, _ validator: @escaping @Sendable (Value) -> Decision
    ) where Inner.Value == Value {
        self.init(validating: inner, validator)
    }

    private init<Inner: ComposableMutablePropertyProtocol>(
        validating inner: Inner, _ validator: @escaping (Value) -> Decision
    ) where Inner.Value == Value {
        getter = { inner.value }
        signal = inner.signal
        producer = inner.producer
        lifetime = inner.lifetime
        if let inner = inner as? MutableProperty<Value> {
            let validation = Validation(of: inner.engine, by: validator)
            setter = { validation.propose($0) }
            result = validation.view
        } else {
            let validation = ForeignValidation(of: inner, by: validator)
            setter = { validation.propose($0, to: inner) }
            result = Property(capturing: validation.result)
        }
    }

    deinit { resources.dispose() }

    /// Makes a property with its first value. That value is validated, and accepted in any case.
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init(_ initial: Value, _ validator: @escaping @Sendable (Value) -> Decision) {
        self.init(MutableProperty(initial), validator)
    }

    /// Makes a property that wraps another one. Its validator also receives the value of a third property.
    ///
    /// - Parameters:
    ///   - inner: The property that stores the accepted values. It is kept.
    ///   - other: The third property. When it changes, the last value proposed here is validated again. It isn't kept.
    ///   - validator: Validates a value with the value of `other`.
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<Inner: ComposableMutablePropertyProtocol, Other: PropertyProtocol>(
        _ inner: Inner, with other: Other, _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
    ) where Inner.Value == Value {
        let other = Property(other)
        self.init(validating: inner) { validator($0, other.value) }
        validateAgain(on: other.signal)
    }

    /// Makes a property with its first value. Its validator also receives the value of another property.
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<Other: PropertyProtocol>(
        _ initial: Value, with other: Other, _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
    ) {
        self.init(MutableProperty(initial), with: other, validator)
    }

    /// Makes a property that wraps another one. Its validator also receives the value of a third, validating property.
    ///
    /// - Parameters:
    ///   - inner: The property that stores the accepted values. It is kept.
    ///   - other: The third property. When a value is proposed there, the last value proposed here is validated again.
    ///   - validator: Validates a value with the last value proposed to `other`, accepted or not.
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<Inner: ComposableMutablePropertyProtocol, U, E: Swift.Error>(
        _ inner: Inner, with other: ValidatingProperty<U, E>,
        _ validator: @escaping @Sendable (Value, U) -> Decision
    ) where Inner.Value == Value {
        let results = other.result
        self.init(validating: inner) { validator($0, results.value.proposed) }
        validateAgain(on: results.signal)
    }

    /// Makes a property with its first value. Its validator also receives the value of another validating property.
    #if Preconcurrency
        @preconcurrency
    #endif
    public convenience init<U, E: Swift.Error>(
        _ initial: Value, with other: ValidatingProperty<U, E>,
        _ validator: @escaping @Sendable (Value, U) -> Decision
    ) {
        self.init(MutableProperty(initial), with: other, validator)
    }

    private func validateAgain<U>(on signal: Signal<U, Never>) {
        resources.add(
            signal.observe(
                into: Sink(
                    value: { [weak self] _ in
                        if let self { self.setter(self.result.value.proposed) }
                    },
                    termination: { _ in })))
    }

    /// The value. Setting it validates the new value, and stores it if it is valid or coerced.
    public var value: Value {
        get { getter() }
        // An assignment of its own, also in the delivery of a bound property's change.
        set { ThreadState.current.during(.none) { setter(newValue) } }
    }

    /// A target that proposes the value. It doesn't keep the property.
    public var bindingTarget: BindingTarget<Value> {
        // Properties are thread-safe.
        nonisolated(unsafe) let propose = { [weak self] (value: Value) -> Void in self?.setter(value) }
        return BindingTarget(lifetime: lifetime) { value in unsafe propose(value) }
    }
}

extension ValidatingProperty.Decision: Sendable where Value: Sendable {}

extension ValidatingProperty.Result: Sendable where Value: Sendable {}

extension ValidatingProperty: @unchecked Sendable where Value: Sendable {}  // Immutable, thread-safe properties.
