/// Work that is done for one input at a time, and only while it is enabled.
///
/// ```swift
/// let search = Action<String, [Page], SearchError> { words in index.pages(for: words) }
/// search.values.observeValues { show($0) }
/// search.apply("reactive").start()
/// ```
///
/// ``apply(_:)`` makes a producer; starting that executes the action. While it executes, or while it is not enabled, other starts
/// fail with ``ActionError/disabled``, and ``disabledErrors`` says so (law A1).
///
/// When the last reference to it goes, its ``lifetime`` ends and its signals complete. The producers that it made keep it.
///
/// ## Concurrency
/// Any thread may start what `apply` made, at any time: of several that do so at once, one executes. No start ever waits.
public final class Action<Input, Output, Error: Swift.Error>: BindingTargetProvider, @unchecked Sendable {
    /// Executes, if the state lets it.
    @usableFromInline let execution: (Action, Input, Sink<Output, ActionError<Error>>, ProducerRun) -> Void
    @usableFromInline let eventsCore: SignalCore<Signal<Output, Error>.Event, Never>
    @usableFromInline let disabledErrorsCore: SignalCore<(), Never>
    @usableFromInline let token: Lifetime.Token

    /// The property that the action depends on, which it keeps.
    @usableFromInline let state: AnyObject

    /// Ends when the action is gone.
    public let lifetime: Lifetime

    /// All events of all executions. Completes when the action is gone.
    public let events: Signal<Signal<Output, Error>.Event, Never>

    /// The values of all executions.
    public let values: Signal<Output, Never>

    /// The failures of all executions.
    public let errors: Signal<Error, Never>

    /// Sends a value for each start that failed because the action was not enabled.
    public let disabledErrors: Signal<(), Never>

    /// Sends a value for each execution that completed.
    public let completed: Signal<(), Never>

    /// Whether the action executes now.
    public let isExecuting: Property<Bool>

    /// Whether a start would execute now.
    public let isEnabled: Property<Bool>

    /// Makes an action that depends on the value of a property.
    ///
    /// - Parameters:
    ///   - state: The property. The action keeps it.
    ///   - isEnabled: Whether the action is enabled while the property has that value. Runs once for each value.
    ///   - execute: Makes the producer of one execution, from the value of the property and the input.
    @inlinable
    @preconcurrency
    public init<State: PropertyProtocol>(
        state: State, enabledIf isEnabled: @escaping @Sendable (State.Value) -> Bool,
        execute: @escaping @Sendable (State.Value, Input) -> SignalProducer<Output, Error>
    ) {
        let actionState = ActionState(state.value)
        self.state = state
        (lifetime, token) = Lifetime.make()
        eventsCore = SignalCore(strand: Strand(), resources: nil)
        disabledErrorsCore = SignalCore(strand: Strand(), resources: nil)
        events = Signal(eventsCore)
        disabledErrors = Signal(disabledErrorsCore)
        values = events.compactMap { $0.value }
        errors = events.compactMap { $0.error }
        completed = events.compactMap { $0.isCompleted ? () : nil }
        self.isEnabled = Property(capturing: actionState.isEnabled)
        isExecuting = Property(capturing: actionState.isExecuting)
        execution = { action, input, sink, run in
            guard let value = actionState.beginExecuting() else {
                sink.onTermination(.failed(.disabled))
                // A start never waits.
                action.disabledErrorsCore.sendAtOnce(())
                return
            }
            ActionExecution(of: action, actionState, to: sink, in: run).start { execute(value, input) }
        }
        let following = state.producer.start(
            into: Sink(
                value: { actionState.update($0, mayExecute: isEnabled($0)) },
                termination: { _ in }))
        lifetime += following
    }

    @inlinable
    deinit {
        eventsCore.send(Termination<Never>.completed)
        disabledErrorsCore.send(Termination<Never>.completed)
    }

    /// Makes a producer that executes the action: each start of it once, with `input`.
    ///
    /// Its events are those of the execution; its disposal cancels the execution.
    @inlinable
    public func apply(_ input: Input) -> SignalProducer<Output, ActionError<Error>> {
        // The starts share it.
        nonisolated(unsafe) let input = input
        return SignalProducer(recipe: { sink, run in self.execution(self, unsafe input, sink, run) })
    }

    /// The target that executes the action for each value that comes while it is enabled. It doesn't keep the action.
    @inlinable
    public var bindingTarget: BindingTarget<Input> {
        BindingTarget(lifetime: lifetime) { [weak self] in self?.apply($0).start() }
    }
}

extension Action where Input == Void {
    /// Makes a producer that executes the action, once for each start. See ``apply(_:)``.
    @inlinable
    public func apply() -> SignalProducer<Output, ActionError<Error>> { apply(()) }
}
