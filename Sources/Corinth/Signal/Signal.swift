/// A stream of events that exists independently of its observers.
///
/// ```swift
/// let (output, input) = Signal<Int, Never>.pipe()
/// output.map { $0 * 2 }.observeValues { print($0) }
/// input.send(value: 21)  // prints 42
/// ```
///
/// A signal is alive while it is reachable or observed. After that, it releases its source (law [S3](doc:Contracts#S3-Lifetime)).
///
/// ## Concurrency
/// Any thread may send, observe and dispose, also from inside a callback, without deadlock. Callbacks of a signal and of all
/// signals derived from it never overlap (law [E2](doc:Contracts#E2-Serial)). They run on the sending thread. If another thread is
/// delivering on the signal, they run on that thread, in order (law [E5](doc:Contracts#E5-Sending-doesnt-wait-for-delivery)).
public final class Signal<Value, Error: Swift.Error> {
    @usableFromInline let core: SignalCore<Value, Error>

    @inlinable
    init(_ core: SignalCore<Value, Error>) {
        self.core = core
    }

    @inlinable
    deinit {
        // A deinitialiser of a generic class would retain the core for the call.
        unsafe Unmanaged<SignalState>.passUnretained(core)._withUnsafeGuaranteedRef { $0.becomeUnreachable() }
    }

    /// Creates a signal from the events that `generator` sends to its observer.
    ///
    /// - Parameter generator: Runs at once, on the calling thread. What it adds to the lifetime is disposed of when the
    ///   signal terminates, or when it can't be observed any more. The signal is interrupted when the observer is released.
    @inlinable
    public convenience init(_ generator: (Observer, Lifetime) -> Void) {
        self.init(inboxCapacity: Strand.defaultCapacity, generator)
    }

    /// Creates a signal with an inbox of the given capacity.
    ///
    /// - Parameters:
    ///   - inboxCapacity: How many events may be queued for delivery. If the inbox is full and another thread delivers, a
    ///     sending thread waits in FIFO order. A thread inside a callback exceeds the bound, and waits after it has left all
    ///     callbacks. Terminations, disposals and starts never wait. At least 1; the default is 16,384.
    ///   - generator: As in ``init(_:)``.
    @inlinable
    public convenience init(inboxCapacity: Int, _ generator: (Observer, Lifetime) -> Void) {
        let resources = CompositeDisposable()
        let core = SignalCore<Value, Error>(strand: Strand(capacity: inboxCapacity), resources: resources)
        self.init(core)
        generator(core.makeInput(), Lifetime(resources))
    }

    /// A signal that has already completed without a value.
    @inlinable
    public static var empty: Signal {
        Signal { observer, _ in observer.sendCompleted() }
    }

    /// A signal that never sends an event.
    @inlinable
    public static var never: Signal {
        Signal(SignalCore(strand: Strand(), resources: nil))
    }

    /// Creates a signal and the observer that feeds it.
    ///
    /// - Parameter disposable: Disposed of when the signal terminates, or when it can't be observed any more.
    @inlinable
    public static func pipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
        pipe(disposable: disposable, inboxCapacity: Strand.defaultCapacity)
    }

    /// Creates a signal with an inbox of the given capacity, and the observer that feeds it.
    ///
    /// - Parameters:
    ///   - disposable: As in ``pipe(disposable:)``.
    ///   - inboxCapacity: As in ``init(inboxCapacity:_:)``.
    @inlinable
    public static func pipe(
        disposable: (any Disposable)? = nil, inboxCapacity: Int
    ) -> (output: Signal, input: Observer) {
        let core = makeCore(Strand(capacity: inboxCapacity), disposable)
        // First, so that the signal takes this reference of the core over.
        let input = core.makeInput()
        return (Signal(core), input)
    }

    // Inlined, so that the strand is handed over without a count.
    @inlinable @inline(__always)
    static func makeCore(_ strand: __owned Strand, _ disposable: (any Disposable)?) -> SignalCore<Value, Error> {
        SignalCore(strand: strand, resources: disposable.map { CompositeDisposable([$0]) })
    }
}

/// A type that has a signal: for operators on streams of signals.
public protocol SignalProtocol<Value, Error> {
    /// The values of the signal.
    associatedtype Value
    /// The errors of the signal.
    associatedtype Error: Swift.Error

    /// The signal.
    var signal: Signal<Value, Error> { get }
}

extension Signal: SignalProtocol {
    /// This signal.
    public var signal: Signal<Value, Error> { self }
}

// The strand's owner owns the state of a signal, and closures are handed over to it. The input, ``Signal/Observer``,
// restricts which values may cross threads. If this were conditional on `Value: Sendable`, Swift 6.3 would reject
// `Signal.merge(signals)`: it looks for `Value` through the instance method of the same name.
extension Signal: @unchecked Sendable {}

extension SignalCore {
    /// The observer that feeds this signal. Called before another thread knows this.
    @inlinable
    func makeInput() -> Signal<Value, Error>.Observer {
        Signal<Value, Error>.Input(value: { self.send($0) }, requests: { self.carryOut($0) })
    }
}
