/// A property that checks what it is set to, and keeps the verdict.
///
/// ```swift
/// let age = ValidatingProperty<Int, AgeError>(18) { $0 >= 0 ? .valid : .invalid(.negative) }
/// age.value = -1
/// print(age.value, age.result.value)  // prints 18 invalid(-1, negative)
/// ```
///
/// It sits on top of an inner property, which gets the values that are valid, or that were coerced; and where that is set
/// directly, its value is validated, too. It keeps the inner property.
///
/// ## Concurrency
/// As ``MutableProperty``. The validator runs while other changes wait, and must not change the property. ``result`` is set at
/// once by whoever sets ``value``, and delivers before the value does; by who sets the inner property directly, when that
/// delivers.
public final class ValidatingProperty<Value, ValidationError: Swift.Error>:
    MutablePropertyProtocol, @unchecked Sendable
{  // Immutable parts, each of them safe.
    /// What a validator says of a value.
    public enum Decision {
        /// The value is taken.
        case valid
        /// Another value is taken instead, perhaps with a reason.
        case coerced(Value, ValidationError?)
        /// The value is not taken.
        case invalid(ValidationError)
    }

    /// What became of the last value that was proposed.
    public enum Result {
        /// It was taken.
        case valid(Value)
        /// Another one was taken instead, perhaps with a reason.
        case coerced(replacement: Value, proposed: Value, error: ValidationError?)
        /// It was not taken.
        case invalid(Value, ValidationError)

        /// Whether the value was not taken.
        public var isInvalid: Bool {
            if case .invalid = self { true } else { false }
        }

        /// The value that was taken, if any.
        public var value: Value? {
            switch self {
            case .valid(let value), .coerced(replacement: let value, _, _): value
            case .invalid: nil
            }
        }

        /// Why the value was not taken as it is, where there is a reason.
        public var error: ValidationError? {
            switch self {
            case .valid: nil
            case .coerced(_, _, let error): error
            case .invalid(_, let error): error
            }
        }

        /// The value that was proposed.
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

    /// What ends with the property.
    private let resources = CompositeDisposable()

    /// The verdict on the last value that was proposed.
    public let result: Property<Result>

    /// The changes of the value: of those that were taken.
    public let signal: Signal<Value, Never>

    /// The current value, then every change of it.
    public let producer: SignalProducer<Value, Never>

    /// Ends when the inner property is gone.
    public let lifetime: Lifetime

    /// Makes a property on top of another one.
    ///
    /// - Parameters:
    ///   - inner: The property that gets the values. It is kept.
    ///   - validator: Judges each value that is proposed here, and each to which `inner` is set directly.
    @preconcurrency
    public init<Inner: ComposableMutablePropertyProtocol>(
        _ inner: Inner, _ validator: @escaping @Sendable (Value) -> Decision
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

    /// Makes a property of its first value, which is validated, but taken in any case.
    @preconcurrency
    public convenience init(_ initial: Value, _ validator: @escaping @Sendable (Value) -> Decision) {
        self.init(MutableProperty(initial), validator)
    }

    /// Makes a property on top of another one, whose validator looks at a third, too.
    ///
    /// - Parameters:
    ///   - inner: The property that gets the values. It is kept.
    ///   - other: When it changes, the last value that was proposed here is validated again. It isn't kept.
    ///   - validator: Judges a value, with the value of `other`.
    @preconcurrency
    public convenience init<Inner: ComposableMutablePropertyProtocol, Other: PropertyProtocol>(
        _ inner: Inner, with other: Other, _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
    ) where Inner.Value == Value {
        let other = Property(other)
        self.init(inner) { validator($0, other.value) }
        validateAgain(on: other.signal)
    }

    /// Makes a property of its first value, whose validator looks at another property, too.
    @preconcurrency
    public convenience init<Other: PropertyProtocol>(
        _ initial: Value, with other: Other, _ validator: @escaping @Sendable (Value, Other.Value) -> Decision
    ) {
        self.init(MutableProperty(initial), with: other, validator)
    }

    /// Makes a property on top of another one, whose validator looks at a third, too, that is itself validating.
    ///
    /// - Parameters:
    ///   - inner: The property that gets the values. It is kept.
    ///   - other: When something is proposed there, the last value that was proposed here is validated again.
    ///   - validator: Judges a value, with the value that was last proposed to `other`, whether or not that was taken.
    @preconcurrency
    public convenience init<Inner: ComposableMutablePropertyProtocol, U, E: Swift.Error>(
        _ inner: Inner, with other: ValidatingProperty<U, E>,
        _ validator: @escaping @Sendable (Value, U) -> Decision
    ) where Inner.Value == Value {
        let results = other.result
        self.init(inner) { validator($0, results.value.proposed) }
        validateAgain(on: results.signal)
    }

    /// Makes a property of its first value, whose validator looks at another validating property, too.
    @preconcurrency
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

    /// The value. What it is set to is validated, and taken if it is valid or can be coerced.
    public var value: Value {
        get { getter() }
        set { setter(newValue) }
    }
}

extension ValidatingProperty.Decision: Sendable where Value: Sendable {}

extension ValidatingProperty.Result: Sendable where Value: Sendable {}
