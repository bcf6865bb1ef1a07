extension Signal {
    /// Forwards events until a lifetime ends, and then completes.
    ///
    /// The result also ends with this signal. If the lifetime has already ended, the result has completed before it can be
    /// observed.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has its own strand. The lifetime may end on any thread. A value that is being delivered at that time is
    /// the last one.
    @inlinable
    public func take(during lifetime: Lifetime) -> Signal<Value, Error> {
        .joining { output in
            let gate = Gate(output, isOpen: true)
            connect(to: gate.source { $0.terminate($1) }, until: output.resources)
            output.resources.add(lifetime.observeEnded { gate.complete() })
        }
    }
}

extension SignalProducer {
    /// Forwards events until a lifetime ends, and then completes and disposes of the source. See ``Signal/take(during:)``.
    ///
    /// If the lifetime has already ended, the result completes without starting this producer.
    @inlinable
    public func take(during lifetime: Lifetime) -> SignalProducer<Value, Error> {
        .joining { output in
            let gate = Gate(output, isOpen: true)
            output.resources.add(lifetime.observeEnded { gate.complete() })
            connect(to: gate.source { $0.terminate($1) }, until: output.resources)
        }
    }
}
