/// Stores the last values of a stream and its termination, and replays them to later starts.
///
/// The values form a linked list, unless only the last one is kept. So do the starts that follow the stream. Adding or removing
/// an element holds a flag for a few writes. A start copies two references under the flag, and then iterates over the values
/// without it, while the stream continues. Starting and ending cost O(1), independent of the number of starts.
@usableFromInline
@safe final class Replay<Value, Error: Swift.Error>: @unchecked Sendable {  // The flag guards the state.
    /// One value, and the reference to the next node.
    @usableFromInline
    final class Node: @unchecked Sendable {  // See `next`.
        @usableFromInline let value: Value

        /// Written once by the stream, before it publishes a state that leads to the next node. Read by holders of such a
        /// state.
        @safe @exclusivity(unchecked)
        @usableFromInline var next: Node?

        @inlinable
        init(_ value: Value) { self.value = value }

        /// Releases the following nodes in a loop, so that their deinitialisers don't nest.
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

    /// A start that follows the stream. It removes itself when it has ended.
    @usableFromInline
    @safe final class Member: Disposable, Listed, @unchecked Sendable {  // The flag of the replay guards the links.
        @usableFromInline let input: ProducerInput<Value, Error>

        /// Weak: the stream holds the replay.
        @usableFromInline weak var replay: Replay?
        @usableFromInline let ended: @Sendable () -> Void

        @safe @exclusivity(unchecked) @usableFromInline var neighbours = Neighbours<Member>()
        @safe @exclusivity(unchecked) @usableFromInline var isThere = false

        /// Increases from one member to the next.
        @safe @exclusivity(unchecked) @usableFromInline var number: UInt64 = 0

        @inlinable
        init(_ input: ProducerInput<Value, Error>, of replay: Replay, ended: @escaping @Sendable () -> Void) {
            self.input = input
            self.replay = replay
            self.ended = ended
        }

        @usableFromInline var isDisposed: Bool { input.isDisposed }

        @inlinable
        func dispose() {
            replay?.remove(self)
            ended()
        }
    }

    @usableFromInline
    @safe struct State: ~Copyable {
        @usableFromInline var oldest: Node?
        @usableFromInline var newest: Node?
        @usableFromInline var count = 0

        /// The last value, if no other one is kept.
        @usableFromInline var latest: Value?
        @usableFromInline var end: Termination<Error>?

        /// Retained, in the order of their starts.
        @usableFromInline var members = IntrusiveList<Member>()
        @usableFromInline var joined: UInt64 = 0

        /// The next member to receive the event that is being delivered.
        @safe @usableFromInline var cursor: Unmanaged<Member>?

        /// The member that receives it now. Kept until then, if it is removed meanwhile.
        @safe @usableFromInline var receiver: Unmanaged<Member>?
        @usableFromInline var isReceiverRemoved = false

        @inlinable
        init() {
            cursor = nil
            receiver = nil
        }

        /// Stores a value, and drops the oldest one if there are too many.
        ///
        /// - Returns: The dropped one, which the caller releases when the flag isn't held.
        @inlinable
        mutating func store(_ node: Node, upTo capacity: Int) -> Node? {
            if let newest { newest.next = node } else { oldest = node }
            newest = node
            guard count == capacity else {
                count += 1
                return nil
            }
            let dropped = oldest
            oldest = dropped?.next
            return dropped
        }

        /// Removes the oldest value if it is stale.
        ///
        /// - Parameter isStale: Doesn't run user code, because the flag is held.
        /// - Returns: What the caller releases when the flag isn't held.
        @export(implementation)
        mutating func removeOldest(if isStale: (Value) -> Bool) -> (node: Node?, latest: Value?) {
            if let latest, isStale(latest) {
                self.latest = nil
                return (nil, latest)
            }
            guard let node = oldest, isStale(node.value) else { return (nil, nil) }
            oldest = node.next
            if oldest == nil { newest = nil }
            count -= 1
            return (node, nil)
        }

        /// Goes on to the next member that is to receive the event. A member that joined later isn't.
        ///
        /// - Returns: That member, and the one before it if the caller is to release it.
        @inlinable @inline(__always)
        mutating func advance(upTo last: UInt64) -> (next: Unmanaged<Member>?, removed: Unmanaged<Member>?) {
            let removed = isReceiverRemoved ? receiver : nil
            isReceiverRemoved = false
            receiver = nil
            if let member = cursor {
                unsafe member._withUnsafeGuaranteedRef {
                    if $0.number > last { return }
                    receiver = unsafe member
                    cursor = $0.neighbours.next
                }
            }
            return unsafe (receiver, removed)
        }

        @inlinable
        mutating func append(_ member: Member) {
            joined += 1
            member.number = joined
            member.isThere = true
            unsafe members.append(.passRetained(member))
        }

        /// - Returns: Whether the caller is to release the reference of the list.
        @inlinable
        mutating func remove(_ member: Member) -> Bool {
            if !member.isThere { return false }
            member.isThere = false
            if unsafe cursor?.toOpaque() == Unmanaged.passUnretained(member).toOpaque() {
                cursor = member.neighbours.next
            }
            unsafe members.remove(member)
            guard unsafe receiver?.toOpaque() == Unmanaged.passUnretained(member).toOpaque() else { return true }
            isReceiverRemoved = true
            return false
        }
    }

    @usableFromInline let state = BiasedGuarded<State, Replay>(State())
    @usableFromInline let capacity: Int

    @inlinable
    init(upTo capacity: Int) {
        precondition(capacity >= 0, "capacity is \(capacity), but must be at least 0")
        self.capacity = capacity
    }

    /// Releases the members in a loop, so that their deinitialisers don't nest.
    @inlinable
    deinit {
        var rest = unsafe state.hold { unsafe $0.members.takeAll() }
        while let member = unsafe rest?.takeRetainedValue() { unsafe rest = member.neighbours.next }
    }

    // MARK: The stream

    /// Stores a value, and sends it to all started members. Called by the stream, one event at a time.
    @inlinable
    func receive(_ value: Value) {
        let node = capacity > 1 ? Node(value) : nil
        // What is dropped is released when the flag isn't held.
        var dropped: Node?
        var latest: Value? = capacity == 1 ? value : nil
        var last: UInt64 = 0
        let first = unsafe state.hold { state -> Unmanaged<Member>? in
            if state.end != nil { return nil }
            if let node { dropped = state.store(node, upTo: capacity) }
            swap(&state.latest, &latest)
            last = state.joined
            state.cursor = state.members.first
            return unsafe state.advance(upTo: last).next
        }
        // Members that joined later have received the value in `attach`.
        unsafe deliver(to: first, upTo: last) { $0.send(value) }
        withExtendedLifetime((dropped, latest)) {}
    }

    /// Drops the oldest values up to the first one that isn't stale. Called by any thread.
    @export(implementation)
    func drop(while isStale: (Value) -> Bool) {
        var dropped: (node: Node?, latest: Value?)
        // One at a time, so that the flag is held for a few writes.
        repeat { dropped = state.hold { $0.removeOldest(if: isStale) } } while dropped.node != nil
    }

    /// Stores the termination, and sends it to all started members.
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        let first = unsafe state.hold { state -> Unmanaged<Member>? in
            if state.end != nil { return nil }
            state.end = termination
            state.cursor = state.members.first
            return unsafe state.advance(upTo: .max).next
        }
        unsafe deliver(to: first, upTo: .max) { $0.send(termination) }
    }

    /// Sends the event that is being delivered to a member and those behind it.
    @inlinable @inline(__always)
    func deliver(
        to first: Unmanaged<Member>?, upTo last: UInt64, _ send: (ProducerInput<Value, Error>) -> Void
    ) {
        var next = unsafe first
        while let member = unsafe next {
            // Not retained: the list keeps the member, and that one its input.
            unsafe member._withUnsafeGuaranteedRef { member in
                unsafe Unmanaged.passUnretained(member.input)._withUnsafeGuaranteedRef { send($0) }
            }
            let (following, removed) = unsafe state.hold { unsafe $0.advance(upTo: last) }
            unsafe removed?.release()
            unsafe next = following
        }
    }

    // MARK: Starts

    /// Sends the stored values, and then the new ones.
    ///
    /// - Parameter ended: Called when the start has ended.
    @inlinable
    func attach(_ sink: Sink<Value, Error>, _ run: ProducerRun, ended: @escaping @Sendable () -> Void) {
        let input = ProducerInput(to: sink, in: run)
        // The strand is new, and therefore idle. New events are queued until the stored values have been sent.
        guard let owned = input.strand.enter() else {
            preconditionFailure("the strand of a new start is owned already")
        }
        let member = Member(input, of: self, ended: ended)
        let (first, last, latest, end) = state.hold { state in
            if state.end == nil { state.append(member) }
            return (state.oldest, state.newest, state.latest, state.end)
        }
        input.resources.add(member)
        if let latest { input.receive(latest) }
        var next = first
        while let node = next {
            if run.isDisposed { break }
            input.receive(node.value)
            next = node === last ? nil : node.next
        }
        if let end { input.terminate(end) }
        input.strand.leave(owned)
    }

    @inlinable
    func remove(_ member: Member) {
        // Releases the reference of the list.
        if state.hold({ $0.remove(member) }) { unsafe Unmanaged.passUnretained(member).release() }
    }
}

/// Ends the source of a replayed producer when the last copy of the producer is released.
@usableFromInline
final class ReplayOwner: Sendable {
    /// The only start of the source.
    @usableFromInline let run = SerialDisposable()
    @usableFromInline let isStarted = Atomic(false)

    @usableFromInline
    init() {}

    deinit { run.dispose() }
}

extension SignalProducer {
    /// Makes a producer of the events that are sent to an observer. Each start first sends the last `capacity` values.
    ///
    /// ```swift
    /// let (producer, observer) = SignalProducer<Int, Never>.buffer(upTo: 2)
    /// for value in 1...3 { observer.send(value: value) }
    /// producer.startWithValues { print($0) }  // prints 2 and 3
    /// ```
    ///
    /// Any termination is replayed, too. Releasing the observer doesn't interrupt the producer.
    ///
    /// - Parameter capacity: The maximum number of stored values. At least 0. Memory use depends on the stored values, not
    ///   on this bound.
    /// - Complexity: One allocation to store a value, none with a `capacity` of 1. Sending is O(starts). Starting and ending are
    ///   O(1).
    /// ## Concurrency
    /// Any thread may send. The events of one start are serial.
    @inlinable
    public static func buffer(
        upTo capacity: Int = .max
    ) -> (producer: SignalProducer, observer: Signal<Value, Error>.Observer) {
        let replay = Replay<Value, Error>(upTo: capacity)
        let input = ProducerInput(
            to: Sink<Value, Error>(value: { replay.receive($0) }, termination: { replay.terminate($0) }))
        let observer = Signal<Value, Error>.Observer(
            value: { input.send($0) }, termination: { input.send($0) })
        return (SignalProducer(boundary: { _, sink, run in replay.attach(sink, run) {} }), observer)
    }

    /// Shares one start of this producer among all starts of the result. Each of them first sends the last `capacity` values.
    ///
    /// The first start of the result starts this producer. The shared start is disposed of when the last copy of the result
    /// has been released and all starts have ended. Any termination is replayed, too.
    ///
    /// - Parameter capacity: The maximum number of stored values. At least 0. Memory use depends on the stored values, not
    ///   on this bound.
    /// - Complexity: One allocation to store a value, none with a `capacity` of 1. Sending is O(starts). Starting and ending are
    ///   O(1).
    /// ## Concurrency
    /// A start while the stream runs, even inside a callback, sends the stored values before `start` returns.
    @inlinable
    public func replayLazily(upTo capacity: Int) -> SignalProducer<Value, Error> {
        replayLazily(through: Replay(upTo: capacity))
    }

    /// Shares one start of this producer among all starts of the result, which receive its events from `replay`.
    @inlinable
    func replayLazily(through replay: Replay<Value, Error>) -> SignalProducer<Value, Error> {
        let owner = ReplayOwner()
        return SignalProducer(
            over: depth,
            boundary: { _, sink, run in
                replay.attach(sink, run) { withExtendedLifetime(owner) {} }
                if !owner.isStarted.swap(true) {
                    owner.run.inner = self.start(
                        into: Sink(value: { replay.receive($0) }, termination: { replay.terminate($0) }))
                }
            })
    }
}
