import Corinth

// Common code without explicit error types. Each line has only one meaning.
private enum E: Error { case e }
private func idioms(
    _ a: SignalProducer<Int, E>, _ b: SignalProducer<Int, E>, _ s: Signal<Int, E>, _ n: SignalProducer<Int, Never>
) {
    _ = SignalProducer([a, b]).flatten(.merge)
    _ = SignalProducer(values: a, b).flatten(.concat)
    _ = SignalProducer(value: a).flatten(.latest)
    _ = SignalProducer(value: 1).flatMap(.merge) { _ in a }
    _ = SignalProducer([n, n]).flatten(.merge)
    _ = SignalProducer(values: 1, 2, 3).flatMap(.latest) { _ in n }
    _ = SignalProducer([1, 2]).flatMap(.concat) { SignalProducer(value: $0) }
    _ = SignalProducer([s, s]).flatten(.merge)
    _ = SignalProducer(value: 1).concat(SignalProducer(value: 2))
    _ = SignalProducer(value: 1).promoteError(E.self).concat(a)
    _ = a.concat(SignalProducer(value: 2))
    _ = a.flatMapError { _ in SignalProducer(value: 1) }
    _ = a.then(SignalProducer(value: "x"))
    _ = SignalProducer(value: "x").zip(with: a)
    _ = SignalProducer.merge([a, b])
    _ = SignalProducer.combineLatest(a, n.promoteError())
    let p = SignalProducer(value: 1)
    p.startWithValues { _ in }
}
