internal import Observation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension SignalProducer where Error == Never {
    /// The value of an expression over `@Observable` models: the current one, then the one after each change of what it reads.
    ///
    /// ```swift
    /// SignalProducer.tracking(on: ExecutorScheduler(actor: library)) { library.books.count }
    /// ```
    ///
    /// The expression is evaluated again after a change, once for all changes that are made before the scheduler comes to it.
    /// No change is lost, and none is sent twice. A change of what the expression hasn't read isn't noticed. It never ends by
    /// itself.
    ///
    /// - Parameters:
    ///   - scheduler: Where the expression is evaluated and the values are sent. Models must be changed there, too: the
    ///     Observation framework announces a change before it is made, so only an action that is queued behind the change sees
    ///     it. Any scheduler but ``ImmediateScheduler``, and a ``ClockScheduler`` on one.
    ///   - expression: Reads properties of models.
    /// - Complexity: O(1) per evaluation, beside the expression and the framework's own bookkeeping.
    /// ## Concurrency
    /// Each start tracks by itself. Disposing of a start ends it; what the expression captures is released at once.
    public static func tracking(
        on scheduler: any Scheduler, _ expression: @escaping @Sendable () -> Value
    ) -> SignalProducer {
        let runner = scheduler.runner
        precondition(
            !(runner is ImmediateScheduler),
            "scheduler runs actions on an ImmediateScheduler, but must run them after the change that schedules them")
        // A UI scheduler may run an action inside the change.
        let later: any Scheduler = runner is UIScheduler ? QueueScheduler.main : scheduler
        return SignalProducer(boundary: { _, sink, run in
            let tracker = Tracker(ProducerInput(to: sink, in: run), on: later, expression)
            // The models don't keep the tracker, but the start does.
            tracker.input.resources.add(AnyDisposable { withExtendedLifetime(tracker) {} })
            tracker.input.resources.add(scheduler.scheduleInOrder { tracker.evaluate() })
        })
    }

    /// The value of an expression over `@Observable` models of the main actor. See ``tracking(on:_:)-(Scheduler,_)``.
    ///
    /// ```swift
    /// SignalProducer.tracking(on: MainActor.self) { form.isComplete }.startWithValues { … }
    /// ```
    ///
    /// A start on the main thread sends the current value at once.
    ///
    /// - Parameters:
    ///   - actor: `MainActor.self`.
    ///   - expression: Reads properties of models.
    public static func tracking(
        on actor: MainActor.Type, _ expression: @escaping @MainActor () -> Value
    ) -> SignalProducer {
        tracking(on: UIScheduler()) { MainActor.call(expression, with: ()) }
    }

    /// The value at a key path of an `@Observable` model: the current one, then the one after each change. It keeps the model.
    /// See ``tracking(on:_:)-(Scheduler,_)``.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - keyPath: The key path of the value.
    ///   - scheduler: Where the model is changed.
    public static func tracking<Model: AnyObject & Sendable>(
        _ model: Model, _ keyPath: any KeyPath<Model, Value> & Sendable, on scheduler: any Scheduler
    ) -> SignalProducer {
        tracking(on: scheduler) { model[keyPath: keyPath] }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Property {
    /// A property of an expression over `@Observable` models of the main actor.
    ///
    /// ```swift
    /// let title = Property.tracking { document.name + (document.isEdited ? "*" : "") }
    /// ```
    ///
    /// It is evaluated at once, and then on the main actor after each change, once for the changes of one turn. Between a change
    /// and that evaluation, the property has its old value.
    ///
    /// - Parameter expression: Reads properties of models. The property keeps it.
    @MainActor
    public static func tracking(_ expression: @escaping @MainActor () -> Value) -> Property {
        let values = SignalProducer.tracking(on: MainActor.self, expression)
        return Property(initial: expression(), then: values)
    }
}

/// One start of a tracked expression.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private final class Tracker<Value>: @unchecked Sendable {  // Immutable.
    let input: ProducerInput<Value, Never>
    private let scheduler: any Scheduler
    private let expression: @Sendable () -> Value

    init(
        _ input: ProducerInput<Value, Never>, on scheduler: any Scheduler, _ expression: @escaping @Sendable () -> Value
    ) {
        self.input = input
        self.scheduler = scheduler
        self.expression = expression
    }

    /// Sends the value of the expression, and notes what it reads. Called on the scheduler.
    func evaluate() {
        if input.isDisposed { return }
        // The models keep this closure until the next change.
        let value = withObservationTracking(expression) { [weak self] in self?.evaluateLater() }
        input.send(value)
    }

    /// Called inside the first change after an evaluation, before the change is visible.
    private func evaluateLater() {
        scheduler.scheduleInOrder { [weak self] in self?.evaluate() }
    }
}
