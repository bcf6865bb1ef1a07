extension SignalProducer {
    /// Starts, and gives every event to a sink.
    @inlinable @inline(__always)
    func start(into sink: __owned Sink<Value, Error>) -> any Disposable {
        let run = ProducerRun()
        // By itself: the closure would hold the whole sink.
        let onTermination = sink.onTermination
        return start(
            run,
            into: Sink(
                value: sink.onValue,
                termination: { termination in
                    // Whatever was on its way when this was disposed of: it has been interrupted (law P2).
                    onTermination(run.isDisposed ? .interrupted : termination)
                    run.dispose()
                }))
    }

    /// Starts, and gives every event to a sink, which ends the run.
    ///
    /// - Returns: What the user holds.
    @inlinable @inline(__always)
    func start(_ run: ProducerRun, into sink: __owned Sink<Value, Error>) -> any Disposable {
        let outside = Trampoline.stepOutside(into: run)
        begin(sink, run)
        let held = unsafe Trampoline.goBack(outside)
        return unsafe held == nil ? run : StartHolding.handle(of: run, held)
    }

    /// Starts, and gives every event to `observer`.
    ///
    /// - Returns: A disposable that cancels this start: its work, and what was scheduled for it. The observer is interrupted.
    ///   Whoever holds it keeps the start alive (law P5).
    @inlinable @inline(__always)  // Into the caller: then an observer that is made there isn't allocated.
    @discardableResult
    public func start(_ observer: Signal<Value, Error>.Observer = .init()) -> any Disposable {
        observer.isInput
            ? start(into: Sink(value: { observer.send(value: $0) }, termination: { observer.terminate($0) }))
            : start(into: observer.sink)
    }

    /// Starts, and gives every event to `action`.
    @inlinable
    @discardableResult
    @preconcurrency
    public func start(_ action: sending @escaping Signal<Value, Error>.Observer.Action) -> any Disposable {
        start(into: Sink(value: { action(.value($0)) }, termination: { action(.init($0)) }))
    }

    /// Starts, and gives values and the failure to `action`.
    @inlinable
    @discardableResult
    @preconcurrency
    public func startWithResult(_ action: sending @escaping (Result<Value, Error>) -> Void) -> any Disposable {
        start(
            into: Sink(
                value: { action(.success($0)) },
                termination: { if case .failed(let error) = $0 { action(.failure(error)) } }))
    }

    /// Starts, and runs `action` on completion.
    @inlinable
    @discardableResult
    @preconcurrency
    public func startWithCompleted(_ action: sending @escaping () -> Void) -> any Disposable {
        start(into: Sink(value: { _ in }, termination: { if case .completed = $0 { action() } }))
    }

    /// Starts, and runs `action` on failure.
    @inlinable
    @discardableResult
    @preconcurrency
    public func startWithFailed(_ action: sending @escaping (Error) -> Void) -> any Disposable {
        start(into: Sink(value: { _ in }, termination: { if case .failed(let error) = $0 { action(error) } }))
    }

    /// Starts, and runs `action` on interruption.
    @inlinable
    @discardableResult
    @preconcurrency
    public func startWithInterrupted(_ action: sending @escaping () -> Void) -> any Disposable {
        start(into: Sink(value: { _ in }, termination: { if case .interrupted = $0 { action() } }))
    }

    /// Makes the signal of one start, gives it to `setup`, and starts when `setup` has returned.
    ///
    /// - Parameter setup: Gets the signal and what interrupts the start. If it is disposed of in there, nothing starts.
    /// - Returns: What `setup` returned.
    @inlinable
    @discardableResult
    public func startWithSignal<Result>(
        _ setup: (_ signal: Signal<Value, Error>, _ interruptHandle: any Disposable) -> Result
    ) -> Result {
        let outside = Trampoline.stepOutside()
        let result = startSignal(setup)
        unsafe Trampoline.goBack(outside)
        return result
    }

    /// ``startWithSignal(_:)`` for the library's own operators, whose recursion is to take constant stack.
    @inlinable
    func startSignal<Result>(
        _ setup: (_ signal: Signal<Value, Error>, _ interruptHandle: any Disposable) -> Result
    ) -> Result {
        let run = ProducerRun()
        let core = SignalCore<Value, Error>(strand: Strand(), resources: CompositeDisposable([run]))
        let handle = StartHandle(AnyDisposable(run))
        // Until there is a source that could be interrupted, it is the signal that is.
        let early = run.resources.add { if handle.isDisposed { core.send(.interrupted) } }
        let result = setup(Signal(core), handle)
        early?.dispose()
        if handle.isDisposed {
            // Perhaps by another thread, after `early` was let go of.
            core.send(.interrupted)
        } else {
            let outer = StartHolding.begin(run)
            begin(
                Sink(
                    value: { core.send($0) },
                    termination: { core.send(run.isDisposed ? .interrupted : $0) }), run)
            handle.held = StartHolding.end(outer)
        }
        return result
    }
}

extension SignalProducer where Error == Never {
    /// Starts a producer that can't fail, and gives its values to `action`.
    @inlinable
    @discardableResult
    @preconcurrency
    public func startWithValues(_ action: sending @escaping (Value) -> Void) -> any Disposable {
        let run = ProducerRun()
        // Nobody hears of the end. The closure holds the run alone: so nothing is allocated for it.
        return start(run, into: Sink(value: action, termination: { _ in run.dispose() }))
    }
}
