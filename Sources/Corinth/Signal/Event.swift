extension Signal {
    /// One event of a stream. A stream is `value* (failed | completed | interrupted)?` (law [E1](doc:Contracts#E1-Grammar)).
    @frozen
    public enum Event {
        /// A value.
        case value(Value)
        /// The stream failed. Nothing comes after it.
        case failed(Error)
        /// The stream is complete. Nothing comes after it.
        case completed
        /// The stream was cancelled. Nothing comes after it.
        case interrupted

        /// Whether this is a completion.
        public var isCompleted: Bool {
            if case .completed = self { true } else { false }
        }

        /// Whether this event is a termination.
        public var isTerminating: Bool {
            if case .value = self { false } else { true }
        }

        /// The value, if this is a value event.
        public var value: Value? {
            if case .value(let value) = self { value } else { nil }
        }

        /// The error, if this is a failure.
        public var error: Error? {
            if case .failed(let error) = self { error } else { nil }
        }

        /// Returns the event with its value transformed, if it has one.
        @inlinable
        public func map<U>(_ transform: (Value) -> U) -> Signal<U, Error>.Event {
            switch self {
            case .value(let value): .value(transform(value))
            case .failed(let error): .failed(error)
            case .completed: .completed
            case .interrupted: .interrupted
            }
        }

        /// Returns the event with its error transformed, if it has one.
        @inlinable
        public func mapError<F>(_ transform: (Error) -> F) -> Signal<Value, F>.Event {
            switch self {
            case .value(let value): .value(value)
            case .failed(let error): .failed(transform(error))
            case .completed: .completed
            case .interrupted: .interrupted
            }
        }

        @inlinable
        init(_ termination: Termination<Error>) {
            self =
                switch termination {
                case .failed(let error): .failed(error)
                case .completed: .completed
                case .interrupted: .interrupted
                }
        }
    }
}

extension Signal.Event: Sendable where Value: Sendable {}

extension Signal.Event: Equatable where Value: Equatable, Error: Equatable {
    /// Returns whether both are the same kind of event, with equal values or errors.
    public static func == (left: Signal<Value, Error>.Event, right: Signal<Value, Error>.Event) -> Bool {
        switch (left, right) {
        case (.value(let left), .value(let right)): left == right
        case (.failed(let left), .failed(let right)): left == right
        case (.completed, .completed), (.interrupted, .interrupted): true
        default: false
        }
    }
}

extension Signal.Event: CustomStringConvertible {
    /// Such as `VALUE 1`, `FAILED timeout`, `COMPLETED`, `INTERRUPTED`.
    public var description: String {
        switch self {
        case .value(let value): "VALUE \(value)"
        case .failed(let error): "FAILED \(error)"
        case .completed: "COMPLETED"
        case .interrupted: "INTERRUPTED"
        }
    }
}

/// A type that has the form of an event: for operators on streams of events.
public protocol EventProtocol<Value, Error> {
    /// The values of the stream.
    associatedtype Value
    /// The errors of the stream.
    associatedtype Error: Swift.Error

    /// The event.
    var event: Signal<Value, Error>.Event { get }
}

extension Signal.Event: EventProtocol {
    /// The event itself.
    public var event: Signal<Value, Error>.Event { self }
}
