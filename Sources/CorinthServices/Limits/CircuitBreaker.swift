public import Corinth

/// Stops calling a service that fails, and tries again after a pause.
///
/// ```swift
/// let breaker = CircuitBreaker(opensAfter: .inARow(5), for: .exponential(from: .seconds(1)), on: queue)
///
/// load(page).guarded(by: breaker, raising: .unavailable)
///
/// let rows = try await breaker.run { try await connection.rows() }
/// ```
///
/// It is *closed* at first: calls are made, and their ends are counted. After too many failures it *opens*: calls are refused. After a
/// pause it is *half open*: a few trials are made, and other calls are refused. If all trials succeed, it closes; if one fails, it opens
/// again, for the next pause of its backoff.
///
/// Only the ends of calls that began in the present phase count: an answer that comes late says nothing about the service now.
public final class CircuitBreaker: Sendable {
    /// What a breaker does with calls.
    public enum Phase: Equatable, Sendable {
        /// They are made.
        case closed
        /// They are refused.
        case open
        /// Some of them are made as trials.
        case halfOpen
    }

    /// Which failures open a breaker.
    public struct Threshold: Sendable {
        fileprivate let share: Double
        fileprivate let calls: Int
        fileprivate let forgetsOnSuccess: Bool

        /// So many failures without a success in between.
        ///
        /// - Parameter failures: At least 1.
        public static func inARow(_ failures: Int) -> Threshold {
            precondition(failures >= 1, "inARow is \(failures), but must be at least 1")
            return Threshold(share: 1, calls: failures, forgetsOnSuccess: true)
        }

        /// A share of the last calls, when so many have ended.
        ///
        /// - Parameters:
        ///   - share: More than 0, at most 1.
        ///   - calls: At least 1.
        public static func share(_ share: Double, ofLast calls: Int) -> Threshold {
            precondition(share > 0 && share <= 1, "share is \(share), but must be more than 0 and at most 1")
            precondition(calls >= 1, "ofLast is \(calls), but must be at least 1")
            return Threshold(share: share, calls: calls, forgetsOnSuccess: false)
        }
    }

    /// The breaker is open, or as many trials run as may.
    public struct Refused: Error, Equatable {
        public init() {}
    }

    private let state: ObservedState<BreakerState, Phase>
    private let backoff: Backoff
    private let scheduler: any DateScheduler
    private let pause = Atomic<(opening: Int, timer: (any Disposable)?)>((-1, nil))

    /// - Parameters:
    ///   - threshold: Which failures open it.
    ///   - backoff: How long it stays open, the first time and each further time in a row.
    ///   - trials: How many calls must succeed before it closes. At least 1.
    ///   - scheduler: The scheduler that measures the pause. If it runs nothing any more, an open breaker stays open.
    public init(
        opensAfter threshold: Threshold, for backoff: Backoff, trials: Int = 1, on scheduler: any DateScheduler
    ) {
        precondition(trials >= 1, "trials is \(trials), but must be at least 1")
        state = ObservedState(BreakerState(threshold, trials)) { $0.phase }
        self.backoff = backoff
        self.scheduler = scheduler
    }

    deinit { pause.value.timer?.dispose() }

    /// What it does with calls.
    ///
    /// ## Concurrency
    /// Observers run on the threads on which calls begin and end, and on the scheduler.
    public var phase: Property<Phase> { state.property }

    /// Begins a call, for what is neither a producer nor a function.
    ///
    /// - Returns: The call, which must be told how it ended. nil if it is refused.
    /// - Complexity: O(1), one allocation.
    public func call() -> Call? {
        state.change { $0.begin() }.map { Call(of: self, $0) }
    }

    /// Runs a function, unless the call is refused.
    ///
    /// - Parameters:
    ///   - isFailure: Whether an error says that the service fails. All do, except that of a cancelled task.
    ///   - body: The function.
    /// - Throws: ``Refused``, or what the function throws.
    nonisolated(nonsending) public func run<Result>(
        isFailure: (any Error) -> Bool = { !($0 is CancellationError) }, _ body: () async throws -> Result
    ) async throws -> Result {
        guard let call = call() else { throw Refused() }
        do {
            let result = try await body()
            call.end(.succeeded)
            return result
        } catch {
            if isFailure(error) { call.end(.failed) }
            throw error
        }
    }

    fileprivate func end(_ number: Int, _ outcome: Call.Outcome?) {
        guard let opening = state.change({ $0.end(number, outcome) }) else { return }
        var generator = SystemRandomNumberGenerator()
        let seconds = backoff.delay(beforeRetry: opening.before, using: &generator)
        // An infinite pause has no end.
        guard seconds < .infinity else { return }
        let timer = scheduler.schedule(after: .seconds(seconds)) { [weak self] in
            self?.state.change { $0.tryAgain(opening) }
        }
        // By now it may have fired, and the breaker have opened again: the later pause is the one to keep.
        let before = pause.modify { pause in
            let before = pause
            if pause.opening < opening.number { pause = (opening.number, timer) }
            return before
        }
        withExtendedLifetime(before) {}
    }

    /// A call that is being made.
    public final class Call: Sendable {
        /// How a call ended.
        public enum Outcome: Sendable {
            case succeeded
            case failed
        }

        private let breaker: CircuitBreaker
        private let number: Int
        private let hasEnded = Atomic(false)

        fileprivate init(of breaker: CircuitBreaker, _ number: Int) {
            self.breaker = breaker
            self.number = number
        }

        /// Neither outcome: it is as if the call had never been made.
        deinit {
            if !hasEnded.value { breaker.end(number, nil) }
        }

        /// Tells how it ended. The first time counts.
        public func end(_ outcome: Outcome) {
            if !hasEnded.swap(true) { breaker.end(number, outcome) }
        }
    }
}

/// What a breaker knows. Each phase has a number, which its calls carry.
struct BreakerState {
    private enum Content {
        case closed(RecentFailures)
        case open
        case halfOpen(running: Int, succeeded: Int)
    }

    /// An opening: the number of its phase, and how many in a row came before it.
    struct Opening {
        fileprivate let number: Int
        let before: Int
    }

    private let threshold: CircuitBreaker.Threshold
    private let trials: Int

    private var content: Content
    private var number = 0
    private var openings = 0

    init(_ threshold: CircuitBreaker.Threshold, _ trials: Int) {
        self.threshold = threshold
        self.trials = trials
        content = .closed(RecentFailures(of: threshold.calls))
    }

    var phase: CircuitBreaker.Phase {
        switch content {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// - Returns: The number that the call carries. nil if it is refused.
    mutating func begin() -> Int? {
        switch content {
        case .closed: return number
        case .open: return nil
        case .halfOpen(let running, let succeeded):
            guard running + succeeded < trials else { return nil }
            content = .halfOpen(running: running + 1, succeeded: succeeded)
            return number
        }
    }

    /// - Parameter outcome: nil if the call says nothing about the service.
    /// - Returns: The opening, if the breaker has opened.
    mutating func end(_ number: Int, _ outcome: CircuitBreaker.Call.Outcome?) -> Opening? {
        guard number == self.number else { return nil }
        switch (content, outcome) {
        case (.open, _), (.closed, nil): return nil
        case (.halfOpen(let running, let succeeded), nil):
            content = .halfOpen(running: running - 1, succeeded: succeeded)
            return nil
        case (.halfOpen, .failed): return open()
        case (.halfOpen(let running, let succeeded), .succeeded):
            content = .halfOpen(running: running - 1, succeeded: succeeded + 1)
            if succeeded + 1 == trials {
                openings = 0
                enter(.closed(RecentFailures(of: threshold.calls)))
            }
            return nil
        case (.closed(var recent), .some(let outcome)):
            // One owner, so that the change isn't made to a copy.
            content = .open
            if threshold.forgetsOnSuccess, outcome == .succeeded {
                recent.forget()
            } else {
                recent.add(outcome == .failed)
            }
            content = .closed(recent)
            let isTooMany = recent.isFull && Double(recent.count) / Double(threshold.calls) >= threshold.share
            return isTooMany ? open() : nil
        }
    }

    /// The pause of an opening is over.
    mutating func tryAgain(_ opening: Opening) {
        if opening.number == number { enter(.halfOpen(running: 0, succeeded: 0)) }
    }

    private mutating func open() -> Opening {
        enter(.open)
        openings += 1
        return Opening(number: number, before: openings - 1)
    }

    private mutating func enter(_ next: Content) {
        content = next
        number += 1
    }
}

/// Which of the last calls have failed.
private struct RecentFailures {
    private var calls: [Bool] = []
    private var oldest = 0
    private let capacity: Int
    private(set) var count = 0

    init(of capacity: Int) { self.capacity = capacity }

    var isFull: Bool { calls.count == capacity }

    mutating func forget() {
        calls.removeAll(keepingCapacity: true)
        (oldest, count) = (0, 0)
    }

    mutating func add(_ hasFailed: Bool) {
        if hasFailed { count += 1 }
        guard isFull else { return calls.append(hasFailed) }
        if calls[oldest] { count -= 1 }
        calls[oldest] = hasFailed
        oldest = (oldest + 1) % capacity
    }
}

extension SignalProducer {
    /// Counts how each start ends, and refuses starts while the breaker is open.
    ///
    /// A completion is a success. A start that is disposed of or interrupted counts as neither.
    ///
    /// - Parameters:
    ///   - breaker: The breaker.
    ///   - error: The failure of a start that is refused.
    ///   - isFailure: Whether an error says that the service fails: that a page doesn't exist doesn't. Such an error counts as a success.
    ///     Called on the thread that delivers the failure.
    /// - Complexity: A constant number of allocations for each start. No work per value.
    @inlinable
    public func guarded(
        by breaker: CircuitBreaker, raising error: Error,
        isFailure: @escaping @Sendable (Error) -> Bool = { _ in true }
    ) -> SignalProducer<Value, Error> {
        SignalProducer { observer, lifetime in
            guard let call = breaker.call() else { return observer.send(error: error) }
            self.on(
                failed: { call.end(isFailure($0) ? .failed : .succeeded) },
                completed: { call.end(.succeeded) }
            )
            .start(observer, during: lifetime)
        }
    }
}
