// Names of ReactiveSwift that have had other names since.

extension Signal {
    /// The name that ``compactMap(_:)`` had.
    @available(*, deprecated, renamed: "compactMap")
    @inlinable
    @preconcurrency
    public func filterMap<U>(_ transform: sending @escaping (Value) -> U?) -> Signal<U, Error> {
        compactMap(transform)
    }
}

extension SignalProducer {
    /// The name that ``compactMap(_:)`` had.
    @available(*, deprecated, renamed: "compactMap")
    @inlinable
    @preconcurrency
    public func filterMap<U>(_ transform: @escaping @Sendable (Value) -> U?) -> SignalProducer<U, Error> {
        compactMap(transform)
    }
}

extension LoggingEvent.Signal {
    /// All that can be logged of a signal.
    @available(*, deprecated, message: "Use allCases, which a set can be made of: Set(LoggingEvent.Signal.allCases)")
    public static var allEvents: Set<LoggingEvent.Signal> { Set(allCases) }
}

extension LoggingEvent.SignalProducer {
    /// All that can be logged of a producer.
    @available(
        *, deprecated, message: "Use allCases, which a set can be made of: Set(LoggingEvent.SignalProducer.allCases)"
    )
    public static var allEvents: Set<LoggingEvent.SignalProducer> { Set(allCases) }
}
