#if Exploration
    import CTestSupport
    @testable import Corinth
    import Foundation
    import Testing

    /// The bounds of a search.
    struct Bounds {
        /// How often a thread that could continue is preempted. With nil there is no bound, and every order that matters is
        /// explored. `CORINTH_EXPLORE=full` starts its search at this bound.
        var preemptions: Int? = 2
        /// How many loads of watched words may return a value older than the newest.
        var oldReads = 1
        /// How many stores to watched words may become visible later than what their thread does next. With nil, one if there
        /// are at most two preemptions and no old reads, and none otherwise: the schedules would be too many. None in a build
        /// that records accesses, which is slow: a late store doesn't change what accesses are ordered by.
        var delayedStores: Int?
        /// After how many steps an execution counts as endless.
        var steps = 5_000
        /// After how many executions the search gives up.
        var executions = 2_000_000
        /// Replaces the strand's own bounds, so that a few events are enough to exceed them.
        var helping = 2
        var spinning = 1
        /// Whether words are biased to the threads that use them.
        var isBiased = false
        /// How many threads the release of a flag wakes.
        var waking = 2
        /// At how many entries a composite is first swept; nil for the usual number.
        var sweeping: Int?
        /// After how many posts to a busy mailbox posts only read its stage; nil for never.
        var streaming: Int?
        /// How many workers run at the same time; nil for any number. A worker that waits keeps its place, as a thread of a pool
        /// does. Other work waits for a free one.
        var workers: Int?
        /// How many events before the end of its term a leader promotes the next one; nil if threads that wait aren't leader and
        /// followers.
        var leading: Int?
        /// The binary logarithm of how many events of a thread follow each other in one node; 0 if each is a node.
        var bursting = 0
        /// Whether the system can start a thread for a worker.
        var hasThreads = true
        /// A seeded bug: whether all biases of a word have the same byte.
        var sharesBytes = false
        /// A seeded bug: whether a thread that comes to its own bias from outside counts as inside.
        var forgetsOutsiders = false
        /// A seeded bug: whether a list that isn't empty counts as one that has a reference to the strand's object.
        var keepsAnyList = false
        /// A seeded bug: whether a thread adds events to a burst of its own that isn't the newest node.
        var overtakes = false

        /// See ``delayedStores``.
        var mostDelayedStores: Int {
            let isUsual = preemptions ?? .max <= 2 && oldReads == 0 && !test_records_accesses()
            return delayedStores ?? (isUsual ? 1 : 0)
        }
    }

    /// The threads of one execution and the conditions that must hold. Created anew for each execution.
    ///
    /// One whose last check refers to it is never released, nor is what the check captures. This is on purpose: memory that is
    /// used again makes executions differ, where a word holds an address.
    final class Scenario: @unchecked Sendable {  // Its threads run one at a time.
        fileprivate(set) var objections: [String] = []
        private(set) var watched: [AnyObject] = []
        private(set) var watchedMemory: [UInt] = []
        private var kept: [AnyObject] = []
        private var threads: [(name: String, body: () -> Void)] = []
        private var handlers: [String: () -> Void] = [:]
        fileprivate var arbiter: (() -> Void)?

        /// Adds a thread.
        func thread(_ name: String, _ body: @escaping () -> Void) {
            threads.append((name, body))
        }

        /// Runs `body` on a thread of this name once, before any of its operations or not at all, as a signal handler runs.
        func interrupt(_ name: String, _ body: @escaping () -> Void) {
            handlers[name] = body
        }

        /// Adds a check that runs when all threads have ended.
        func finally(_ arbiter: @escaping () -> Void) {
            self.arbiter = arbiter
        }

        /// Keeps objects alive until the end, and lets loads of their atomic words return older values.
        func watch(_ objects: AnyObject...) {
            watched += objects
            #if !NaiveLocks
                // The words of permits are in memory of their own.
                for case let permits as Permits in objects {
                    watchedMemory.append(UInt(permits.stateAddress.bits))
                }
            #endif
        }

        /// Does the same for memory that the object has allocated.
        func watch(_ object: AnyObject, and memory: UnsafeRawPointer) {
            watch(object)
            watchedMemory.append(UInt(bitPattern: memory))
        }

        /// Keeps objects alive until the arbiter has run: for example the input of a signal that ends when its input is
        /// released.
        func keep(_ objects: AnyObject...) {
            kept += objects
        }

        /// States a condition that must hold, on a thread or at the end.
        func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
            if condition { return }
            if let thread = ControlledThread.current { thread.execution.fail(.broken(message())) }
            objections.append(message())
        }

        func takeThreads() -> [(name: String, body: () -> Void, handler: (() -> Void)?)] {
            defer {
                threads = []
                handlers = [:]
            }
            return threads.map { ($0.name, $0.body, handlers[$0.name]) }
        }
    }

    /// The result of an exploration.
    struct Outcome {
        var executions = 0
        /// The greatest number of threads in one execution, with workers.
        var threads = 0
        var duration = Duration.zero
        var isComplete = false
        var failure: Failure?
        var trace: Trace?
        var mutationApplied = false
        var reached: Set<Milestone> = []
        /// Whether a thread has read a watched word. If its orders are strong, it may still never see an older value.
        var readsWatchedWords = false
        /// The greatest number of loads in one execution that returned an older value.
        var oldReads = 0
        /// The greatest number of stores in one execution that became visible later than what their thread did next.
        var delayedStores = 0
    }

    /// An event that an exploration must meet in at least one execution.
    enum Milestone {
        /// Work was submitted to a worker.
        case worker
        /// A thread slept on a word.
        case sleep
        /// A load returned an older value.
        case oldValue
        /// A store became visible later than what its thread did next.
        case delayedStore
    }

    private let oneAtATime = NSLock()

    /// Runs a scenario under every schedule within the bounds, or until one fails.
    func explore(
        _ bounds: Bounds, mutation: Mutation? = nil, _ arrange: @escaping (Scenario) -> Void
    ) -> Outcome {
        ExplorerHook.installed
        return oneAtATime.withLock {
            var outcome = Outcome()
            let duration = ContinuousClock().measure {
                Carrier.run { outcome = exploreHere(bounds, mutation, arrange) }
            }
            outcome.duration = duration
            return outcome
        }
    }

    /// The same, on the calling thread.
    private func exploreHere(_ bounds: Bounds, _ mutation: Mutation?, _ arrange: (Scenario) -> Void) -> Outcome {
        var outcome = Outcome()
        var choices = ChoiceTree()
        var repetitions = 0
        var leftOut = 0
        while outcome.executions < bounds.executions {
            let scenario = Scenario()
            arrange(scenario)
            let execution = Execution(scenario, bounds, mutation, choices)
            execution.run()
            outcome.executions += 1
            outcome.threads = max(outcome.threads, execution.threadCount)
            // Whether freed memory is reused can vary. That makes a difference where a word holds addresses.
            if execution.failure == .inconsistent, repetitions < 10 {
                repetitions += 1
                continue
            }
            // Memory was reused by chance when the schedule was met first, and isn't any more: it can't be repeated.
            if execution.failure == .inconsistent, leftOut < 3 {
                leftOut += 1
                repetitions = 0
                if choices.leaveOut() { continue }
                outcome.isComplete = true
                return outcome
            }
            repetitions = 0
            outcome.failure = execution.failure
            outcome.reached.formUnion(execution.reached)
            outcome.readsWatchedWords = outcome.readsWatchedWords || execution.readsWatchedWords
            outcome.oldReads = max(outcome.oldReads, execution.oldReads)
            outcome.delayedStores = max(outcome.delayedStores, execution.delayedStores)
            outcome.mutationApplied = outcome.mutationApplied || execution.mutationApplied
            if outcome.failure == nil {
                scenario.arbiter?()
                outcome.failure = scenario.objections.first.map(Failure.broken)
            }
            if outcome.failure != nil {
                outcome.trace = execution.trace
                #if !NaiveLocks
                    // The threads of a failed execution have stopped where they were. One of them may hold the process-wide
                    // flag.
                    WaitGraph.reset()
                #endif
                return outcome
            }
            choices = execution.choices
            if !choices.advance() {
                outcome.isComplete = true
                return outcome
            }
        }
        return outcome
    }

    /// With `CORINTH_EXPLORE=some`, a correct scenario is explored with at most one preemption and at most this many schedules, for
    /// an answer within a minute.
    enum Briefer {
        static let isWanted = ProcessInfo.processInfo.environment["CORINTH_EXPLORE"] == "some"

        fileprivate static let executions = 10_000
    }

    /// The limits of the deeper search under `CORINTH_EXPLORE=full`.
    private enum Deeper {
        static let isWanted = ProcessInfo.processInfo.environment["CORINTH_EXPLORE"] == "full"

        /// How many schedules it may run for each scenario.
        static let executions = 30_000
    }

    /// Explores a scenario without a bound on preemptions. If that doesn't finish, it starts over with the usual bound and
    /// raises it by one each time, as in iterative context bounding (Musuvathi and Qadeer, 2007).
    ///
    /// - Returns: What was found, and how far the search went.
    private func exploreDeeper(_ usual: Bounds, _ arrange: @escaping (Scenario) -> Void) -> (
        outcome: Outcome, depth: String
    ) {
        var bounds = usual
        bounds.preemptions = nil
        bounds.executions = Deeper.executions / 2
        var outcome = explore(bounds, arrange)
        // A schedule that preempts threads without a bound may never end: a thread that spins can run again before every other
        // step.
        if case .endless = outcome.failure { outcome.failure = nil }
        if outcome.failure != nil || outcome.isComplete { return (outcome, "with any number of preemptions") }
        var left = Deeper.executions - outcome.executions
        var total = outcome.executions
        var most = usual.preemptions ?? 0
        repeat {
            bounds.preemptions = most + 1
            bounds.executions = left
            outcome = explore(bounds, arrange)
            left -= outcome.executions
            total += outcome.executions
            if outcome.isComplete { most += 1 }
        } while outcome.failure == nil && outcome.isComplete && left > 0
        outcome.executions = total
        return (outcome, "all of them with at most \(most) preemptions")
    }

    /// Prints a line for `Tests/explorations`.
    private func report(_ what: String, _ outcome: Outcome, _ bounds: Bounds, _ place: SourceLocation) {
        let schedules = outcome.executions.formatted(.number)
        let preemptions = bounds.preemptions.map(String.init) ?? "any"
        let seconds = outcome.duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 2)))
        print(
            "\(what) \(schedules) schedules of \(outcome.threads) threads within \(preemptions) preemptions, "
                + "\(outcome.oldReads) old reads and \(outcome.delayedStores) delayed stores in \(seconds) (\(place.fileName))"
        )
    }

    /// Explores a correct scenario. Expects no failure, and expects that the given milestones are met.
    func expectSound(
        _ bounds: Bounds = Bounds(), reaching milestones: Set<Milestone> = [], title: String = #function,
        at place: SourceLocation = #_sourceLocation,
        _ arrange: @escaping (Scenario) -> Void
    ) {
        var bounds = bounds
        if Briefer.isWanted {
            bounds.preemptions = min(bounds.preemptions ?? 1, 1)
            bounds.executions = Briefer.executions
        }
        var outcome = explore(bounds, arrange)
        report("\(title): explored", outcome, bounds, place)
        if Briefer.isWanted, outcome.failure == nil, !outcome.isComplete { return }
        #expect(
            outcome.failure != nil || outcome.isComplete, "not all schedules were explored",
            sourceLocation: place)
        if Deeper.isWanted, outcome.failure == nil, bounds.preemptions != nil {
            let usual = outcome
            let depth: String
            (outcome, depth) = exploreDeeper(bounds, arrange)
            outcome.reached.formUnion(usual.reached)
            outcome.readsWatchedWords = usual.readsWatchedWords
            outcome.oldReads = max(outcome.oldReads, usual.oldReads)
            report("\(title), full search, \(depth): explored", outcome, bounds, place)
        }
        if let failure = outcome.failure {
            Issue.record("\(failure)\n\(outcome.trace?.description ?? "")", sourceLocation: place)
        }
        #expect(
            outcome.reached.isSuperset(of: milestones), "only \(outcome.reached) were met", sourceLocation: place)
        #expect(
            bounds.oldReads == 0 || outcome.readsWatchedWords, "no word that could have older values is watched",
            sourceLocation: place)
    }

    /// Explores a scenario with a seeded bug. Expects that the search finds it, and that it shows itself as stated. In a build
    /// that records all accesses, it may show itself earlier, as a race.
    func expectCaught(
        _ mutation: Mutation, as kind: Failure.Kind, _ bounds: Bounds = Bounds(),
        at place: SourceLocation = #_sourceLocation,
        _ arrange: @escaping (Scenario) -> Void
    ) {
        let outcome = explore(bounds, mutation: mutation, arrange)
        let found = outcome.failure.map { "\($0)" } ?? "NOT FOUND"
        report("seeded bug: \(mutation): \(found), after", outcome, bounds, place)
        #expect(outcome.mutationApplied, "\(mutation): the seeded operation was never reached", sourceLocation: place)
        let isRace = test_records_accesses() && outcome.failure?.kind == .race
        #expect(isRace || outcome.failure?.kind == kind, "\(mutation): \(found)", sourceLocation: place)
    }
#endif
