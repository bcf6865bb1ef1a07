extension Lifetime {
    /// A signal that completes when the lifetime ends. If the lifetime has already ended, it completes at once.
    public var ended: Signal<Never, Never> {
        Signal { observer, signalLifetime in
            signalLifetime += disposables.add { observer.sendCompleted() }
        }
    }
}
