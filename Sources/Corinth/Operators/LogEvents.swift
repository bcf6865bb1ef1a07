/// Makes the closures that log: none for an event that isn't asked for.
private struct EventLog<Kind: RawRepresentable & Hashable & Sendable>: Sendable where Kind.RawValue == String {
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
    /// Logs what happens.
    ///
    /// - Parameters:
    ///   - identifier: Says in the log which signal it is.
    ///   - events: What is logged.
    ///   - fileName: Where this is called: the file's full path.
    ///   - functionName: Where this is called.
    ///   - lineNumber: Where this is called.
    ///   - logger: Logs one event; where nothing is said, it is printed.
    /// - Complexity: A string is made for each event that is logged.
    /// ## Concurrency
    /// `logger` runs where the source delivers; for `disposed`, on the thread that ends the result, or gives it up.
    @preconcurrency
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
        let log = EventLog(kinds: events) { logger(identifier, $0, fileName, functionName, lineNumber) }
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
    /// Logs what happens, for each start. See
    /// ``Signal/logEvents(identifier:events:fileName:functionName:lineNumber:logger:)``.
    ///
    /// - Parameters:
    ///   - identifier: Says in the log which producer it is.
    ///   - events: What is logged.
    ///   - fileName: Where this is called: the file's full path.
    ///   - functionName: Where this is called.
    ///   - lineNumber: Where this is called.
    ///   - logger: Logs one event; where nothing is said, it is printed.
    /// - Complexity: A string is made for each event that is logged.
    @preconcurrency
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
        let log = EventLog(kinds: events) { logger(identifier, $0, fileName, functionName, lineNumber) }
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
