/// Stores the latest value and notifies a hop. The hop carries no values, only the notification that a value waits.
@usableFromInline
final class LazyMap<Value>: Sendable {  // `latest` is atomic.
    @usableFromInline let latest = Atomic<Value?>(nil)

    @inlinable
    init() {}

    /// The sink before the hop. Values are serial, so the later of two waiting values is kept.
    @inlinable @inline(__always)
    func input<Next: Receiver>(to next: Next) -> Sink<Value, Next.Error> where Next.Value == Void {
        Sink(value: { if self.latest.swap($0) == nil { next.receive(()) } }, termination: next.onTermination)
    }

    /// The sink after the hop.
    @inlinable @inline(__always)
    func exit<Next: Receiver>(
        to next: Next, _ transform: @escaping (Value) -> Next.Value
    ) -> Sink<Void, Next.Error> {
        Sink(
            value: { _ in if let value = self.latest.swap(nil) { next.receive(transform(value)) } },
            termination: next.onTermination)
    }
}

extension Signal where Value: Sendable {
    /// Transforms the latest value on a scheduler.
    ///
    /// A new value replaces a value that still waits for the scheduler. A failure or a completion is delivered after the
    /// waiting value. An interruption drops it.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which `transform` runs and the result's events are delivered.
    ///   - transform: Transforms a value. Runs once for each value that is not replaced.
    /// - Complexity: O(1) per value. One allocation per value that doesn't fit a word. At most one wake-up of the scheduler
    ///   per value.
    /// ## Concurrency
    /// At most one value waits. The result has its own strand, unless the scheduler is the immediate one.
    @inlinable
    public func lazyMap<U>(
        on scheduler: any Scheduler, transform: sending @escaping (Value) -> U
    ) -> Signal<U, Error> {
        let stage = LazyMap<Value>()
        let calls: Signal<Void, Error> = derive { stage.input(to: $0) }
        return calls.observe(on: scheduler).derive { stage.exit(to: $0, transform) }
    }
}

extension SignalProducer where Value: Sendable {
    /// Transforms the latest value on a scheduler. See ``Signal/lazyMap(on:transform:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func lazyMap<U>(
        on scheduler: any Scheduler, transform: @escaping @Sendable (Value) -> U
    ) -> SignalProducer<U, Error> {
        SignalProducer<U, Error>(
            over: depth,
            recipe: { _, sink, run in
                let stage = LazyMap<Value>()
                let calls = SignalProducer<Void, Error>(
                    recipe: { _, next, run in self.begin(stage.input(to: next), run) })
                calls.observe(on: scheduler).begin(stage.exit(to: sink, transform), run)
            })
    }
}
