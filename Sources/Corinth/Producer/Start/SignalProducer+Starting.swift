extension SignalProducer {
    /// Starts this producer and sends its events to a sink.
    @inlinable @inline(__always)
    func start(into sink: __owned Sink<Value, Error>) -> any Disposable {
        if case .prompt(let start) = origin { return Origin.start(start, sink) }
        if !isRecipe { return origin.sendAll(value: sink.onValue, termination: sink.onTermination) }
        let run = ObservedRun(sink.onTermination)
        return start(run, into: Sink(value: sink.onValue, termination: { run.terminate($0) }))
    }

    /// Whether this is at most one value, or a failure. Its events are sent without a run, because nothing can dispose of a
    /// start before they have been sent.
    @inlinable
    var needsNoRun: Bool {
        @inline(__always)
        get {
            switch origin {
            case .recipe, .prompt: false
            case .value, .made, .failure, .empty: true
            }
        }
    }

    @inlinable
    var isRecipe: Bool {
        @inline(__always)
        get { if case .recipe = origin { true } else { false } }
    }

    /// Starts this producer and sends its events to a sink, which ends the run.
    ///
    /// - Returns: The user's handle.
    @inlinable @inline(__always)
    func start(_ run: ProducerRun, into sink: __owned Sink<Value, Error>) -> any Disposable {
        let outside = Trampoline.stepOutside(into: StartRecord(of: run))
        begin(sink, run)
        let start = Trampoline.goBack(outside)
        return start.holds ? StartHolding.handle(of: run, holding: start) : run
    }

    /// Starts this producer and sends its events to `observer`.
    ///
    /// - Returns: A disposable that cancels this start: its work and its scheduled actions. It interrupts the observer. A
    ///   reference to it keeps the start alive (law [P5](doc:Contracts#P5-Holders-keep-a-start-alive)).
    @inlinable @inline(__always)  // An observer that the caller makes is then not allocated.
    @discardableResult
    public func start(_ observer: Signal<Value, Error>.Observer = .init()) -> any Disposable {
        observer.isInput
            ? start(into: Sink(value: { observer.send(value: $0) }, termination: { observer.terminate($0) }))
            : start(into: observer.sink)
    }

    /// Starts this producer from a start handler, and disposes of the start when the lifetime ends: also while it begins, which a
    /// disposable that `start` returns would be too late for.
    @inlinable
    package func start(_ observer: Signal<Value, Error>.Observer, during lifetime: Lifetime) {
        start(Sink(value: { observer.send(value: $0) }, termination: { observer.terminate($0) }), during: lifetime)
    }

    /// The same, with an action.
    @inlinable
    package func start(during lifetime: Lifetime, _ action: @escaping Signal<Value, Error>.Observer.Action) {
        start(Sink(value: { action(.value($0)) }, termination: { action(.init($0)) }), during: lifetime)
    }

    @inlinable
    func start(_ sink: Sink<Value, Error>, during lifetime: Lifetime) {
        let run = ObservedRun(sink.onTermination)
        lifetime += run
        _ = start(run, into: Sink(value: sink.onValue, termination: { run.terminate($0) }))
    }

    /// Starts this producer and passes every event to `action`.
    @inlinable
    @discardableResult
    public func start(_ action: sending @escaping Signal<Value, Error>.Observer.Action) -> any Disposable {
        start(into: Sink(value: { action(.value($0)) }, termination: { action(.init($0)) }))
    }

    /// Starts this producer and passes values and the failure to `action`.
    @inlinable
    @discardableResult
    public func startWithResult(_ action: sending @escaping (Result<Value, Error>) -> Void) -> any Disposable {
        start(
            into: Sink(
                value: { action(.success($0)) },
                termination: { if case .failed(let error) = $0 { action(.failure(error)) } }))
    }

    /// Starts this producer, and runs `action` on completion.
    @inlinable
    @discardableResult
    public func startWithCompleted(_ action: sending @escaping () -> Void) -> any Disposable {
        start(into: Sink(value: { _ in }, termination: { if case .completed = $0 { action() } }))
    }

    /// Starts this producer, and runs `action` on failure.
    @inlinable
    @discardableResult
    public func startWithFailed(_ action: sending @escaping (Error) -> Void) -> any Disposable {
        start(into: Sink(value: { _ in }, termination: { if case .failed(let error) = $0 { action(error) } }))
    }

    /// Starts this producer, and runs `action` on interruption.
    @inlinable
    @discardableResult
    public func startWithInterrupted(_ action: sending @escaping () -> Void) -> any Disposable {
        start(into: Sink(value: { _ in }, termination: { if case .interrupted = $0 { action() } }))
    }

    /// Makes the signal of one start, passes it to `setup`, and starts when `setup` has returned.
    ///
    /// - Parameter setup: Receives the signal, and a disposable that interrupts the start. If `setup` disposes of it,
    ///   nothing is started.
    /// - Returns: The result of `setup`.
    @inlinable
    @discardableResult
    public func startWithSignal<Result>(
        _ setup: (_ signal: Signal<Value, Error>, _ interruptHandle: any Disposable) -> Result
    ) -> Result {
        let outside = Trampoline.stepOutside()
        let result = startSignal(setup)
        Trampoline.goBack(outside)
        return result
    }

    /// ``startWithSignal(_:)`` for Corinth's own operators, whose recursion needs constant stack depth.
    @inlinable
    func startSignal<Result>(
        _ setup: (_ signal: Signal<Value, Error>, _ interruptHandle: any Disposable) -> Result
    ) -> Result {
        let run = ProducerRun()
        let core = SignalCore<Value, Error>(strand: Strand(), resources: CompositeDisposable([run]))
        let handle = SignalStartHandle(run)
        let connect = { @Sendable in
            // Called by the thread that disposes of the handle in `setup`, and by the starting thread.
            if !handle.begins() { return }
            let outer = StartHolding.begin(run)
            self.beginOrEnd(
                Sink(
                    value: { core.send($0) },
                    termination: { core.send(run.isDisposed ? .interrupted : $0) }), run)
            handle.held = StartHolding.end(outer)
        }
        // A start that is disposed of before it begins is connected all the same, so that its hooks see the end.
        let early = run.resources.add { if handle.isDisposed { connect() } }
        let result = setup(Signal(core), handle)
        early?.dispose()
        connect()
        return result
    }
}

extension SignalProducer where Error == Never {
    /// Starts a producer that can't fail, and passes its values to `action`.
    @inlinable
    @discardableResult
    public func startWithValues(_ action: sending @escaping (Value) -> Void) -> any Disposable {
        // It isn't prompt: that of an action may fail.
        if !isRecipe { return origin.sendAll(value: action, termination: { _ in }) }
        let run = ProducerRun()
        // The end is not observed.
        return start(run, into: Sink(value: action, termination: { _ in run.dispose() }))
    }
}

// Methods of the content itself: the compiler then retains nothing of it for a call.
extension SignalProducer.Origin {
    /// Starts a producer that needs no run.
    ///
    /// - Returns: The user's handle, which is disposed of.
    @inlinable
    @inline(never)
    func sendAll(
        value receive: @escaping (Value) -> Void, termination terminate: @escaping (Termination<Error>) -> Void
    ) -> any Disposable {
        let outside = Trampoline.stepOutside()
        switch self {
        case .value(let value):
            receive(value)
            terminate(.completed)
        case .made(let make):
            receive(make())
            terminate(.completed)
        case .failure(let error): terminate(.failed(error))
        case .empty, .recipe, .prompt: terminate(.completed)
        }
        Trampoline.goBack(outside)
        return EndedStart.handle
    }

    /// Starts a prompt producer without a run.
    @inlinable
    static func start(_ start: SignalProducer.Prompt, _ sink: Sink<Value, Error>) -> any Disposable {
        StackSpace.check()
        let outside = Trampoline.stepOutside()
        let handle = start(sink, nil)
        Trampoline.goBack(outside)
        return handle ?? EndedStart.handle
    }

    /// Begins a start of a prompt producer in a run. One that is disposed of before is interrupted here. Not inlined, so that starts
    /// of other producers take no stack for it.
    @inlinable
    @inline(never)
    func beginPrompt(_ sink: Sink<Value, Error>, _ run: ProducerRun) {
        guard case .prompt(let start) = self else { return }
        run.hasManySources()
        if run.isDisposed { sink.onTermination(.interrupted) } else { _ = start(sink, run) }
    }

    /// ``begin(_:_:)`` for a content that isn't known to the caller's compiler.
    @inlinable
    @inline(never)
    func beginUnknown(_ sink: Sink<Value, Error>, _ run: ProducerRun) { begin(sink, run) }

    /// Sends the events of one start.
    @inlinable
    func begin(_ sink: Sink<Value, Error>, _ run: ProducerRun) {
        switch self {
        case .recipe(let recipe, let source): recipe(source, sink, run)
        case .prompt: beginPrompt(sink, run)
        case .value(let value):
            sink.onValue(value)
            sink.onTermination(run.isDisposed ? .interrupted : .completed)
        case .made(let make):
            sink.onValue(make())
            sink.onTermination(run.isDisposed ? .interrupted : .completed)
        case .failure(let error): sink.onTermination(.failed(error))
        case .empty: sink.onTermination(.completed)
        }
    }
}
