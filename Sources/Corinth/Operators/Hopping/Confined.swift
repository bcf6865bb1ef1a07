/// State that belongs to a scheduler: only what runs there reaches it.
///
/// A service whose callbacks all run on one scheduler needs no lock, and no class that is `@unchecked Sendable`:
///
/// ```swift
/// struct Book { var best = 0, count = 0 }
///
/// let scheduler = QueueScheduler(name: "book")
/// let book = Confined(on: scheduler, Book())
/// let (quotes, quote) = Signal<Int, Never>.pipe()
/// quotes.observeValues(in: book) { book, price in
///     book.best = max(book.best, price)
///     book.count += 1
/// }
/// quote.send(value: 42)
/// print(book.perform { $0.best }.single()!.get())  // prints 42
/// ```
///
/// What is sent and what is scheduled come in order (law [C5](doc:Contracts#C5-In-the-order-of-sending-and-scheduling)). The state
/// is released where its last reference is.
///
/// ## Concurrency
/// Any thread may call every method. The actions run on the scheduler, which has to run one at a time: a program whose scheduler
/// runs two at once, or one inside the other, stops.
public final class Confined<State>: @unchecked Sendable {  // Only who has raised the flag accesses the state.
    /// The scheduler to which the state belongs.
    public let scheduler: any Scheduler

    @safe @exclusivity(unchecked)
    private var state: State

    private let isInUse = AtomicFlag()

    /// Hands state over to a scheduler.
    ///
    /// - Parameters:
    ///   - scheduler: Runs one action at a time.
    ///   - state: Nobody else refers to it.
    public init(on scheduler: any Scheduler, _ state: sending State) {
        self.scheduler = scheduler
        self.state = state
    }

    /// Queues an action on the scheduler.
    ///
    /// - Parameter action: Reads and changes the state.
    /// - Returns: As ``Scheduler/schedule(_:)``.
    /// - Complexity: That of the scheduler, and an allocation for the closure.
    @discardableResult
    public func schedule(_ action: sending @escaping (inout State) -> Void) -> (any Disposable)? {
        // Swift 6.3 captures a `sending` parameter in a box and checks each access to it.
        let action = action
        return scheduler.schedule { self.access(action) }
    }

    /// A producer of the result of an action. Each start queues the action on the scheduler, and sends the result there.
    ///
    /// A task awaits it: `await book.perform { $0.best }.firstValue()`. A start that is disposed of before the action has begun doesn't
    /// run it.
    ///
    /// - Parameter action: Reads and changes the state, once for each start.
    public func perform<Result: Sendable>(
        _ action: @escaping @Sendable (inout State) -> Result
    ) -> SignalProducer<Result, Never> {
        SignalProducer { self.access(action) }.start(on: scheduler)
    }

    fileprivate func access<Result>(_ action: (inout State) -> Result) -> Result {
        // acquire: sees what the last action has done. Pairs with the release.
        precondition(
            isInUse.tryRaise(.acquire),
            "a \(type(of: scheduler)) has run an action of Confined<\(State.self)> beside or inside another one")
        // release: see above.
        defer { isInUse.store(.lowered, .release) }
        return action(&state)
    }
}

extension Signal where Value: Sendable {
    /// Observes every event on the scheduler of a state, with that state.
    ///
    /// It is a hop, as ``observe(on:)``.
    ///
    /// - Parameters:
    ///   - state: Kept until the observation ends.
    ///   - action: Called on the scheduler, with the state and the event.
    /// - Returns: A disposable that ends the observation; nil on a terminated signal.
    @discardableResult
    public func observe<State>(
        in state: Confined<State>, _ action: sending @escaping (inout State, Event) -> Void
    ) -> (any Disposable)? {
        let action = action
        return observe(on: state.scheduler).observe { event in state.access { action(&$0, event) } }
    }
}

extension Signal where Value: Sendable, Error == Never {
    /// Observes the values on the scheduler of a state. See ``observe(in:_:)``.
    @discardableResult
    public func observeValues<State>(
        in state: Confined<State>, _ action: sending @escaping (inout State, Value) -> Void
    ) -> (any Disposable)? {
        let action = action
        return observe(in: state) { if case .value(let value) = $1 { action(&$0, value) } }
    }
}

extension SignalProducer where Value: Sendable {
    /// Starts this producer on the calling thread, and observes every event on the scheduler of a state. See
    /// ``Signal/observe(in:_:)``.
    ///
    /// - Returns: A disposable that interrupts the start.
    @discardableResult
    public func start<State>(
        in state: Confined<State>, _ action: sending @escaping (inout State, Signal<Value, Error>.Event) -> Void
    ) -> any Disposable {
        let action = action
        return observe(on: state.scheduler).start { event in state.access { action(&$0, event) } }
    }
}

extension SignalProducer where Value: Sendable, Error == Never {
    /// Starts this producer on the calling thread, and observes the values on the scheduler of a state. See
    /// ``Signal/observe(in:_:)``.
    ///
    /// - Returns: A disposable that interrupts the start.
    @discardableResult
    public func startWithValues<State>(
        in state: Confined<State>, _ action: sending @escaping (inout State, Value) -> Void
    ) -> any Disposable {
        let action = action
        return start(in: state) { if case .value(let value) = $1 { action(&$0, value) } }
    }
}
