extension Signal {
    /// Passes on the events until a lifetime ends; then it completes.
    ///
    /// It also ends as this signal does. With a lifetime that has ended, it completes before anybody can observe it.
    ///
    /// - Complexity: O(1) and no allocation per value.
    /// ## Concurrency
    /// The result has a strand of its own: the lifetime may end on any thread. A value that is being delivered then is the
    /// last one.
    @inlinable
    public func take(during lifetime: Lifetime) -> Signal<Value, Error> {
        .joining { output in
            let valve = Valve(output, isOpen: true)
            connect(to: valve.source { $0.terminate($1) }, until: output.resources)
            output.resources.add(lifetime.observeEnded { valve.complete() })
        }
    }
}

extension SignalProducer {
    /// Passes on the events until a lifetime ends; then it completes and cancels this. See ``Signal/take(during:)``.
    ///
    /// If the lifetime has ended, it completes without starting this.
    @inlinable
    public func take(during lifetime: Lifetime) -> SignalProducer<Value, Error> {
        .joining { output in
            let valve = Valve(output, isOpen: true)
            output.resources.add(lifetime.observeEnded { valve.complete() })
            connect(to: valve.source { $0.terminate($1) }, until: output.resources)
        }
    }
}
