public import Corinth

/// Limits how many producers and tasks of a kind run at once; others wait, the most urgent first, and too many are refused.
///
/// ```swift
/// let database = Bulkhead(limit: 8, waiting: 100)
///
/// requests.flatMap(.merge) { request in
///     query(request).limited(by: database, priority: request.priority, raising: .overloaded)
/// }
///
/// let rows = try await database.run { try await connection.rows() }
/// ```
///
/// With the default for `waiting`, which refuses none, this is a counting semaphore for streams and tasks.
///
/// Places are given in the order of their priorities, and among equal ones in the order in which they were asked for. If no place is free
/// and as many wait as may, one is refused: the newest one of the least priority, which may be the one that comes.
///
/// What runs with a place and waits for another place of the same bulkhead waits for ever if all places are taken so.
public final class Bulkhead: Sendable {
    /// How many have a place, and how many wait for one.
    public struct Load: Equatable, Sendable, CustomStringConvertible {
        // Small, so that a property of it allocates nothing.
        private var packed: (running: Int32, waiting: Int32)

        public init(running: Int, waiting: Int) {
            packed = (Int32(clamping: running), Int32(clamping: waiting))
        }

        public var running: Int { Int(packed.running) }
        public var waiting: Int { Int(packed.waiting) }

        public var description: String { "\(running) running, \(waiting) waiting" }

        public static func == (left: Load, right: Load) -> Bool { left.packed == right.packed }
    }

    /// No place was free, and too many waited that were as urgent or more.
    public struct Full: Error, Equatable {
        public init() {}
    }

    private struct State {
        var running = 0
        var waiters = PriorityQueue<Waiter>()
    }

    /// A start that asks for a place.
    private final class Waiter: Sendable {
        /// Called once, by the thread that has taken this out of the queue; with nil if it is refused.
        nonisolated(unsafe) let receive: (Place?) -> Void

        init(_ receive: @escaping (Place?) -> Void) { unsafe self.receive = receive }
    }

    /// How many may have a place at once.
    public let limit: Int

    /// How many may wait for one.
    public let capacity: Int

    private let state = ObservedState<State, Load>(State()) {
        Load(running: $0.running, waiting: $0.waiters.count)
    }

    /// - Parameters:
    ///   - limit: How many may have a place at once. At least 1.
    ///   - capacity: How many may wait for one. At least 0.
    public init(limit: Int, waiting capacity: Int = .max) {
        precondition(limit >= 1, "limit is \(limit), but must be at least 1")
        precondition(capacity >= 0, "waiting is \(capacity), but must be at least 0")
        self.limit = limit
        self.capacity = capacity
    }

    /// How many have a place, and how many wait. It is set after each change, and skips changes that follow each other closely.
    ///
    /// ## Concurrency
    /// Observers run on the threads that ask for places and give them back, and hold these up.
    public var load: Property<Load> { state.property }

    /// Makes a producer of one place, for what lasts longer than a producer or a function. Each start waits for a place of its own.
    ///
    /// A start that is disposed of no longer waits. The place is given back when it is disposed of, or released.
    ///
    /// - Parameter priority: The greater comes first.
    /// - Complexity: A constant number of allocations for each start, and O(log *p*) for *p* different priorities that wait.
    /// ## Concurrency
    /// The place comes in the call of `start`, or on the thread that gives a place back.
    public func place(priority: Int = 0) -> SignalProducer<Place, Full> {
        SignalProducer { observer, lifetime in
            self.enter(priority, during: lifetime) { place in
                guard let place else { return observer.send(error: Full()) }
                observer.send(value: place)
                observer.sendCompleted()
            }
        }
    }

    /// Runs a function when a place is free. The place is given back when the function has returned.
    ///
    /// - Parameters:
    ///   - priority: The greater comes first.
    ///   - body: The function.
    /// - Throws: ``Full``, a `CancellationError` if the task is cancelled while it waits, or what the function throws.
    /// ## Concurrency
    /// Waiting suspends the task.
    nonisolated(nonsending) public func run<Result>(
        priority: Int = 0, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let place = try await place(priority: priority).firstValue() else { throw CancellationError() }
        defer { place.dispose() }
        return try await body()
    }

    private enum Entry {
        case placed
        case waits(slot: Int, instead: Waiter?)
        case refused
    }

    /// Asks for a place until the lifetime ends.
    ///
    /// - Parameter receive: Receives the place, or nil if it is refused. Not called if the lifetime has ended before.
    @usableFromInline
    func enter(_ priority: Int, during lifetime: Lifetime, _ receive: @escaping (Place?) -> Void) {
        let waiter = Waiter(receive)
        let entry = state.change { state -> Entry in
            if state.running < limit {
                state.running += 1
                return .placed
            }
            var evicted: Waiter?
            if state.waiters.count >= capacity {
                guard let least = state.waiters.leastPriority, least < priority else { return .refused }
                evicted = state.waiters.popLast()
            }
            return .waits(slot: state.waiters.insert(waiter, priority), instead: evicted)
        }
        switch entry {
        case .placed:
            if !deliverPlace(to: waiter) { leave() }
        case .refused:
            unsafe waiter.receive(nil)
        case .waits(let slot, let evicted):
            unsafe evicted?.receive(nil)
            // Nothing is released in it: the closure keeps the waiter.
            lifetime.observeEnded { _ = self.state.change { $0.waiters.remove(slot) { $0 === waiter } } }
        }
    }

    /// Passes a place on, as long as those who get it give it back at once: a loop, so that a thousand of them don't nest.
    fileprivate func leave() {
        while let next = nextWaiter(), !deliverPlace(to: next) {}
    }

    private func nextWaiter() -> Waiter? {
        state.change { state in
            let next = state.waiters.popFirst()
            if next == nil { state.running -= 1 }
            return next
        }
    }

    /// - Returns: Whether the place is kept.
    private func deliverPlace(to waiter: Waiter) -> Bool {
        var place = Place(of: self)
        unsafe waiter.receive(place)
        // Nobody has taken it. Otherwise its deinitialiser would give it back from here.
        if isKnownUniquelyReferenced(&place) { place.dispose() }
        return place.keep()
    }

    /// A place in a bulkhead, until it is disposed of or released.
    public final class Place: Disposable {
        private enum Phase {
            /// It is given back by who delivers it.
            case delivered
            case kept
            case givenBack
        }

        private let bulkhead: Bulkhead
        private let phase = Atomic(Phase.delivered)

        fileprivate init(of bulkhead: Bulkhead) { self.bulkhead = bulkhead }

        deinit { dispose() }

        /// Whether it has been given back.
        public var isDisposed: Bool { phase.value == .givenBack }

        /// Gives the place back. The next one that waits starts on this thread, before this returns.
        public func dispose() {
            if phase.swap(.givenBack) == .kept { bulkhead.leave() }
        }

        /// The delivery is over.
        ///
        /// - Returns: Whether the place has not been given back meanwhile.
        fileprivate func keep() -> Bool {
            phase.modify { phase in
                guard phase == .delivered else { return false }
                phase = .kept
                return true
            }
        }
    }
}

extension SignalProducer {
    /// Starts when the bulkhead has a free place, and gives it back at the end.
    ///
    /// - Parameters:
    ///   - bulkhead: The bulkhead.
    ///   - priority: The greater comes first.
    ///   - error: The failure of a start that is refused, because too many wait.
    /// - Complexity: A constant number of allocations for each start. No work per value.
    /// ## Concurrency
    /// A start that has waited runs on the thread that gives a place back, which goes on while those it starts end at once. Let
    /// longer work begin on a scheduler, `work.start(on: queue).limited(by: …)`, so that this thread only hands it over. The
    /// place is given back after the end has been delivered, or when the start is disposed of; if a start sends its events
    /// before it returns, when it has returned.
    @inlinable
    public func limited(
        by bulkhead: Bulkhead, priority: Int = 0, raising error: Error
    ) -> SignalProducer<Value, Error> {
        SignalProducer { observer, lifetime in
            bulkhead.enter(priority, during: lifetime) { place in
                guard let place else { return observer.send(error: error) }
                self.finally { place.dispose() }.start(observer, during: lifetime)
            }
        }
    }
}
