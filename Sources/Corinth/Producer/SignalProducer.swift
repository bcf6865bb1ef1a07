/// A recipe for a stream: each start runs it anew.
///
/// ```swift
/// SignalProducer([1, 2, 3])
///     .map { $0 * 2 }
///     .startWithValues { print($0) }
/// ```
///
/// Operators compose the recipe. Starting it builds the chain of closures once and runs it: there is no signal, and nothing
/// to synchronise, between its stages.
///
/// ## Concurrency
/// A producer can be started on any thread, and on several at once; starts share nothing but the recipe (law P1), so the
/// closures given to it are `@Sendable`. The events of one start are serial.
public struct SignalProducer<Value, Error: Swift.Error> {
    /// The signal that a start makes.
    public typealias ProducedSignal = Signal<Value, Error>

    /// Sends the events of one start to a sink, serially, and stops soon after the run has ended.
    @usableFromInline typealias Recipe = @Sendable (Sink<Value, Error>, ProducerRun) -> Void

    /// What a producer is made of. Those that are known without a start, ``flatMap(_:_:)`` takes as they are.
    @usableFromInline
    enum Origin {
        case recipe(Recipe)
        case value(Value)
        case failure(Error)
        case empty
    }

    @usableFromInline let origin: Origin
    @usableFromInline let depth: RecipeDepth

    /// A producer whose recipe holds no other one.
    @inlinable @inline(__always)
    init(recipe: @escaping Recipe) {
        origin = .recipe(recipe)
        depth = .none
    }

    /// A producer whose recipe holds others.
    @inlinable @inline(__always)
    init(over depth: RecipeDepth, recipe: @escaping Recipe) {
        if depth.count < RecipeDepth.distance {
            origin = .recipe(recipe)
            self.depth = RecipeDepth(depth.count &+ 1)
        } else {
            origin = .recipe(RecipeBox(recipe).boxed)
            self.depth = .none
        }
    }

    @inlinable @inline(__always)
    init(origin: Origin) {
        self.origin = origin
        depth = .none
    }

    /// The recipe, whatever this is made of.
    @inlinable
    var recipe: Recipe {
        switch origin {
        case .recipe(let recipe): return recipe
        case .value(let value):
            // Shared by all starts, as whoever made the producer wants it.
            nonisolated(unsafe) let value = value
            return { sink, run in
                unsafe sink.onValue(value)
                sink.onTermination(run.isDisposed ? .interrupted : .completed)
            }
        case .failure(let error): return { sink, _ in sink.onTermination(.failed(error)) }
        case .empty: return { sink, _ in sink.onTermination(.completed) }
        }
    }

    /// Sends the events of one start.
    @inlinable
    func begin(_ sink: __owned Sink<Value, Error>, _ run: ProducerRun) {
        StackRoom.check()
        switch origin {
        case .recipe(let recipe): recipe(sink, run)
        case .value(let value):
            sink.onValue(value)
            sink.onTermination(run.isDisposed ? .interrupted : .completed)
        case .failure(let error): sink.onTermination(.failed(error))
        case .empty: sink.onTermination(.completed)
        }
    }

    /// Makes a producer that runs `startHandler` for each start.
    ///
    /// - Parameter startHandler: Sends to its observer, now or later, on any thread. What it adds to the lifetime is disposed
    ///   of when the start ends. Whoever can end the start holds the observer, as the handler may: when nobody does any more, the
    ///   start is interrupted.
    @inlinable
    @preconcurrency
    public init(_ startHandler: @escaping @Sendable (Signal<Value, Error>.Observer, Lifetime) -> Void) {
        self.init(recipe: { sink, run in
            let input = ProducerInput(to: sink, in: run)
            let observer = input.makeObserver()
            startHandler(observer, Lifetime(input.resources))
            if !input.isTerminated { StartHolding.hold(observer, until: input.resources, in: run) }
        })
    }

    /// Makes a producer that runs `startHandler` for each start, which promises to send one event at a time (law S5).
    /// The promise is not needed, and saves nothing: see ``Signal/unserialized(_:)``.
    @inlinable
    @preconcurrency
    public static func unserialized(
        _ startHandler: @escaping @Sendable (Signal<Value, Error>.Observer, Lifetime) -> Void
    ) -> SignalProducer {
        SignalProducer(startHandler)
    }

    /// Makes a producer of what a signal sends from each start on. The signal goes on when a start is disposed of.
    @inlinable
    public init(_ signal: Signal<Value, Error>) {
        self.init(recipe: { sink, run in
            ProducerInput(to: sink, in: run).follow(signal)
        })
    }

    /// Makes a producer of one value.
    @inlinable
    public init(value: Value) {
        self.init(origin: .value(value))
    }

    /// Makes a producer of one value, made by `action` for each start.
    @inlinable
    @preconcurrency
    public init(_ action: @escaping @Sendable () -> Value) {
        self.init(recipe: { sink, run in
            sink.onValue(action())
            sink.onTermination(run.isDisposed ? .interrupted : .completed)
        })
    }

    /// Makes a producer that fails.
    @inlinable
    public init(error: Error) {
        self.init(origin: .failure(error))
    }

    /// Makes a producer of a result: one value, or a failure.
    @inlinable
    public init(result: Result<Value, Error>) {
        switch result {
        case .success(let value): self.init(value: value)
        case .failure(let error): self.init(error: error)
        }
    }

    /// Makes a producer of one value or a failure, made by `action` for each start.
    @inlinable
    @preconcurrency
    public init(_ action: @escaping @Sendable () -> Result<Value, Error>) {
        self.init(recipe: { sink, run in
            switch action() {
            case .success(let value):
                sink.onValue(value)
                sink.onTermination(run.isDisposed ? .interrupted : .completed)
            case .failure(let error):
                sink.onTermination(.failed(error))
            }
        })
    }

    /// Makes a producer of the elements of a sequence, iterated anew by each start.
    // With the iterator's type as a parameter of its own, a closure fits worse here. Otherwise the compiler, where a line of a
    // start handler is wrong, might say no more than that the closure is no sequence.
    @inlinable
    public init<Elements: Sequence, Iterator: IteratorProtocol>(
        _ elements: Elements
    ) where Elements.Iterator == Iterator, Iterator.Element == Value {
        self.init(iterating: elements)
    }

    @inlinable
    init<Elements: Sequence>(iterating elements: Elements) where Elements.Element == Value {
        // Starts iterate a copy each; that the sequence may be read on their threads is for its elements to say, below.
        nonisolated(unsafe) let iterate = { (sink: Sink<Value, Error>, run: ProducerRun) in
            for element in elements {
                if run.isDisposed { break }
                sink.onValue(element)
            }
            sink.onTermination(run.isDisposed ? .interrupted : .completed)
        }
        self.init(recipe: { unsafe iterate($0, $1) })
    }

    /// Makes a producer of anything that one can be made of.
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

    /// A producer that never sends anything.
    @inlinable
    public static var never: SignalProducer {
        SignalProducer(recipe: { sink, run in _ = ProducerInput(to: sink, in: run) })
    }
}

// A recipe is immutable and its closures are `@Sendable`; the values that it was made with are shared by its starts. Not
// conditional, for the reason given at ``Signal``.
extension SignalProducer: @unchecked Sendable {}
