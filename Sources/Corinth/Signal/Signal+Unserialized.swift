extension Signal {
    /// Makes a signal whose events `generator` promises to send one at a time (law S5).
    ///
    /// The promise is not needed: sending from several threads, or from inside a callback, is as safe as on any other
    /// signal, and a send costs the same two uncontended atomic operations.
    @inlinable
    public static func unserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal {
        Signal(generator)
    }

    /// Makes a signal, and the observer that feeds it, to which one thread at a time promises to send. See
    /// ``unserialized(_:)``.
    @inlinable
    public static func unserializedPipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
        pipe(disposable: disposable)
    }

    /// Makes a signal whose events `generator` promises to send on one thread at a time, perhaps from inside callbacks.
    /// Those are delivered after the event in progress, as on any signal. See ``unserialized(_:)``.
    @inlinable
    public static func reentrantUnserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal {
        Signal(generator)
    }

    /// Makes a signal, and the observer that feeds it, to which one thread at a time promises to send, perhaps from inside
    /// callbacks. See ``reentrantUnserialized(_:)``.
    @inlinable
    public static func reentrantUnserializedPipe(
        disposable: (any Disposable)? = nil
    ) -> (output: Signal, input: Observer) {
        pipe(disposable: disposable)
    }
}
