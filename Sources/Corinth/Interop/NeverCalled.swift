// Overloads whose closures are never called, because their argument can't exist. The calls are correct but useless, so they
// give a warning. The documentation omits them.
//
// `flatMapError` has no such overload. Nor have streams without values, whose closures for `observeValues` or `flatMap` are
// never called either. In a chain of closures, the compiler infers values and errors last. One more overload that isn't
// disfavoured makes it take too long. See `Tests/Clients/LongChains.swift`.

extension Signal where Error == Never {
    @available(*, deprecated, message: "This signal can't fail, so the closure is never called. Leave the call out.")
    @_documentation(visibility: internal)
    @discardableResult
    public func observeFailed(_ action: sending @escaping (Never) -> Void) -> (any Disposable)? {
        observe(into: Sink(value: { _ in }, termination: { _ in }))
    }
}

extension SignalProducer where Error == Never {
    @available(
        *, deprecated, message: "This producer can't fail, so the closure is never called. To start it: start()."
    )
    @_documentation(visibility: internal)
    @discardableResult
    public func startWithFailed(_ action: sending @escaping (Never) -> Void) -> any Disposable {
        start()
    }
}
