extension Signal {
    /// Creates a signal for a `generator` that sends one event at a time (law [S5](doc:Contracts#S5-Unserialised)).
    ///
    /// The signal doesn't rely on this. Sending from several threads, or from inside a callback, is as safe as on any other
    /// signal, and a send costs the same two uncontended atomic operations.
    @inlinable
    public static func unserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal {
        Signal(generator)
    }

    /// Creates a signal and the observer that feeds it, for one sending thread at a time. See ``unserialized(_:)``.
    @inlinable
    public static func unserializedPipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
        pipe(disposable: disposable)
    }

    /// Creates a signal for a `generator` that sends on one thread at a time, possibly from inside callbacks. Events sent
    /// inside callbacks are delivered after the current event, as on any signal. See ``unserialized(_:)``.
    @inlinable
    public static func reentrantUnserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal {
        Signal(generator)
    }

    /// Creates a signal and the observer that feeds it, for one sending thread at a time, possibly inside callbacks. See
    /// ``reentrantUnserialized(_:)``.
    @inlinable
    public static func reentrantUnserializedPipe(
        disposable: (any Disposable)? = nil
    ) -> (output: Signal, input: Observer) {
        pipe(disposable: disposable)
    }
}
