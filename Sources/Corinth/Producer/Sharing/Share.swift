public import CorinthEssentials

/// The shared state of a shared producer: at most one start of the source at a time.
@usableFromInline
final class SharedSource<Value, Error: Swift.Error>: Sendable {
    /// One start of the source, and the starts that share it.
    @usableFromInline
    final class Connection: Sendable {
        @usableFromInline let replay: Replay<Value, Error>
        @usableFromInline let run = SerialDisposable()

        /// The timer of the grace period.
        @usableFromInline let timer = SerialDisposable()

        @inlinable
        init(_ replay: Replay<Value, Error>) { self.replay = replay }
    }

    @usableFromInline
    struct State: Sendable {
        @usableFromInline var connection: Connection?

        /// The number of starts that share it.
        @usableFromInline var count = 0

        /// The number of starts that have shared any connection.
        @usableFromInline var joined: UInt64 = 0

        @inlinable
        init() {}
    }

    @usableFromInline let source: SignalProducer<Value, Error>
    @usableFromInline let capacity: Int
    @usableFromInline let grace: (interval: TimeInterval, scheduler: any DateScheduler)?
    @usableFromInline let state = Atomic(State())

    @inlinable
    init(
        _ source: SignalProducer<Value, Error>, replay capacity: Int,
        grace: (interval: TimeInterval, scheduler: any DateScheduler)?
    ) {
        precondition(capacity >= 0, "replay is \(capacity), but must be at least 0")
        self.source = source
        self.capacity = capacity
        self.grace = grace
    }

    @inlinable
    func start(_ sink: Sink<Value, Error>, _ run: ProducerRun) {
        let new = Connection(Replay(upTo: capacity))
        let connection = state.modify { state -> Connection in
            state.count += 1
            state.joined += 1
            if let connection = state.connection { return connection }
            state.connection = new
            return new
        }
        connection.timer.inner = nil
        connection.replay.attach(sink, run) { self.leave(connection) }
        guard connection === new else { return }
        connection.run.inner = source.start(
            into: Sink(
                value: { new.replay.receive($0) },
                termination: { termination in
                    // Later starts start the source again.
                    self.close(new)
                    new.replay.terminate(termination)
                }))
    }

    /// Handles the end of a start.
    @inlinable
    func leave(_ connection: Connection) {
        let joinedBefore = state.modify { state -> UInt64? in
            guard state.connection === connection else { return nil }
            state.count -= 1
            if state.count > 0 { return nil }
            if grace == nil { state.connection = nil }
            return state.joined
        }
        guard let joinedBefore else { return }
        guard let grace else {
            connection.run.dispose()
            return
        }
        let timer = grace.scheduler.schedule(after: grace.scheduler.currentDate.addingTimeInterval(grace.interval)) {
            let isOver = self.state.modify { state -> Bool in
                guard state.connection === connection, state.joined == joinedBefore else { return false }
                state.connection = nil
                return true
            }
            if isOver { connection.run.dispose() }
        }
        connection.timer.inner = timer
    }

    @inlinable
    func close(_ connection: Connection) {
        state.modify { state in
            guard state.connection === connection else { return }
            state.connection = nil
            state.count = 0
        }
        connection.timer.inner = nil
    }
}

extension SignalProducer {
    /// Shares one start of this producer among all concurrent starts of the result.
    ///
    ///     self     --1--2--3--4--
    ///     start A  --1--2--3(disposed)
    ///     start B  ------2-3--4(disposed): the source is cancelled
    ///     start C                    starts the source again
    ///
    /// The first start of the result starts this producer. When all starts have ended, the shared start is disposed of. A
    /// start after that, or after the end of the source, starts the source again.
    ///
    /// - Parameter capacity: The maximum number of values that a start receives first. At least 0.
    /// - Complexity: See ``replayLazily(upTo:)``.
    /// ## Concurrency
    /// A start while the stream runs, even inside a callback, sends the stored values before `start` returns.
    @inlinable
    public func share(replay capacity: Int = 0) -> SignalProducer<Value, Error> {
        let shared = SharedSource(self, replay: capacity, grace: nil)
        return SignalProducer(over: depth, boundary: { _, sink, run in shared.start(sink, run) })
    }

    /// Shares one start of this producer among all starts of the result, and keeps it for a grace period after the last of
    /// them. See ``share(replay:)``.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of values that a start receives first. At least 0.
    ///   - grace: How long the source runs without starts, in seconds. A start in this period shares it. At least 0. May be
    ///     infinite.
    ///   - scheduler: The scheduler that measures the time and disposes of the source.
    @inlinable
    public func share(
        replay capacity: Int = 0, grace: TimeInterval, on scheduler: any DateScheduler
    ) -> SignalProducer<Value, Error> {
        precondition(grace >= 0, "grace is \(grace) s, but must be at least 0")
        let shared = SharedSource(self, replay: capacity, grace: (grace, scheduler))
        return SignalProducer(over: depth, boundary: { _, sink, run in shared.start(sink, run) })
    }
}
