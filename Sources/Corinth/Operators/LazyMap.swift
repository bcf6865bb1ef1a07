/// Keeps the latest value, and tells a hop that there is one: the hop carries no values, only that one waits.
@usableFromInline
final class LazyMap<Value>: Sendable {  // The cell is atomic.
    @usableFromInline let latest = Atomic<Value?>(nil)

    @inlinable
    init() {}

    /// What is before the hop. Its values are serial, so of two that wait, the later one is kept.
    @inlinable @inline(__always)
    func entrance<Next: Receiver>(to next: Next) -> Sink<Value, Next.Error> where Next.Value == Void {
        Sink(value: { if self.latest.swap($0) == nil { next.receive(()) } }, termination: next.onTermination)
    }

    /// What is after it.
    @inlinable @inline(__always)
    func exit<Next: Receiver>(
        to next: Next, _ transform: @escaping (Value) -> Next.Value
    ) -> Sink<Void, Next.Error> {
        Sink(
            value: { _ in if let value = self.latest.swap(nil) { next.receive(transform(value)) } },
            termination: next.onTermination)
    }
}

extension Signal {
    /// Transforms values on a scheduler, and only the latest one when its turn comes.
    ///
    /// A value that comes while another waits for the scheduler takes its place. A failure and a completion wait for the value
    /// that waits; an interruption drops it.
    ///
    /// - Parameters:
    ///   - scheduler: Where `transform` runs, and the result's events are delivered.
    ///   - transform: Runs once for each value that is not replaced.
    /// - Complexity: O(1) per value, with one allocation if it doesn't fit a word, and at most one wake-up of the scheduler.
    /// ## Concurrency
    /// At most one value waits. The result has a strand of its own, unless the scheduler is the immediate one.
    @inlinable
    @preconcurrency
    public func lazyMap<U>(
        on scheduler: any Scheduler, transform: sending @escaping (Value) -> U
    ) -> Signal<U, Error> {
        let stage = LazyMap<Value>()
        let calls: Signal<Void, Error> = derive { stage.entrance(to: $0) }
        return calls.observe(on: scheduler).derive { stage.exit(to: $0, transform) }
    }
}

extension SignalProducer {
    /// Transforms values on a scheduler, and only the latest one when its turn comes. See
    /// ``Signal/lazyMap(on:transform:)``.
    @inlinable
    @preconcurrency
    public func lazyMap<U>(
        on scheduler: any Scheduler, transform: @escaping @Sendable (Value) -> U
    ) -> SignalProducer<U, Error> {
        SignalProducer<U, Error>(
            over: depth,
            recipe: { [recipe] sink, run in
                let stage = LazyMap<Value>()
                let calls = SignalProducer<Void, Error>(recipe: { next, run in recipe(stage.entrance(to: next), run) })
                calls.observe(on: scheduler).recipe(stage.exit(to: sink, transform), run)
            })
    }
}
