/// Keeps the last values of a stream, and its end, for whoever starts later.
///
/// The values are a linked list of which only the ends are held in the state. So a start takes what there is by copying two
/// references, and walks over it with nothing held, while the stream goes on.
@usableFromInline
final class Replay<Value, Error: Swift.Error>: Sendable {
    /// One value, and the way to the next.
    @usableFromInline
    final class Node: @unchecked Sendable {  // See `next`.
        @usableFromInline let value: Value

        /// Written once by the stream, before a state that leads to the next node is published; read by who holds such a state.
        @safe @exclusivity(unchecked)
        @usableFromInline var next: Node?

        @inlinable
        init(_ value: Value) { self.value = value }

        /// Lets go of the nodes behind it one after the other: as many as there are, they don't nest.
        deinit {
            var rest = next
            next = nil
            while isKnownUniquelyReferenced(&rest) {
                let following = rest?.next
                rest?.next = nil
                rest = following
            }
        }
    }

    @usableFromInline
    struct State: @unchecked Sendable {  // Values cross threads as the producer's user says they may.
        @usableFromInline var oldest: Node?
        @usableFromInline var newest: Node?
        @usableFromInline var count = 0
        @usableFromInline var end: Termination<Error>?
        @usableFromInline var inputs: [ProducerInput<Value, Error>] = []

        @inlinable
        init() {}
    }

    @usableFromInline let state = Atomic(State())
    @usableFromInline let capacity: Int

    @inlinable
    init(upTo capacity: Int) {
        precondition(capacity >= 0, "capacity is \(capacity), but must be at least 0")
        self.capacity = capacity
    }

    /// Keeps a value, and sends it to whoever has started. Called by the stream, one event at a time.
    @inlinable
    func receive(_ value: Value) {
        let node = Node(value)
        let inputs = state.modify { state -> [ProducerInput<Value, Error>] in
            if state.end != nil { return [] }
            if capacity > 0 {
                if let newest = state.newest { newest.next = node } else { state.oldest = node }
                state.newest = node
                if state.count == capacity { state.oldest = state.oldest?.next } else { state.count += 1 }
            }
            return state.inputs
        }
        for input in inputs { input.send(value) }
    }

    /// Keeps the end, and sends it to whoever has started.
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        let inputs = state.modify { state -> [ProducerInput<Value, Error>] in
            if state.end != nil { return [] }
            state.end = termination
            defer { state.inputs = [] }
            return state.inputs
        }
        for input in inputs { input.send(termination) }
    }

    /// Sends what is kept, and then what comes.
    ///
    /// - Parameter ended: Called when the start has ended.
    @inlinable
    func attach(_ sink: Sink<Value, Error>, _ run: ProducerRun, ended: @escaping @Sendable () -> Void) {
        let input = ProducerInput(to: sink, in: run)
        // New, and therefore idle: what comes from now on waits until this has sent what is kept.
        guard input.strand.tryEnter() else { preconditionFailure("a new strand is owned") }
        let snapshot = state.modify { state -> State in
            if state.end == nil { state.inputs.append(input) }
            return state
        }
        let identity = ObjectIdentifier(input)
        input.resources.add(
            AnyDisposable { [weak state] in
                state?.modify { state in state.inputs.removeAll { ObjectIdentifier($0) == identity } }
                ended()
            })
        var next = snapshot.oldest
        while let node = next {
            if run.isDisposed { break }
            input.receive(node.value)
            next = node === snapshot.newest ? nil : node.next
        }
        if let end = snapshot.end { input.terminate(end) }
        input.strand.leave()
    }
}

/// Ends the stream behind a producer that replays it, when the last copy of the producer goes.
@usableFromInline
final class ReplayOwner: Sendable {
    /// The one start of that stream.
    @usableFromInline let run = SerialDisposable()
    @usableFromInline let isStarted = Atomic(false)

    @usableFromInline
    init() {}

    deinit { run.dispose() }
}

extension SignalProducer {
    /// Makes a producer of what is sent to an observer: each start gets the last `capacity` values first, and then what comes.
    ///
    /// ```swift
    /// let (producer, observer) = SignalProducer<Int, Never>.buffer(upTo: 2)
    /// for value in 1...3 { observer.send(value: value) }
    /// producer.startWithValues { print($0) }  // prints 2 and 3
    /// ```
    ///
    /// The end is replayed, too, whatever it was. Letting go of the observer doesn't interrupt the producer.
    ///
    /// - Parameter capacity: How many values are kept. At least 0. Memory grows with what is kept, not with this bound.
    /// - Complexity: Keeping a value takes two allocations; sending it is O(starts).
    /// ## Concurrency
    /// Any thread may send; the events of one start are serial.
    @inlinable
    public static func buffer(
        upTo capacity: Int = .max
    ) -> (producer: SignalProducer, observer: Signal<Value, Error>.Observer) {
        let replay = Replay<Value, Error>(upTo: capacity)
        let input = ProducerInput(
            to: Sink<Value, Error>(value: { replay.receive($0) }, termination: { replay.terminate($0) }))
        let observer = Signal<Value, Error>.Observer(
            sink: Sink(value: { input.send($0) }, termination: { input.send($0) }))
        return (SignalProducer(recipe: { sink, run in replay.attach(sink, run) {} }), observer)
    }

    /// Shares one start of this between all starts of the result, and sends each the last `capacity` values first.
    ///
    /// The first start of the result starts this. It is cancelled when the last copy of the result has gone and all starts of it
    /// have ended. The end is replayed, too, whatever it was.
    ///
    /// - Parameter capacity: How many values are kept. At least 0. Memory grows with what is kept, not with this bound.
    /// - Complexity: Keeping a value takes two allocations; sending it is O(starts).
    /// ## Concurrency
    /// What starts while the stream goes on, also from inside a callback, gets what is kept before `start` returns.
    @inlinable
    public func replayLazily(upTo capacity: Int) -> SignalProducer<Value, Error> {
        let replay = Replay<Value, Error>(upTo: capacity)
        let owner = ReplayOwner()
        return SignalProducer(recipe: { sink, run in
            replay.attach(sink, run) { withExtendedLifetime(owner) {} }
            if !owner.isStarted.swap(true) {
                owner.run.inner = self.start(
                    into: Sink(value: { replay.receive($0) }, termination: { replay.terminate($0) }))
            }
        })
    }
}
