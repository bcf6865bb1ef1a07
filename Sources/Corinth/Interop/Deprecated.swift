// Names that ReactiveSwift has renamed.

extension Signal {
    /// The former name of ``compactMap(_:)``.
    @available(*, deprecated, renamed: "compactMap")
    @inlinable
    public func filterMap<U>(_ transform: sending @escaping (Value) -> U?) -> Signal<U, Error> {
        compactMap(transform)
    }
}

extension SignalProducer {
    /// The former name of ``compactMap(_:)``.
    @available(*, deprecated, renamed: "compactMap")
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func filterMap<U>(_ transform: @escaping @Sendable (Value) -> U?) -> SignalProducer<U, Error> {
        compactMap(transform)
    }
}

extension LoggingEvent.Signal {
    /// All events of a signal that can be logged.
    @available(*, deprecated, message: "Use allCases, which a set can be made of: Set(LoggingEvent.Signal.allCases)")
    public static var allEvents: Set<LoggingEvent.Signal> { Set(allCases) }
}

extension LoggingEvent.SignalProducer {
    /// All events of a producer that can be logged.
    @available(
        *, deprecated, message: "Use allCases, which a set can be made of: Set(LoggingEvent.SignalProducer.allCases)"
    )
    public static var allEvents: Set<LoggingEvent.SignalProducer> { Set(allCases) }
}
