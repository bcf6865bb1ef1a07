/// Executes work for one input at a time, and only while it is enabled.
///
/// ```swift
/// let search = Action<String, [Page], SearchError> { words in index.pages(for: words) }
/// search.values.observeValues { show($0) }
/// search.apply("reactive").start()
/// ```
///
/// ``apply(_:)`` makes a producer. A start of that producer executes the action. While the action executes or isn't enabled,
/// other starts fail with ``ActionError/disabled``, and ``disabledErrors`` sends a value (law
/// [A1](doc:Contracts#A1-One-execution-at-a-time)).
///
/// When the last reference to the action is released, its ``lifetime`` ends and its signals complete. The producers that it has
/// made keep it.
///
/// ## Concurrency
/// Any thread may start a producer of `apply` at any time. Of several concurrent starts, one executes. A start never waits.
public final class Action<Input, Output, Error: Swift.Error>: BindingTargetProvider, @unchecked Sendable {
    /// How many failed starts ``disabledErrors`` hasn't sent yet. Their values are equal, so they are counted instead of
    /// queued: memory is bounded although no start waits. Whoever changes it from 0 queues the node that delivers them.
    private let disabled = AtomicWord()

    // Objects that few users of an action need, made on first use.
    @usableFromInline let lazyLifetime = LazyObject<Lifetime>()
    @usableFromInline let lazyOutcomes = LazyObject<ActionOutcomes<Output, Error>>()
    @usableFromInline let lazyDisabledErrors = LazyObject<Signal<(), Never>>()
    @usableFromInline let lazyIsEnabled = LazyObject<Property<Bool>>()
    @usableFromInline let lazyIsExecuting = LazyObject<Property<Bool>>()

    /// Executes the action if its state allows it.
    @usableFromInline let execution: Execution
    // These complete when the action is released, in this order, as in ReactiveSwift.
    @usableFromInline let executing: MutableProperty<Bool>
    @usableFromInline let enabled: MutableProperty<Bool>

    /// The property that the action depends on. The action keeps it.
    @usableFromInline let state: AnyObject

    /// Ends with the action; nil if the state never changes.
    @usableFromInline let followingState: (any Disposable)?

    /// A closure that executes the action. Not copyable, so that a call doesn't retain it.
    @frozen
    @usableFromInline
    struct Execution: ~Copyable {
        @usableFromInline typealias Body =
            (Action, Input, Sink<Output, ActionError<Error>>, ProducerRun?) -> (any Disposable)?

        @usableFromInline let run: Body

        @inlinable @inline(__always)
        init(_ run: @escaping Body) { self.run = run }
    }

    /// Makes an action that depends on the value of a property.
    ///
    /// - Parameters:
    ///   - state: The property. The action keeps it.
    ///   - isEnabled: Returns whether the action is enabled with a value of the property. Runs once for each value.
    ///   - execute: Makes the producer of one execution from the value of the property and the input.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public init<State: PropertyProtocol>(
        state: State, enabledIf isEnabled: @escaping @Sendable (State.Value) -> Bool,
        execute: @escaping @Sendable (State.Value, Input) -> SignalProducer<Output, Error>
    ) {
        let actionState = ActionState(state.value)
        self.state = state
        enabled = actionState.isEnabled
        executing = actionState.isExecuting
        execution = Execution { action, input, sink, run in
            guard let value = actionState.beginExecuting() else {
                sink.onTermination(.failed(.disabled))
                action.sendDisabledError()
                return nil
            }
            if let run, run.isDisposed {
                sink.onTermination(.interrupted)
                actionState.endExecuting()
                return nil
            }
            let work = execute(value, input)
            if work.needsNoRun {
                action.sendAll(of: work.origin, to: sink, in: run)
                actionState.endExecuting()
                return nil
            }
            guard let run else {
                return SignalProducer(recipe: { _, sink, run in
                    ActionExecution(of: action, actionState, to: sink, in: run).start(work)
                }).start(into: sink)
            }
            ActionExecution(of: action, actionState, to: sink, in: run).start(work)
            return nil
        }
        let following = state.producer.start(
            into: Sink(
                value: { actionState.update($0, mayExecute: isEnabled($0)) },
                termination: { _ in }))
        followingState = following.isDisposed ? nil : following
        checkOffsets()
    }

    @usableFromInline
    func checkOffsets() {
    }

    @inlinable
    deinit {
        lazyOutcomes.known?.complete()
        lazyDisabledErrors.known?.core.send(Termination<Never>.completed)
        followingState?.dispose()
        lazyLifetime.known?.end()
        lazyLifetime.release()
        lazyOutcomes.release()
        lazyDisabledErrors.release()
        lazyIsEnabled.release()
        lazyIsExecuting.release()
    }

    @inlinable var outcomes: ActionOutcomes<Output, Error> { lazyOutcomes.get { ActionOutcomes() } }

    /// Ends when the action is released.
    @inlinable
    public var lifetime: Lifetime { lazyLifetime.get { Lifetime() } }

    /// All events of all executions. Completes when the action is released.
    @inlinable
    public var events: Signal<Signal<Output, Error>.Event, Never> { outcomes.events }

    /// The values of all executions.
    @inlinable
    public var values: Signal<Output, Never> { outcomes.values }

    /// The failures of all executions.
    @inlinable
    public var errors: Signal<Error, Never> { outcomes.errors }

    /// Sends a value for each execution that completed.
    @inlinable
    public var completed: Signal<(), Never> { outcomes.completed }

    /// Sends a value for each start that failed because the action was not enabled.
    @inlinable
    public var disabledErrors: Signal<(), Never> {
        lazyDisabledErrors.get { Signal(SignalCore(strand: Strand(), resources: nil)) }
    }

    /// Whether a start would execute.
    @inlinable
    public var isEnabled: Property<Bool> { lazyIsEnabled.get { view(of: enabled) } }

    /// Whether the action is executing.
    @inlinable
    public var isExecuting: Property<Bool> { lazyIsExecuting.get { view(of: executing) } }

    /// A view that keeps only the property.
    @usableFromInline
    func view(of property: MutableProperty<Bool>) -> Property<Bool> {
        Property(viewing: property) { [weak enabled, weak executing] in
            if let enabled { executing?.makeObservable(with: enabled) }
        }
    }

    /// Sends a value to ``disabledErrors``. Never waits, like each start.
    @usableFromInline
    func sendDisabledError() {
        guard let core = lazyDisabledErrors.known?.core else { return }
        let strand = core.strand
        // Meanwhile, the thread neither waits nor delivers events of other threads.
        ThreadState.ending {
            if let owned = strand.enterAtOnce() {
                core.deliver(())
                strand.leave(owned)
            } else {
                countDisabledErrors(1, on: core, isRest: false)
            }
        }
    }

    /// - Parameter isRest: Whether these are left from a delivery. Then their node counts as foreign to every thread, so that
    ///   a start doesn't go on with the errors of others. The node of a start from inside a callback is its thread's own.
    private func countDisabledErrors(_ count: UInt64, on core: SignalCore<(), Never>, isRest: Bool) {
        // relaxed: a count. The push of the node publishes it.
        if count > 0, disabled.fetchAdd(count, .relaxed) == 0 {
            core.strand.enqueue(
                InputNode(core, for: self, isForeign: isRest) { action, core in action.deliverDisabledErrors(to: core)
                },
                .atOnce)
        }
    }

    /// Delivers the counted errors, some at a time: then come events of other threads. Called by the strand's owner.
    private func deliverDisabledErrors(to core: SignalCore<(), Never>) {
        var rest = disabled.exchange(0, .relaxed)
        for _ in 0..<min(rest, 64) {
            core.deliver(())
            rest -= 1
            if Strand.mustStop { break }
        }
        countDisabledErrors(rest, on: core, isRest: true)
    }

    /// Makes a producer. Each start of it executes the action once, with `input`.
    ///
    /// It sends the events of the execution. Disposing of a start cancels the execution.
    @inlinable
    public func apply(_ input: Input) -> SignalProducer<Output, ActionError<Error>> {
        // The starts share the input.
        nonisolated(unsafe) let input = input
        return SignalProducer(origin: .prompt { sink, run in self.execution.run(self, unsafe input, sink, run) })
    }

    /// A target that executes the action for each value that arrives while it is enabled. It doesn't keep the action.
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
