public import CorinthEssentials

/// The values with one key.
public struct Group<Key, Value, Error: Swift.Error>: Sendable where Key: Sendable {
    /// The key that the values have in common.
    public let key: Key

    /// The values of the group. They are kept until the first observer comes, on any thread and at any time, and receives them all
    /// (law [S6](doc:Contracts#S6-Kept-for-the-first-observer)). Later observers receive later values. The signal ends with the
    /// source, or completes when the group is closed. It is interrupted when the groups aren't observed any more. It ends when its
    /// last observer leaves: the group is then closed.
    public let signal: Signal<Value, Error>

    @inlinable
    init(key: Key, signal: Signal<Value, Error>) {
        self.key = key
        self.signal = signal
    }
}

extension Group: SignalProducerConvertible {
    /// A producer of the values of ``signal``: the first start receives all, a later one those that are sent from then on.
    @inlinable
    public var producer: SignalProducer<Value, Error> { signal.producer }
}

/// The kernel of `group`: sends each value to the group of its key.
///
/// Open groups form a list, ordered by the time of their last value. The group to close is the first one.
@usableFromInline
final class Grouping<Key: Hashable & Sendable, Value, Next: Receiver>: Join<Next>, @unchecked Sendable
where Next.Value == Group<Key, Value, Next.Error> {  // As its superclass.
    /// An open group.
    @usableFromInline
    final class Member: Listed {
        @usableFromInline let key: Key
        @usableFromInline let core: HoldingCore<Value, Next.Error>

        /// The time of the last value.
        @usableFromInline var date: Date?

        /// In the order of the last values.
        @usableFromInline var neighbours = Neighbours<Member>()

        @inlinable
        init(_ key: Key, _ core: HoldingCore<Value, Next.Error>) {
            self.key = key
            self.core = core
        }
    }

    @usableFromInline let limit: Int
    @usableFromInline let buffering: Buffering<Next.Error>
    @usableFromInline let idle: (interval: TimeInterval, scheduler: any DateScheduler)?
    @usableFromInline let timer = SerialDisposable()

    /// This and all properties below are owned by the strand's owner.
    @usableFromInline var members: [Key: Member] = [:]
    /// Those of ``members``, which retains them, the one with the oldest last value first.
    @usableFromInline var list = IntrusiveList<Member>()
    @usableFromInline var isTimed = false
    @usableFromInline var steadyClock: SteadyClock?

    @inlinable
    init(
        _ output: JoinOutput<Next>, limit: Int, idle: (interval: TimeInterval, scheduler: any DateScheduler)?,
        _ buffering: Buffering<Next.Error>
    ) {
        self.limit = limit
        self.buffering = buffering
        self.idle = idle
        steadyClock = idle.map { SteadyClock($0.scheduler) }
        super.init(output, sources: 1)
        output.resources.add(timer)
    }

    /// Nobody observes the result any more, so its source doesn't end the open groups.
    @inlinable
    deinit {
        unsafe finish(.interrupted, from: list.takeAll())
    }

    /// The input for the source's events.
    @inlinable
    func input(_ key: @escaping (Value) -> Key) -> Sink<Value, Next.Error> {
        let strand = strand
        return Sink(
            value: { value in
                let key = key(value)
                strand.send((value, key), to: self, self.receive(value, for: key)) { $0.receive($1.0, for: $1.1) }
            },
            termination: { strand.perform(on: self, with: $0) { $0.end($1) } })
    }

    @inlinable
    func receive(_ value: Value, for key: Key) {
        if isTerminated { return }
        let member: Member
        // One that nobody observes any more is closed soon, and for this thread it is.
        if let known = members[key], !known.core.isTerminated {
            member = known
            list.moveToEnd(known)
        } else {
            if let left = members[key] { remove(left) }
            if members.count == limit, let oldest = unsafe list.first?.takeUnretainedValue() { close(oldest) }
            member = open(key)
        }
        if idle != nil {
            member.date = steadyClock?.now()
            if !isTimed { startTimer() }
        }
        member.core.accept(value)
    }

    @inlinable
    func open(_ key: Key) -> Member {
        // Both closures belong to the group, which may be kept longer than this.
        let overflow = buffering.failure.map { failure in
            { [weak self] in
                guard let self else { return }
                strand.perform(on: self, with: failure) { $0.end(.failed($1)) }
            }
        }
        let core = HoldingCore<Value, Next.Error>(
            buffering.bound, counting: buffering.statistics, overflow: overflow
        ) { [weak self] in
            guard let self else { return }
            strand.performAtOnce(on: self, with: key) { grouping, key in
                if let member = grouping.members[key], member.core.isTerminated { grouping.remove(member) }
            }
        }
        let member = Member(key, core)
        members[key] = member
        unsafe list.append(.passUnretained(member))
        next.receive(Group(key: key, signal: Signal(core)))
        return member
    }

    @inlinable
    func close(_ member: Member) {
        remove(member)
        member.core.finish(.completed)
    }

    @inlinable
    func remove(_ member: Member) {
        unsafe list.remove(member)
        members[member.key] = nil
    }

    /// Sets a timer for the due date of the oldest group. One timer serves all groups.
    @inlinable
    func startTimer() {
        guard let idle, let date = unsafe list.first?.takeUnretainedValue().date,
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
        while let member = unsafe list.first?.takeUnretainedValue(), let date = member.date, date <= due {
            close(member)
        }
        startTimer()
    }

    @inlinable
    func end(_ termination: Termination<Next.Error>) {
        if isTerminated { return }
        let open = members
        members = [:]
        unsafe finish(termination, from: list.takeAll())
        withExtendedLifetime(open) {}
        terminate(termination)
    }

    /// Ends groups in the order of their last values.
    @inlinable
    func finish(_ termination: Termination<Next.Error>, from first: Unmanaged<Member>?) {
        var rest = unsafe first
        while let member = unsafe rest?.takeUnretainedValue() {
            unsafe rest = member.neighbours.next
            member.core.finish(termination)
        }
    }
}

extension Signal {
    /// Sends one group for each distinct key of the values.
    ///
    ///     self      --a1--b1--a2--------|
    ///     result    --A---B-------------|
    ///     A           1---------2-------|
    ///     B               1-------------|
    ///
    /// A group is sent when the first value of its key arrives, and before that value. It keeps its values until it is first
    /// observed, so that groups may be flattened with any strategy, behind a hop and on a pool, and lose nothing (law
    /// [S6](doc:Contracts#S6-Kept-for-the-first-observer)). Any termination of the source first ends all groups, then the result.
    /// When nobody observes the result any more, open groups are interrupted.
    ///
    /// A group that nobody observes any more, or that nobody can observe because it was released, is closed. The next value of its
    /// key opens a new one:
    ///
    /// ```swift
    /// // Two values of a key at a time.
    /// readings.group(limit: 100) { $0.sensor }.flatMap(.merge) { $0.producer.take(first: 2).collect() }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The maximum number of open groups. At least 1. A further group closes the group whose last value is the
    ///     oldest: its signal completes. A later value with that key opens a new group.
    ///   - policy: The overflow policy of the values that one group keeps until it is observed. A failure ends all groups and the
    ///     result. Any policy except `.blocking`: the sender may be the one that has to observe the group. By default there is no
    ///     bound.
    ///   - statistics: Counts the values of all groups: as sent, as delivered to an observer, and as dropped, because of an overflow or
    ///     because nobody observes their group any more. When all groups have ended, sent = delivered + dropped.
    ///   - key: Returns the key of a value. Runs once for each value.
    /// - Complexity: One dictionary look-up per value. A few allocations per group.
    /// ## Concurrency
    /// Groups are delivered on the result's strand. Each group has its own strand for its values. Those that it has kept are
    /// delivered on the thread that observes it first, before `observe` returns, unless another thread is delivering them.
    @inlinable
    public func group<Key: Hashable & Sendable>(
        limit: Int, bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        by key: sending @escaping (Value) -> Key
    ) -> Signal<Group<Key, Value, Error>, Error> {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        let buffering = policy.buffering(in: "group", counting: statistics)
        return .joining { output in
            self.connect(to: Grouping(output, limit: limit, idle: nil, buffering).input(key), until: output.resources)
        }
    }

    /// Sends one group for each distinct key of the values, and closes idle groups.
    /// See ``group(limit:bufferingPolicy:statistics:by:)``.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of open groups. At least 1.
    ///   - idle: The time without a value after which a group is closed, in seconds. Above 0. May be infinite.
    ///   - scheduler: The scheduler that measures the time and closes idle groups.
    ///   - policy: The overflow policy of the values that one group keeps until it is observed.
    ///   - statistics: Counts the values of all groups.
    ///   - key: Returns the key of a value.
    @inlinable
    public func group<Key: Hashable & Sendable>(
        limit: Int, idle: TimeInterval, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        by key: sending @escaping (Value) -> Key
    ) -> Signal<Group<Key, Value, Error>, Error> {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        precondition(idle > 0, "idle is \(idle) s, but must be above 0")
        let buffering = policy.buffering(in: "group", counting: statistics)
        return .joining { output in
            let grouping = Grouping<Key, Value, _>(output, limit: limit, idle: (idle, scheduler), buffering)
            self.connect(to: grouping.input(key), until: output.resources)
        }
    }
}

extension SignalProducer {
    /// Sends one group for each distinct key of the values. See ``Signal/group(limit:bufferingPolicy:statistics:by:)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func group<Key: Hashable & Sendable>(
        limit: Int, bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        by key: @escaping @Sendable (Value) -> Key
    ) -> SignalProducer<Group<Key, Value, Error>, Error> {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        let buffering = policy.buffering(in: "group", counting: statistics)
        return .joining { output in
            self.connect(to: Grouping(output, limit: limit, idle: nil, buffering).input(key), until: output.resources)
        }
    }

    /// Sends one group for each distinct key of the values, and closes idle groups.
    /// See ``Signal/group(limit:idle:on:bufferingPolicy:statistics:by:)-(_,TimeInterval,_,_,_,_)``.
    @inlinable
    #if Preconcurrency
        @preconcurrency
    #endif
    public func group<Key: Hashable & Sendable>(
        limit: Int, idle: TimeInterval, on scheduler: any DateScheduler,
        bufferingPolicy policy: BufferingPolicy<Error> = .unbounded, statistics: BufferStatistics? = nil,
        by key: @escaping @Sendable (Value) -> Key
    ) -> SignalProducer<Group<Key, Value, Error>, Error> {
        precondition(limit > 0, "limit is \(limit), but must be at least 1")
        precondition(idle > 0, "idle is \(idle) s, but must be above 0")
        let buffering = policy.buffering(in: "group", counting: statistics)
        return .joining { output in
            let grouping = Grouping<Key, Value, _>(output, limit: limit, idle: (idle, scheduler), buffering)
            self.connect(to: grouping.input(key), until: output.resources)
        }
    }
}
