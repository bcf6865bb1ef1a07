/// Scenarios that are closures.
extension ScenarioEntry {
    /// A scenario that is one closure:
    ///
    /// ```swift
    /// ScenarioEntry("encode", throughput: .bytes(message.count)) { events in
    ///     for _ in 0..<events { opaque(encode(message)) }
    /// }
    /// ```
    ///
    /// The whole call is timed, so what it prepares or checks should be little beside the events: a run has as many as take
    /// `sampleMilliseconds`. If it throws, the scenario fails with that error. Each process of a run calls it many times, on one
    /// thread.
    ///
    /// - Parameters:
    ///   - throughput: What an event stands for; nil for no rate.
    ///   - sampleMilliseconds: The duration of a run in milliseconds, at least 1.
    ///   - isThreaded: Whether other threads take part, or the closure waits. Then times are those of the clock.
    ///   - threads: How many threads repeat an event at the same time, at least 1. Reports have it.
    ///   - isOnRequest: Whether it is measured only if a filter names it.
    ///   - countedEvents: The events of the smaller counted run, at least 1; nil for 400.
    ///   - direct: The same work without the library, which times are then multiples of; nil if there is nothing to compare with.
    ///   - run: Processes so many events, and returns when that is done.
    public init(
        _ name: String,
        unit: String = "ns/event",
        throughput: Throughput? = nil,
        sampleMilliseconds: Int = 16,
        isThreaded: Bool = false,
        threads: Int = 1,
        isOnRequest: Bool = false,
        countedEvents: Int? = nil,
        direct: (@Sendable (_ events: Int) throws -> Void)? = nil,
        run: @escaping @Sendable (_ events: Int) throws -> Void
    ) {
        self.init(
            name, unit: unit, sampleMilliseconds: sampleMilliseconds, isThreaded: isThreaded, threads: threads,
            isOnRequest: isOnRequest, countedEvents: countedEvents, throughput: throughput,
            direct: direct.map(Self.making), library: Self.making(run))
    }

    /// A scenario that is one asynchronous closure:
    ///
    /// ```swift
    /// ScenarioEntry("actor") { events in
    ///     for _ in 0..<events { await counter.increment() }
    /// }
    /// ```
    ///
    /// It runs to its end in a task of its own, while the run loop of the main thread serves the main actor. Tasks wait, so times are
    /// those of the clock, and `--mode counts` leaves the scenario out. If it throws, the scenario fails with that error. If it doesn't
    /// end, the scenario fails when the time for an answer is over, five minutes, and the others go on.
    ///
    /// - Parameters:
    ///   - throughput: What an event stands for; nil for no rate.
    ///   - sampleMilliseconds: The duration of a run in milliseconds, at least 1.
    ///   - threads: How many tasks repeat an event at the same time, at least 1. Reports have it.
    ///   - isOnRequest: Whether it is measured only if a filter names it.
    ///   - direct: The same work without the library, which times are then multiples of; nil if there is nothing to compare with.
    ///   - run: Processes so many events, and returns when that is done.
    public init(
        _ name: String,
        unit: String = "ns/event",
        throughput: Throughput? = nil,
        sampleMilliseconds: Int = 8,
        threads: Int = 1,
        isOnRequest: Bool = false,
        direct: (@Sendable (_ events: Int) async throws -> Void)? = nil,
        run: @escaping @Sendable (_ events: Int) async throws -> Void
    ) {
        self.init(
            name, unit: unit, sampleMilliseconds: sampleMilliseconds, isThreaded: true, threads: threads,
            isOnRequest: isOnRequest, throughput: throughput, direct: direct.map(Self.waiting),
            library: Self.waiting(for: run))
    }

    /// A scenario whose closure gets an input for each event, which is made and released outside the measured time:
    ///
    /// ```swift
    /// ScenarioEntry("sort", input: { number in shuffled(seed: number) }) { $0.sort() }
    /// ```
    ///
    /// Inputs are made in batches. At most `batch` of them exist at the same time, and fewer if an event takes longer: a timed batch
    /// grows only until it takes 0.2 ms, beside which reading the clock is nothing. The loop over a batch costs some nanoseconds
    /// for an event. If a closure throws, the scenario fails with that error.
    ///
    /// - Parameters:
    ///   - throughput: What an event stands for; nil for no rate.
    ///   - sampleMilliseconds: The duration of the events of a run in milliseconds, at least 1. It is less if making the inputs takes
    ///     ten times as long.
    ///   - isOnRequest: Whether it is measured only if a filter names it.
    ///   - countedEvents: The events of the smaller counted run, at least 1; nil for 400.
    ///   - batch: The most inputs at the same time, at least 1.
    ///   - input: Makes an input. It gets the number of the event since the process began, from 0: a seed for inputs that differ and
    ///     are the same in every process, without which counts don't repeat.
    ///   - direct: The same work without the library, with inputs of its own; nil if there is nothing to compare with.
    ///   - run: Processes one event. What it leaves in its input is released later.
    public init<Input>(
        _ name: String,
        unit: String = "ns/event",
        throughput: Throughput? = nil,
        sampleMilliseconds: Int = 16,
        isOnRequest: Bool = false,
        countedEvents: Int? = nil,
        batch: Int = 1000,
        input: @escaping @Sendable (_ number: Int) throws -> Input,
        direct: (@Sendable (_ input: inout Input) throws -> Void)? = nil,
        run: @escaping @Sendable (_ input: inout Input) throws -> Void
    ) {
        precondition(batch > 0, "A batch has at least 1 input, not \(batch).")
        self.init(
            name, unit: unit, sampleMilliseconds: sampleMilliseconds, isOnRequest: isOnRequest,
            countedEvents: countedEvents, throughput: throughput,
            direct: direct.map { Self.making(batch, input, $0) }, library: Self.making(batch, input, run))
    }

    private static func making(_ body: @escaping @Sendable (_ events: Int) throws -> Void) -> Making {
        { _ in ClosureScenario(body) }
    }

    private static func waiting(for body: @escaping @Sendable (_ events: Int) async throws -> Void) -> Making {
        making { events in try AsynchronousWork.wait { try await body(events) } }
    }

    private static func making<Input>(
        _ batch: Int, _ input: @escaping @Sendable (_ number: Int) throws -> Input,
        _ body: @escaping @Sendable (_ input: inout Input) throws -> Void
    ) -> Making {
        { _ in InputScenario(batch: batch, input, body) }
    }
}
