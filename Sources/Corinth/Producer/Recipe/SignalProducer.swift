/// A recipe for a stream. Each start runs it again.
///
/// ```swift
/// SignalProducer([1, 2, 3])
///     .map { $0 * 2 }
///     .startWithValues { print($0) }
/// ```
///
/// Operators compose the recipe. A start builds the chain of closures once and runs it. Between its stages, there are no
/// signals and no synchronisation.
///
/// ## Cost
/// A chain over a sequence, whose closures capture nothing, is compiled to one loop where it is built. It can be stored, and
/// started from another function or module, without a call between its stages. From the first closure that captures
/// something, each stage costs a call per value. The start of one value, known or made at the start and mapped any number
/// of times, allocates nothing. The handle that it returns is already disposed of.
///
/// ## Concurrency
/// A producer can be started on any thread, and on several threads at the same time. Starts share only the recipe (law
/// [P1](doc:Contracts#P1-Cold)), so its closures are `@Sendable`. The events of one start are serial.
public struct SignalProducer<Value, Error: Swift.Error> {
    /// The signal of one start.
    public typealias ProducedSignal = Signal<Value, Error>

    /// Sends the events of one start to a sink, serially. Stops soon after the run has ended.
    @usableFromInline typealias Recipe = @Sendable (RecipeSource, Sink<Value, Error>, ProducerRun) -> Void

    /// Sends the events of one start, and needs no run if they are sent at once.
    ///
    /// - Returns: The handle of a start that goes on, unless it was given a run.
    @usableFromInline typealias Prompt = @Sendable (Sink<Value, Error>, ProducerRun?) -> (any Disposable)?

    /// The content of a producer. All but a recipe and a prompt one send their events without a run.
    @usableFromInline
    enum Origin {
        case recipe(Recipe, RecipeSource)
        case prompt(Prompt)
        case value(Value)
        /// A value that each start makes.
        case made(@Sendable () -> Value)
        case failure(Error)
        case empty
    }

    @usableFromInline let origin: Origin
    @usableFromInline let depth: RecipeDepth

    /// A producer whose recipe contains no other recipe.
    @inlinable @inline(__always)
    init(from source: RecipeSource = .none, recipe: @escaping Recipe) {
        origin = .recipe(recipe, source)
        depth = .none
    }

    /// A producer whose recipe contains other recipes.
    ///
    /// - Parameter source: What the recipe passes to the recipe that it contains.
    @inlinable @inline(__always)
    init(over depth: RecipeDepth, from source: RecipeSource = .none, recipe: @escaping Recipe) {
        if depth.count < RecipeDepth.distance {
            origin = .recipe(recipe, source)
            self.depth = RecipeDepth(depth.count &+ 1)
        } else {
            origin = .recipe(RecipeBox(recipe).boxed(isLong: depth.count == RecipeDepth.distance), source)
            self.depth = .none
        }
    }

    /// A producer that takes in the events of its sources itself, or is a source. A start that is disposed of before it begins is
    /// interrupted here, and starts nothing.
    ///
    /// - Parameter inputs: Of one input, a blocking call knows what it waits for: see `BlockingCall`.
    @inlinable @inline(__always)
    init(
        over depth: RecipeDepth? = nil, from source: RecipeSource = .none, inputs: RecipeInputs = .many,
        boundary: @escaping @Sendable (RecipeSource, Sink<Value, Error>, ProducerRun) -> Void
    ) {
        let recipe: Recipe = { source, sink, run in
            if case .many = inputs { run.hasManySources() }
            if run.isDisposed { sink.onTermination(.interrupted) } else { boundary(source, sink, run) }
        }
        if let depth {
            self.init(over: depth, from: source, recipe: recipe)
        } else {
            self.init(from: source, recipe: recipe)
        }
    }

    @inlinable @inline(__always)
    init(origin: Origin, over depth: RecipeDepth = .none) {
        self.origin = origin
        self.depth = depth
    }

    /// The recipe of any content, and its source.
    @inlinable
    var content: (recipe: Recipe, source: RecipeSource) {
        switch origin {
        case .recipe(let recipe, let source): return (recipe, source)
        case .prompt(let start): return ({ _, sink, run in Origin.prompt(start).beginPrompt(sink, run) }, .none)
        // All starts share the value, as the producer's creator intends.
        case .value(let value):
            return (
                { source, sink, run in
                    if !run.isDisposed { sink.onValue(source.content()) }
                    sink.onTermination(run.isDisposed ? .interrupted : .completed)
                }, RecipeSource(value)
            )
        case .made(let make):
            return (
                { _, sink, run in
                    if !run.isDisposed { sink.onValue(make()) }
                    sink.onTermination(run.isDisposed ? .interrupted : .completed)
                }, .none
            )
        case .failure(let error):
            return ({ _, sink, run in sink.onTermination(run.isDisposed ? .interrupted : .failed(error)) }, .none)
        case .empty: return ({ _, sink, run in sink.onTermination(run.isDisposed ? .interrupted : .completed) }, .none)
        }
    }

    /// Sends the events of one start.
    @inlinable
    func begin(_ sink: Sink<Value, Error>, _ run: ProducerRun) {
        StackSpace.check()
        origin.begin(sink, run)
    }

    /// Sends the events of one start, or ends it if `run` has ended before: then only hooks see the interruption.
    // Transparent, so that it takes no stack without optimisation either.
    @_transparent @usableFromInline
    func beginOrEnd(_ sink: Sink<Value, Error>, _ run: ProducerRun) {
        if needsNoRun, run.isDisposed { sink.onTermination(.interrupted) } else { begin(sink, run) }
    }

    /// Makes a producer that runs `startHandler` for each start.
    ///
    /// - Parameter startHandler: Sends to its observer, now or later, on any thread. Disposables that it adds to the
    ///   lifetime are disposed of when the start ends. The observer is kept by everything that can end the start, and by
    ///   the handler if it stores it. When the last reference to the observer is released, the start is interrupted.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public init(_ startHandler: @escaping @Sendable (Signal<Value, Error>.Observer, Lifetime) -> Void) {
        self.init(boundary: { _, sink, run in
            let input = ProducerInput(to: sink, in: run)
            let observer = input.makeObserver()
            startHandler(observer, Lifetime(input.resources))
            if !input.isTerminated { StartHolding.hold(observer, until: input.resources, in: run) }
        })
    }

    /// Makes a producer that runs `startHandler` for each start. The handler promises to send one event at a time (law
    /// [S5](doc:Contracts#S5-Unserialised)). The promise isn't needed, and saves nothing: see ``Signal/unserialized(_:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public static func unserialized(
        _ startHandler: @escaping @Sendable (Signal<Value, Error>.Observer, Lifetime) -> Void
    ) -> SignalProducer {
        SignalProducer(startHandler)
    }

    /// Makes a producer of the events that a signal sends after each start. Disposing of a start doesn't end the signal.
    @inlinable
    public init(_ signal: Signal<Value, Error>) {
        self.init(
            inputs: .one,
            boundary: { _, sink, run in
                run.passes(through: signal.core.strand, of: Signal<Value, Error>.self)
                ProducerInput(to: sink, in: run).follow(signal)
            })
    }

    /// Makes a producer of one value.
    @inlinable
    public init(value: Value) {
        self.init(origin: .value(value))
    }

    /// Makes a producer of one value. Each start calls `action` to make it.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public init(_ action: @escaping @Sendable () -> Value) {
        self.init(origin: .made(action))
    }

    /// Makes a producer that fails.
    @inlinable
    public init(error: Error) {
        self.init(origin: .failure(error))
    }

    /// Makes a producer from a result: one value, or a failure.
    @inlinable
    public init(result: Result<Value, Error>) {
        switch result {
        case .success(let value): self.init(value: value)
        case .failure(let error): self.init(error: error)
        }
    }

    /// Makes a producer of one value or a failure. Each start calls `action` to make it.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public init(_ action: @escaping @Sendable () -> Result<Value, Error>) {
        self.init(boundary: { _, sink, run in
            switch action() {
            case .success(let value):
                sink.onValue(value)
                sink.onTermination(run.isDisposed ? .interrupted : .completed)
            case .failure(let error):
                sink.onTermination(.failed(error))
            }
        })
    }

    /// Makes a producer of the elements of a sequence. Each start iterates it again.
    // With the iterator's type as an extra parameter, a closure is a worse match for this overload. Otherwise the compiler
    // might answer an error inside a start handler only with the message that the closure isn't a sequence.
    @inlinable
    public init<Elements: Sequence, Iterator: IteratorProtocol>(
        _ elements: Elements
    ) where Elements.Iterator == Iterator, Iterator.Element == Value {
        self.init(iterating: elements)
    }

    @inlinable
    init<Elements: Sequence>(iterating elements: Elements) where Elements.Element == Value {
        // Each start iterates its own copy. The sequence must be safe to share among threads: see the conformance below.
        nonisolated(unsafe) let iterate = { (source: RecipeSource, sink: Sink<Value, Error>, run: ProducerRun) in
            for element in source.content(as: Elements.self) {
                if run.isDisposed { break }
                sink.onValue(element)
            }
            sink.onTermination(run.isDisposed ? .interrupted : .completed)
        }
        self.init(from: RecipeSource(elements), recipe: { unsafe iterate($0, $1, $2) })
    }

    /// Makes a producer from any type that provides one.
    @inlinable
    public init<Source: SignalProducerConvertible>(_ source: Source)
    where Source.Value == Value, Source.Error == Error {
        self = source.producer
    }

    /// Makes a producer of the given values.
    @inlinable
    public init(values first: Value, _ second: Value, _ rest: Value...) {
        self.init(iterating: [first, second] + rest)
    }

    /// A producer that completes at once.
    @inlinable
    public static var empty: SignalProducer {
        SignalProducer(origin: .empty)
    }

    /// A producer that never sends an event.
    @inlinable
    public static var never: SignalProducer {
        SignalProducer(boundary: { _, sink, run in _ = ProducerInput(to: sink, in: run) })
    }
}

// A recipe is immutable, and its closures are `@Sendable`. Its starts share the values that it was made with. The
// conformance is not conditional, for the reason given at ``Signal``.
extension SignalProducer: @unchecked Sendable {}
