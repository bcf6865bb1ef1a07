// Closures that are never called, since what they would get can't exist. The calls are correct, and of no use, so they give a
// warning. The documentation leaves them out.
//
// There are none for `flatMapError`, nor for streams without values, whose `observeValues` or `flatMap` are never called either.
// In a chain of closures the compiler knows last what values and errors there are, so that one overload more, which isn't
// disfavoured, makes it take too long. See `Tests/Clients/LongChains.swift`.

extension Signal where Error == Never {
    @available(*, deprecated, message: "This signal can't fail, so the closure is never called. Leave the call out.")
    @_documentation(visibility: internal)
    @discardableResult
    @preconcurrency
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
    @preconcurrency
    public func startWithFailed(_ action: sending @escaping (Never) -> Void) -> any Disposable {
        start()
    }
}
