extension Signal {
    /// Observes through a sink.
    @inlinable @inline(__always)
    func observe(into sink: consuming Sink<Value, Error>) -> Observation? {
        // A temporary signal must not become unreachable before it is observed. Not around the call: a closure would retain
        // the sink, which is consumed.
        defer { withExtendedLifetime(self) {} }
        return core.observe(consume sink)
    }

    /// Observes every event.
    ///
    /// - Returns: A disposable that ends the observation; nil on a terminated signal, which interrupts the observer at once
    ///   (law [S4](doc:Contracts#S4-Too-late)).
    /// - Complexity: O(1) in the number of observers. One allocation beside the observer's closures.
    @inlinable
    @discardableResult
    public func observe(_ observer: Observer) -> (any Disposable)? {
        // The input of another signal must be retained: it interrupts that signal when it is released.
        observer.isInput
            ? observe(into: Sink(value: { observer.send(value: $0) }, termination: { observer.terminate($0) }))
            : observe(into: observer.sink)
    }

    /// Observes every event.
    @inlinable
    @discardableResult
    public func observe(_ action: __owned sending @escaping Observer.Action) -> (any Disposable)? {
        observe(into: Sink(value: { action(.value($0)) }, termination: { action(Event($0)) }))
    }

    /// Observes values and the failure, as results.
    @inlinable
    @discardableResult
    public func observeResult(_ action: __owned sending @escaping (Result<Value, Error>) -> Void) -> (any Disposable)? {
        observe(
            into:
                Sink(
                    value: { action(.success($0)) },
                    termination: { if case .failed(let error) = $0 { action(.failure(error)) } }))
    }

    /// Observes the completion.
    @inlinable
    @discardableResult
    public func observeCompleted(_ action: __owned sending @escaping () -> Void) -> (any Disposable)? {
        observe(into: Sink(value: { _ in }, termination: { if case .completed = $0 { action() } }))
    }

    /// Observes the failure.
    @inlinable
    @discardableResult
    public func observeFailed(_ action: __owned sending @escaping (Error) -> Void) -> (any Disposable)? {
        observe(
            into:
                Sink(value: { _ in }, termination: { if case .failed(let error) = $0 { action(error) } }))
    }

    /// Observes the interruption. On a terminated signal, `action` runs at once.
    @inlinable
    @discardableResult
    public func observeInterrupted(_ action: __owned sending @escaping () -> Void) -> (any Disposable)? {
        observe(into: Sink(value: { _ in }, termination: { if case .interrupted = $0 { action() } }))
    }
}

extension Signal where Error == Never {
    /// Observes the values of a signal that can't fail.
    @inlinable
    @discardableResult
    public func observeValues(_ action: __owned sending @escaping (Value) -> Void) -> (any Disposable)? {
        observe(into: Sink(value: consume action, termination: { _ in }))
    }
}
