/// Keeps the last values of a stream, and its end, for whoever starts later.
///
/// The values are a linked list, and so are the starts that follow the stream. Whoever adds or takes out one of them holds a flag
/// for a few writes. So a start takes what there is by copying two references, and walks over it with nothing held, while the
/// stream goes on; and starting and ending cost the same however many others there are.
@usableFromInline
@safe final class Replay<Value, Error: Swift.Error>: @unchecked Sendable {  // The flag guards what is mutable.
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

    /// A start that follows the stream. It takes itself out when it has ended.
    @usableFromInline
    @safe final class Member: Disposable, @unchecked Sendable {  // The links are guarded by the flag of the replay.
        @usableFromInline let input: ProducerInput<Value, Error>

        /// Not kept: who has the stream does that.
        @usableFromInline weak var replay: Replay?
        @usableFromInline let ended: @Sendable () -> Void

        @safe @exclusivity(unchecked) @usableFromInline var older: Unmanaged<Member>?
        @safe @exclusivity(unchecked) @usableFromInline var newer: Unmanaged<Member>?
        @safe @exclusivity(unchecked) @usableFromInline var isThere = false

        /// Rises from one member to the next.
        @safe @exclusivity(unchecked) @usableFromInline var number: UInt64 = 0

        @inlinable
        init(_ input: ProducerInput<Value, Error>, of replay: Replay, ended: @escaping @Sendable () -> Void) {
            self.input = input
            self.replay = replay
            self.ended = ended
            older = nil
            newer = nil
        }

        @usableFromInline var isDisposed: Bool { input.isDisposed }

        @inlinable
        func dispose() {
            replay?.remove(self)
            ended()
        }
    }

    // The first stored property: the flag is its address.
    @usableFromInline var flagStorage: UInt64 = 0

    @safe @exclusivity(unchecked) @usableFromInline var oldest: Node?
    @safe @exclusivity(unchecked) @usableFromInline var newest: Node?
    @safe @exclusivity(unchecked) @usableFromInline var count = 0
    @safe @exclusivity(unchecked) @usableFromInline var end: Termination<Error>?

    @safe @exclusivity(unchecked) @usableFromInline var oldestMember: Unmanaged<Member>?
    @safe @exclusivity(unchecked) @usableFromInline var newestMember: Unmanaged<Member>?
    @safe @exclusivity(unchecked) @usableFromInline var joined: UInt64 = 0

    /// Who gets the event next that is being delivered.
    @safe @exclusivity(unchecked) @usableFromInline var cursor: Unmanaged<Member>?

    @usableFromInline let capacity: Int

    @inlinable
    init(upTo capacity: Int) {
        precondition(capacity >= 0, "capacity is \(capacity), but must be at least 0")
        self.capacity = capacity
        oldestMember = nil
        newestMember = nil
        cursor = nil
    }

    /// One after the other: as many as there are, they don't nest.
    @inlinable
    deinit {
        var rest = oldestMember
        while let member = unsafe rest?.takeRetainedValue() { unsafe rest = member.newer }
    }

    @inlinable
    var flag: OwnerFlag { OwnerFlag(of: self, at: 0) }

    @inlinable
    func guarded<Result>(_ body: () -> Result) -> Result {
        flag.acquire()
        defer { flag.release() }
        return body()
    }

    // MARK: The stream

    /// Keeps a value, and sends it to whoever has started. Called by the stream, one event at a time.
    @inlinable
    func receive(_ value: Value) {
        let node = capacity > 0 ? Node(value) : nil
        let (dropped, last) = guarded { () -> (Node?, UInt64) in
            if end != nil { return (nil, 0) }
            cursor = oldestMember
            guard let node else { return (nil, joined) }
            if let newest { newest.next = node } else { oldest = node }
            newest = node
            // Let go of with nothing held.
            let dropped = count == capacity ? oldest : nil
            if dropped != nil { oldest = oldest?.next } else { count += 1 }
            return (dropped, joined)
        }
        // Those that have joined since have the value already.
        while let member = nextMember(upTo: last) { member.input.send(value) }
        withExtendedLifetime(dropped) {}
    }

    /// Keeps the end, and sends it to whoever has started.
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        let isFirst = guarded { () -> Bool in
            if end != nil { return false }
            end = termination
            cursor = oldestMember
            return true
        }
        if !isFirst { return }
        while let member = nextMember(upTo: .max) { member.input.send(termination) }
    }

    /// The next one to get an event. Who is taken out meanwhile is passed over.
    @inlinable
    func nextMember(upTo last: UInt64) -> Member? {
        guarded {
            guard let member = unsafe cursor?.takeUnretainedValue(), member.number <= last else { return nil }
            cursor = member.newer
            return member
        }
    }

    // MARK: Starts

    /// Sends what is kept, and then what comes.
    ///
    /// - Parameter ended: Called when the start has ended.
    @inlinable
    func attach(_ sink: Sink<Value, Error>, _ run: ProducerRun, ended: @escaping @Sendable () -> Void) {
        let input = ProducerInput(to: sink, in: run)
        // New, and therefore idle: what comes from now on waits until this has sent what is kept.
        guard input.strand.tryEnter() else { preconditionFailure("a new strand is owned") }
        let member = Member(input, of: self, ended: ended)
        flag.acquire()
        if end == nil { append(member) }
        let (first, last, end) = (oldest, newest, end)
        flag.release()
        input.resources.add(member)
        var next = first
        while let node = next {
            if run.isDisposed { break }
            input.receive(node.value)
            next = node === last ? nil : node.next
        }
        if let end { input.terminate(end) }
        input.strand.leave()
    }

    /// Called with the flag held.
    @inlinable
    func append(_ member: Member) {
        let added = unsafe Unmanaged.passRetained(member)
        joined += 1
        member.number = joined
        member.isThere = true
        member.older = newestMember
        if let newest = newestMember {
            unsafe newest._withUnsafeGuaranteedRef { $0.newer = unsafe added }
        } else {
            oldestMember = unsafe added
        }
        newestMember = unsafe added
    }

    @inlinable
    func remove(_ member: Member) {
        let wasThere = guarded { () -> Bool in
            if !member.isThere { return false }
            member.isThere = false
            let (older, newer) = (member.older, member.newer)
            if unsafe cursor?.toOpaque() == Unmanaged.passUnretained(member).toOpaque() { cursor = unsafe newer }
            if let older = unsafe older {
                unsafe older._withUnsafeGuaranteedRef { $0.newer = unsafe newer }
            } else {
                oldestMember = unsafe newer
            }
            if let newer = unsafe newer {
                unsafe newer._withUnsafeGuaranteedRef { $0.older = unsafe older }
            } else {
                newestMember = unsafe older
            }
            return true
        }
        // What the list has held.
        if wasThere { unsafe Unmanaged.passUnretained(member).release() }
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
    /// - Complexity: Keeping a value takes one allocation; sending it is O(starts). Starting and ending are O(1).
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
    /// - Complexity: Keeping a value takes one allocation; sending it is O(starts). Starting and ending are O(1).
    /// ## Concurrency
    /// What starts while the stream goes on, also from inside a callback, gets what is kept before `start` returns.
    @inlinable
    public func replayLazily(upTo capacity: Int) -> SignalProducer<Value, Error> {
        let replay = Replay<Value, Error>(upTo: capacity)
        let owner = ReplayOwner()
        return SignalProducer(
            over: depth,
            recipe: { sink, run in
                replay.attach(sink, run) { withExtendedLifetime(owner) {} }
                if !owner.isStarted.swap(true) {
                    owner.run.inner = self.start(
                        into: Sink(value: { replay.receive($0) }, termination: { replay.terminate($0) }))
                }
            })
    }
}
