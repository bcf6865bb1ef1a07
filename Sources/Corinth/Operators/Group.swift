public import Foundation

/// The values that have one key.
public struct Group<Key, Value, Error: Swift.Error>: Sendable where Key: Sendable {
    /// What the values have in common.
    public let key: Key

    /// The values, from the first one on for whoever observes this where the group is delivered. It ends with the source, or
    /// completes when the group is closed.
    public let signal: Signal<Value, Error>

    @inlinable
    init(key: Key, signal: Signal<Value, Error>) {
        self.key = key
        self.signal = signal
    }
}

extension Group: SignalProducerConvertible {
    /// A producer of what ``signal`` sends from each start on.
    @inlinable
    public var producer: SignalProducer<Value, Error> { signal.producer }
}

/// Sends each value to the group of its key.
///
/// Groups stand in a list by the time of their last value, so that the one to close is at hand.
@usableFromInline
final class Grouping<Key: Hashable & Sendable, Value, Next: Receiver>: Join<Next>, @unchecked Sendable
where Next.Value == Group<Key, Value, Next.Error> {  // As its superclass.
    /// A group that is open.
    @usableFromInline
    final class Member {
        @usableFromInline let key: Key
        @usableFromInline let core: SignalCore<Value, Next.Error>

        /// When the last value came.
        @usableFromInline var date: Date?

        /// The group whose last value is older, and the one whose is younger.
        @usableFromInline unowned(unsafe) var older: Member?
        @usableFromInline unowned(unsafe) var newer: Member?

        @inlinable
        init(_ key: Key, _ core: SignalCore<Value, Next.Error>) {
            self.key = key
            self.core = core
            unsafe older = nil
            unsafe newer = nil
        }
    }

    @usableFromInline let limit: Int
    @usableFromInline let idle: (interval: TimeInterval, scheduler: any DateScheduler)?
    @usableFromInline let timer = SerialDisposable()

    /// Owned by whoever owns the strand, as all that follows.
    @usableFromInline var members: [Key: Member] = [:]
    @usableFromInline var oldest: Member?
    @usableFromInline var newest: Member?
    @usableFromInline var isTimed = false
    @usableFromInline var steadyClock: SteadyClock?

    @inlinable
    init(_ output: JoinOutput<Next>, limit: Int, idle: (interval: TimeInterval, scheduler: any DateScheduler)?) {
        self.limit = limit
        self.idle = idle
        steadyClock = idle.map { SteadyClock($0.scheduler) }
        super.init(output, sources: 1)
        output.resources.add(timer)
    }

    @inlinable
    override init(_ output: JoinOutput<Next>, sources: Int) {
        limit = .max
        idle = nil
        super.init(output, sources: sources)
    }

    /// The way in for the source.
    @inlinable
    func port(_ key: @escaping (Value) -> Key) -> Sink<Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in
                let key = key(value)
                if strand.tryEnter() {
                    self.receive(value, for: key)
                    strand.leave()
                } else {
                    strand.queue((value, key), for: self) { $0.receive($1.0, for: $1.1) }
                }
            },
            termination: { termination in
                strand.perform(on: self, with: termination) { $0.end($1) }
            })
    }

    @inlinable
    func receive(_ value: Value, for key: Key) {
        if isTerminated { return }
        let member: Member
        if let known = members[key] {
            member = known
            if newest !== known {
                unlink(known)
                link(known)
            }
        } else {
            if members.count == limit, let oldest { close(oldest) }
            member = open(key)
        }
        if idle != nil {
            member.date = steadyClock?.now()
            if !isTimed { startTimer() }
        }
        member.core.send(value)
    }

    @inlinable
    func open(_ key: Key) -> Member {
        let core = SignalCore<Value, Next.Error>(strand: Strand(), resources: nil)
        let member = Member(key, core)
        members[key] = member
        link(member)
        next.receive(Group(key: key, signal: Signal(core)))
        return member
    }

    @inlinable
    func close(_ member: Member) {
        unlink(member)
        members[member.key] = nil
        member.core.send(.completed)
    }

    @inlinable
    func link(_ member: Member) {
        unsafe member.older = newest
        unsafe member.newer = nil
        unsafe newest?.newer = member
        newest = member
        if oldest == nil { oldest = member }
    }

    @inlinable
    func unlink(_ member: Member) {
        unsafe member.older?.newer = member.newer
        unsafe member.newer?.older = member.older
        if oldest === member { unsafe oldest = member.newer }
        if newest === member { unsafe newest = member.older }
    }

    /// Waits until the oldest group is due: one timer for all groups.
    @inlinable
    func startTimer() {
        guard let idle, let date = oldest?.date,
            let due = steadyClock?.setTimer(date.addingTimeInterval(idle.interval))
        else {
            isTimed = false
            return
        }
        isTimed = true
        timer.inner = idle.scheduler.schedule(after: due) {
            self.strand.perform(on: self, with: ()) { grouping, _ in grouping.closeIdle() }
        }
    }

    @inlinable
    func closeIdle() {
        if isTerminated { return }
        steadyClock?.timerFired()
        guard let idle, let due = steadyClock?.now().addingTimeInterval(-idle.interval) else { return }
        while let member = oldest, let date = member.date, date <= due { close(member) }
        startTimer()
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        if isTerminated { return }
        let open = members
        members = [:]
        // In the order of their last values; the list is of no use any more.
        var member = oldest
        (oldest, newest) = (nil, nil)
        while let current = member {
            unsafe member = current.newer
            current.core.send(termination)
        }
        withExtendedLifetime(open) {}
        terminate(termination)
    }
}

extension Signal {
    /// Makes a stream for each key that values have.
    ///
    ///     self      --a1--b1--a2--------|
    ///     result    --A---B-------------|
    ///     A           1---------2-------|
    ///     B               1-------------|
    ///
    /// A group is sent when the first value of its key comes, and that value after it: who observes the group's signal where the
    /// group is delivered gets all its values. The end of this, of whatever kind, ends the groups first.
    ///
    /// - Parameters:
    ///   - key: Says to which group a value belongs; runs once for each value.
    ///   - limit: How many groups are open at most. When there would be more, the one whose last value is the oldest is closed:
    ///     its signal completes; a later value with its key makes a new group. At least 1.
    /// - Complexity: A look into a dictionary for each value; some allocations for each group.
    /// ## Concurrency
    /// The groups are delivered on the result's strand, their values on a strand for each.
    @inlinable
    @preconcurrency
    public func group<Key: Hashable & Sendable>(
        limit: Int, by key: sending @escaping (Value) -> Key
    ) -> Signal<Group<Key, Value, Error>, Error> {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        return .joining { output in
            self.connect(to: Grouping(output, limit: limit, idle: nil).port(key), until: output.resources)
        }
    }

    /// Makes a stream for each key that values have, and closes those that have been idle for a while. See ``group(limit:by:)``.
    ///
    /// - Parameters:
    ///   - limit: How many groups are open at most. At least 1.
    ///   - idle: After how long without a value a group is closed, in seconds. Above 0; may be infinite.
    ///   - scheduler: Whose time it is, and where idle groups are closed.
    ///   - key: Says to which group a value belongs.
    @inlinable
    @preconcurrency
    public func group<Key: Hashable & Sendable>(
        limit: Int, idle: TimeInterval, on scheduler: any DateScheduler, by key: sending @escaping (Value) -> Key
    ) -> Signal<Group<Key, Value, Error>, Error> {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        precondition(idle > 0, "idle is \(idle) s, but must be above 0")
        return .joining { output in
            let grouping = Grouping<Key, Value, _>(output, limit: limit, idle: (idle, scheduler))
            self.connect(to: grouping.port(key), until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Makes a stream for each key that values have. See ``Signal/group(limit:by:)``.
    @inlinable
    @preconcurrency
    public func group<Key: Hashable & Sendable>(
        limit: Int, by key: @escaping @Sendable (Value) -> Key
    ) -> SignalProducer<Group<Key, Value, Error>, Error> {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        return .joining { output in
            self.connect(to: Grouping(output, limit: limit, idle: nil).port(key), until: output.resources)
        }
    }

    /// Makes a stream for each key that values have, and closes those that have been idle for a while.
    /// See ``Signal/group(limit:idle:on:by:)``.
    @inlinable
    @preconcurrency
    public func group<Key: Hashable & Sendable>(
        limit: Int, idle: TimeInterval, on scheduler: any DateScheduler, by key: @escaping @Sendable (Value) -> Key
    ) -> SignalProducer<Group<Key, Value, Error>, Error> {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        precondition(idle > 0, "idle is \(idle) s, but must be above 0")
        return .joining { output in
            let grouping = Grouping<Key, Value, _>(output, limit: limit, idle: (idle, scheduler))
            self.connect(to: grouping.port(key), until: output.resources)
        }
    }
}
