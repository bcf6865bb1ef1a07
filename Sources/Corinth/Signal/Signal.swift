/// A stream of events that happens whether or not anybody observes it.
///
/// ```swift
/// let (output, input) = Signal<Int, Never>.pipe()
/// output.map { $0 * 2 }.observeValues { print($0) }
/// input.send(value: 21)  // prints 42
/// ```
///
/// A signal is alive while it is reachable or observed; when neither holds, it lets go of its source (law S3).
///
/// ## Concurrency
/// Any thread may send, observe and dispose, also from inside a callback, and nothing ever deadlocks. Callbacks of one
/// signal and of all that derive from it never overlap (law E2). They run on the thread that sends; on a signal that is
/// being delivered by another thread, they run there, in order (law E5).
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

    /// Makes a signal of whatever `generator` sends to its observer.
    ///
    /// - Parameter generator: Runs at once, on the calling thread. What it adds to the lifetime is disposed of when the
    ///   signal ends, or when nobody can observe it any more. The signal is interrupted when the observer is let go of.
    @inlinable
    public convenience init(_ generator: (Observer, Lifetime) -> Void) {
        self.init(inboxCapacity: Strand.defaultCapacity, generator)
    }

    /// Makes a signal, with a bound on what may wait.
    ///
    /// - Parameters:
    ///   - inboxCapacity: How many events may wait for delivery. Past it, a thread that sends while another delivers waits
    ///     in turn for a place, unless it is inside a callback: then it goes past the bound, and waits when it is out of
    ///     all callbacks. Ends, disposals and starts never wait. At least 1; 16,384 where nothing is said.
    ///   - generator: As in ``init(_:)``.
    @inlinable
    public convenience init(inboxCapacity: Int, _ generator: (Observer, Lifetime) -> Void) {
        let resources = CompositeDisposable()
        let core = SignalCore<Value, Error>(strand: Strand(capacity: inboxCapacity), resources: resources)
        self.init(core)
        generator(core.makeInput(), Lifetime(resources))
    }

    /// A signal that completes, with nothing before it, before anybody can observe it.
    @inlinable
    public static var empty: Signal {
        Signal { observer, _ in observer.sendCompleted() }
    }

    /// A signal that never sends anything.
    @inlinable
    public static var never: Signal {
        Signal(SignalCore(strand: Strand(), resources: nil))
    }

    /// Makes a signal and the observer that feeds it.
    ///
    /// - Parameter disposable: Disposed of when the signal ends, or when nobody can observe it any more.
    @inlinable
    public static func pipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
        pipe(disposable: disposable, inboxCapacity: Strand.defaultCapacity)
    }

    /// Makes a signal and the observer that feeds it, with a bound on what may wait.
    ///
    /// - Parameters:
    ///   - disposable: As in ``pipe(disposable:)``.
    ///   - inboxCapacity: As in ``init(inboxCapacity:_:)``.
    @inlinable
    public static func pipe(
        disposable: (any Disposable)? = nil, inboxCapacity: Int
    ) -> (output: Signal, input: Observer) {
        let core = makeCore(Strand(capacity: inboxCapacity), disposable)
        return (Signal(core), core.makeInput())
    }

    @inlinable
    static func makeCore(_ strand: Strand, _ disposable: (any Disposable)?) -> SignalCore<Value, Error> {
        SignalCore(strand: strand, resources: disposable.map { CompositeDisposable([$0]) })
    }
}

/// What has a signal: for operators on streams of signals.
public protocol SignalProtocol<Value, Error> {
    /// The values of the signal.
    associatedtype Value
    /// The errors of the signal.
    associatedtype Error: Swift.Error

    /// The signal.
    var signal: Signal<Value, Error> { get }
}

extension Signal: SignalProtocol {
    /// This signal itself.
    public var signal: Signal<Value, Error> { self }
}

// The state of a signal belongs to the owner of its strand, and the closures that it is given are handed over. What values
// may cross threads is asked of its input, ``Signal/Observer``. Conditional on `Value: Sendable`, this would make Swift 6.3
// reject `Signal.merge(signals)`: it then looks for `Value` through the instance method of the same name.
extension Signal: @unchecked Sendable {}

extension SignalCore {
    /// The observer that feeds this signal.
    @inlinable
    func makeInput() -> Signal<Value, Error>.Observer {
        Signal<Value, Error>.Observer(
            input: Sink(value: { self.send($0) }, termination: { self.send($0) }), trying: { self.trySend($0) })
    }
}
