/// The two stages around a hop that carries contexts: one before it captures a context with each event, and one after it
/// restores the context around the delivery.
@usableFromInline
final class ObserveOnCarrying<Carrier: ContextCarrier>: Sendable {
    @usableFromInline let carrier: Carrier

    /// The context of the source's termination. A termination of the hop itself may overtake it, and has none.
    @usableFromInline let last = Atomic<Carrier.Context?>(nil)

    @inlinable
    init(_ carrier: Carrier) {
        self.carrier = carrier
    }

    @inlinable
    func capturing<Value, Next: Receiver>(into next: Next) -> Sink<Value, Next.Error>
    where Next.Value == (Carrier.Context, Value) {
        Sink(
            value: { next.receive((self.carrier.capture(), $0)) },
            termination: {
                self.last.value = self.carrier.capture()
                next.terminate($0)
            })
    }

    @inlinable
    func restoring<Next: Receiver>(into next: Next) -> Sink<(Carrier.Context, Next.Value), Next.Error> {
        Sink(
            value: { context, value in self.carrier.restore(context) { next.receive(value) } },
            termination: { termination in
                guard let context = self.last.value else { return next.terminate(termination) }
                self.carrier.restore(context) { next.terminate(termination) }
            })
    }
}

extension Signal where Value: Sendable {
    /// Delivers the events on a scheduler, each in the context in which the source delivers it.
    ///
    /// ```swift
    /// orders.observe(on: kitchen, carrying: TaskLocalCarrier(Request.$identifier))
    ///     .observeValues { print("\(Request.identifier): \($0)") }
    /// ```
    ///
    /// Order and overflow policy are those of ``observe(on:)``. The context is captured once for each event. It is that of the
    /// sender, with one exception: an event that is sent while the source delivers another one is queued there, and has the
    /// context of the thread that delivers it (law [E5](doc:Contracts#E5-Sending-doesnt-wait-for-delivery)). A termination that
    /// doesn't come from the source has no context: after the scheduler has ended, or on overflow.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - carrier: Captures and restores the context.
    /// - Complexity: That of ``observe(on:)`` and of the carrier. No further allocation per value.
    @inlinable
    public func observe(on scheduler: any Scheduler, carrying carrier: some ContextCarrier) -> Signal<Value, Error> {
        observe(on: scheduler, carrying: carrier, bufferingPolicy: .usual(on: scheduler))
    }

    /// Delivers the events on a scheduler, each in the context in which the source delivers it, with an overflow policy.
    /// See ``observe(on:carrying:)`` and ``observe(on:bufferingPolicy:statistics:)``.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which the result's callbacks run.
    ///   - carrier: Captures and restores the context.
    ///   - policy: The overflow policy.
    ///   - statistics: Counts values as sent, delivered and dropped.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, carrying carrier: some ContextCarrier,
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> Signal<Value, Error> {
        let stages = ObserveOnCarrying(carrier)
        return derive { stages.capturing(into: $0) }
            .observe(on: scheduler, bufferingPolicy: policy, statistics: statistics)
            .derive { stages.restoring(into: $0) }
    }
}

extension SignalProducer where Value: Sendable {
    /// Delivers the events on a scheduler, each in the context in which the source delivers it.
    /// See ``Signal/observe(on:carrying:)``.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which callbacks run.
    ///   - carrier: Captures and restores the context. The interruption of a start that is disposed of has no context if it
    ///     doesn't come from the source.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, carrying carrier: some ContextCarrier
    ) -> SignalProducer<Value, Error> {
        observe(on: scheduler, carrying: carrier, bufferingPolicy: .usual(on: scheduler))
    }

    /// Delivers the events on a scheduler, each in the context in which the source delivers it, with an overflow policy for each
    /// start. See ``Signal/observe(on:carrying:bufferingPolicy:statistics:)``.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which callbacks run.
    ///   - carrier: Captures and restores the context.
    ///   - policy: The overflow policy. A start that fails on overflow disposes of its source.
    ///   - statistics: Counts the values of all starts as sent, delivered and dropped.
    @inlinable
    public func observe(
        on scheduler: any Scheduler, carrying carrier: some ContextCarrier,
        bufferingPolicy policy: BufferingPolicy<Error>, statistics: BufferStatistics? = nil
    ) -> SignalProducer<Value, Error> {
        SignalProducer(
            over: depth,
            recipe: { _, sink, run in
                let stages = ObserveOnCarrying(carrier)
                fuse { stages.capturing(into: $0) }
                    .observe(on: scheduler, bufferingPolicy: policy, statistics: statistics)
                    .begin(stages.restoring(into: sink), run)
            })
    }
}
