/// Makes the logging closures. Events that aren't selected have no closure.
private struct EventClosures<Kind: RawRepresentable & Hashable & Sendable>: Sendable where Kind.RawValue == String {
    let kinds: Set<Kind>
    let log: @Sendable (String) -> Void

    func closure(for kind: Kind) -> (@Sendable () -> Void)? {
        if !kinds.contains(kind) { return nil }
        return { [log] in log(kind.rawValue) }
    }

    func closure<Item>(for kind: Kind, of type: Item.Type = Item.self) -> (@Sendable (Item) -> Void)? {
        if !kinds.contains(kind) { return nil }
        return { [log] in log("\(kind.rawValue) \($0)") }
    }
}

extension Signal {
    /// Logs events.
    ///
    /// - Parameters:
    ///   - identifier: Identifies the signal in the log.
    ///   - events: The kinds of events that are logged.
    ///   - fileName: The full path of the calling file.
    ///   - functionName: The calling function.
    ///   - lineNumber: The line of the call.
    ///   - logger: Logs one event. Prints it by default.
    /// - Complexity: One string for each logged event.
    /// ## Concurrency
    /// `logger` runs on the thread on which the source delivers. For `disposed`, it runs on the thread that ends or
    /// releases the result.
    #if Preconcurrency
        @preconcurrency
    #endif
    public func logEvents(
        identifier: String = "",
        events: Set<LoggingEvent.Signal> = Set(LoggingEvent.Signal.allCases),
        fileName: String = #filePath,
        functionName: String = #function,
        lineNumber: Int = #line,
        logger:
            @escaping @Sendable (
                _ identifier: String, _ event: String, _ fileName: String, _ functionName: String, _ lineNumber: Int
            ) -> Void = defaultEventLog
    ) -> Signal<Value, Error> {
        let log = EventClosures(kinds: events) { logger(identifier, $0, fileName, functionName, lineNumber) }
        return on(
            failed: log.closure(for: .failed),
            completed: log.closure(for: .completed),
            interrupted: log.closure(for: .interrupted),
            terminated: log.closure(for: .terminated),
            disposed: log.closure(for: .disposed),
            value: log.closure(for: .value))
    }
}

extension SignalProducer {
    /// Logs the events of each start. See ``Signal/logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    ///
    /// - Parameters:
    ///   - identifier: Identifies the producer in the log.
    ///   - events: The kinds of events that are logged.
    ///   - fileName: The full path of the calling file.
    ///   - functionName: The calling function.
    ///   - lineNumber: The line of the call.
    ///   - logger: Logs one event. Prints it by default.
    #if Preconcurrency
        @preconcurrency
    #endif
    public func logEvents(
        identifier: String = "",
        events: Set<LoggingEvent.SignalProducer> = Set(LoggingEvent.SignalProducer.allCases),
        fileName: String = #filePath,
        functionName: String = #function,
        lineNumber: Int = #line,
        logger:
            @escaping @Sendable (
                _ identifier: String, _ event: String, _ fileName: String, _ functionName: String, _ lineNumber: Int
            ) -> Void = defaultEventLog
    ) -> SignalProducer<Value, Error> {
        let log = EventClosures(kinds: events) { logger(identifier, $0, fileName, functionName, lineNumber) }
        return on(
            starting: log.closure(for: .starting),
            started: log.closure(for: .started),
            failed: log.closure(for: .failed),
            completed: log.closure(for: .completed),
            interrupted: log.closure(for: .interrupted),
            terminated: log.closure(for: .terminated),
            disposed: log.closure(for: .disposed),
            value: log.closure(for: .value))
    }
}
