/// A signal with operators that become one stage when it is observed.
///
/// ```swift
/// let (output, input) = Signal<Int, Never>.pipe()
/// output.lazy.map { $0 * 2 }.filter { $0 > 10 }.observeValues { print($0) }
/// input.send(value: 21)  // prints 42
/// ```
///
/// Operators of a ``Signal`` make a signal each. Those of a lazy signal are composed by the compiler, as those of a `LazySequence`
/// are. They have the same names and the same meaning, with one difference: nothing is attached to the source before ``signal`` or
/// one of the `observe` methods is called, and each call attaches a chain of its own. So a closure runs once per event and call, and
/// state, such as that of ``scan(_:_:)``, begins anew. To share a chain among observers, observe its ``signal``. When an operator has
/// ended the stream, no closure of the chain runs any more. Those of plain operators above it may run for events that wait then.
///
/// ## Cost
/// If no closure captures anything, and no operator has state or ends the stream, the whole chain is compiled to one function where it
/// is built. Otherwise each stage costs a call of its closure per value, and two allocations when it is made. No value costs an
/// allocation or a reference count.
///
/// A ``SignalProducer`` has no such variant, because its operators are composed before a start anyway.
///
/// ## Concurrency
/// As that of the operators of ``Signal``: closures run one at a time, on the delivering thread.
// Its code is emitted into clients only: nobody calls what isn't specialised, and it takes 60 KB of each program.
@frozen
public struct LazySignal<Stages: LazyStages> {
    /// The values of the result.
    public typealias Value = Stages.Value
    /// The errors of the result.
    public typealias Error = Stages.Error

    @usableFromInline let source: Signal<Stages.Input, Stages.InputError>

    /// What the stages do with a value, if they are stateless, as closures inside each other. The compiler makes one function of them
    /// if they capture nothing. Otherwise they cost more than `stages`.
    @usableFromInline let rule: (Stages.Input) -> Stages.Value?

    /// Makes the stages for one observation, with a state of their own. They aren't stored here: the compiler keeps a large struct in
    /// memory, where it doesn't see what `rule` is.
    @usableFromInline let stages: () -> Stages

    /// What the stages do with a termination.
    @usableFromInline let end: (Termination<Stages.InputError>) -> Termination<Stages.Error>

    @export(implementation) @inline(__always)
    init(
        _ source: Signal<Stages.Input, Stages.InputError>,
        rule: @escaping (Stages.Input) -> Stages.Value?,
        stages: @escaping () -> Stages,
        end: @escaping (Termination<Stages.InputError>) -> Termination<Stages.Error>
    ) {
        self.source = source
        self.rule = rule
        self.stages = stages
        self.end = end
    }

    /// This, with another stage that doesn't change terminations.
    @export(implementation) @inline(__always)
    func appending<Next: LazyStages>(
        rule: @escaping (Stages.Input) -> Next.Value? = { _ in nil }, stages: @escaping () -> Next
    ) -> LazySignal<Next>
    where Next.Input == Stages.Input, Next.InputError == Stages.InputError, Next.Error == Stages.Error {
        LazySignal<Next>(source, rule: rule, stages: stages, end: end)
    }

    /// The kernel of all stages: see ``Receiver``.
    @export(implementation) @inline(__always)
    func kernel(into next: DerivedReceiver<Value, Error>) -> Sink<Stages.Input, Stages.InputError> {
        let (rule, end) = (rule, end)
        // The source may still send after a stage has ended.
        let terminate = { (termination: Termination<Stages.InputError>) in
            if !next.isStopped { next.terminate(end(termination)) }
        }
        if Stages.isStateless, Transform(rule).capturesNothing {
            return Sink(value: { if let value = rule($0) { next.receive(value) } }, termination: terminate)
        }
        let stages = stages()
        return Sink(
            value: {
                if next.isStopped { return }
                var ending: Termination<Error>?
                if let value = stages.step($0, { ending = $0 }) { next.receive(value) }
                if let ending { next.terminate(ending) }
            },
            termination: terminate)
    }
}

extension Signal {
    /// This signal, with operators that become one stage when it is observed.
    ///
    /// - Complexity: O(1). No allocation.
    @export(implementation)
    public var lazy: LazySignal<LazySource<Value, Error>> {
        @inline(__always)
        get { LazySignal(self, rule: { $0 }, stages: { LazySource() }, end: { $0 }) }
    }
}

extension LazySignal {
    /// A signal that sends what leaves the last stage. Each access makes one.
    ///
    /// - Complexity: O(1), with two allocations, or three if a closure captures something.
    @export(implementation)
    public var signal: Signal<Value, Error> {
        @inline(__always)
        get { source.derive { kernel(into: $0) } }
    }

    /// Observes every event. See ``Signal/observe(_:)-1z3sj``.
    @export(implementation) @inline(__always)
    @discardableResult
    public func observe(_ observer: Signal<Value, Error>.Observer) -> (any Disposable)? { signal.observe(observer) }

    /// Observes every event.
    @export(implementation) @inline(__always)
    @discardableResult
    public func observe(
        _ action: __owned sending @escaping Signal<Value, Error>.Observer.Action
    ) -> (any Disposable)? { signal.observe(action) }

    /// Observes values and the failure, as results.
    @export(implementation) @inline(__always)
    @discardableResult
    public func observeResult(
        _ action: __owned sending @escaping (Result<Value, Error>) -> Void
    ) -> (any Disposable)? { signal.observeResult(action) }
}

extension LazySignal where Stages.Error == Never {
    /// Observes the values of a signal that can't fail.
    @export(implementation) @inline(__always)
    @discardableResult
    public func observeValues(_ action: __owned sending @escaping (Value) -> Void) -> (any Disposable)? {
        signal.observeValues(action)
    }
}
