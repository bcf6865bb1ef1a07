// Error types for calls that don't specify one: `Never`, or `any Error` for a closure that throws.
//
// Not disfavoured: `SignalProducer([a, b]).flatten(.merge)` and `a.then(SignalProducer(value: 1))` specify no error type.

extension SignalProducer where Error == Never {
    /// Makes a producer of one value, which can't fail.
    @inlinable
    public init(value: Value) {
        self.init(origin: .value(value))
    }

    /// Makes a producer of the elements of a sequence, which can't fail. Each start iterates it again.
    @inlinable
    public init<Elements: Sequence, Iterator: IteratorProtocol>(
        _ elements: Elements
    ) where Elements.Iterator == Iterator, Iterator.Element == Value {
        self.init(iterating: elements)
    }

    /// Makes a producer of the given values, which can't fail.
    @inlinable
    public init(values first: Value, _ second: Value, _ rest: Value...) {
        self.init(iterating: [first, second] + rest)
    }
}

extension SignalProducer where Error == any Swift.Error {
    /// Makes a producer of one value. Each start calls `action`, and fails with any error that it throws.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public init(_ action: @escaping @Sendable () throws -> Value) {
        self.init(boundary: { _, sink, run in
            do {
                sink.onValue(try action())
            } catch {
                sink.onTermination(.failed(error))
                return
            }
            sink.onTermination(run.isDisposed ? .interrupted : .completed)
        })
    }
}
