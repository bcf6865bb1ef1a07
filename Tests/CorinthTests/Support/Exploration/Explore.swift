#if Exploration
    @testable import Corinth
    import Foundation
    import Testing

    /// How far to look.
    struct Bounds {
        /// How often a thread that could go on is interrupted; nil for as often as can be, in every order that matters. With
        /// `CORINTH_EXPLORE=full`, this is where the search begins.
        var preemptions: Int? = 2
        /// How many loads of watched words return an older value than the newest.
        var oldReads = 1
        /// How long an execution may be before it counts as endless.
        var steps = 5_000
        /// Where to give up.
        var executions = 2_000_000
        /// What the strand's bounds are instead of its own, so that few events go past them.
        var helping = 2
        var spinning = 1
    }

    /// The threads of one execution, and what must hold in it. Made anew for each.
    final class Scenario: @unchecked Sendable {  // Its threads run one at a time.
        fileprivate(set) var objections: [String] = []
        private(set) var watched: [AnyObject] = []
        private(set) var watchedMemory: [UInt] = []
        private var kept: [AnyObject] = []
        private var threads: [(name: String, body: () -> Void)] = []
        fileprivate var arbiter: (() -> Void)?

        /// Adds a thread.
        func thread(_ name: String, _ body: @escaping () -> Void) {
            threads.append((name, body))
        }

        /// Runs when all threads have ended.
        func finally(_ arbiter: @escaping () -> Void) {
            self.arbiter = arbiter
        }

        /// Keeps an object until the end and lets loads of its atomic words return older values.
        func watch(_ object: AnyObject) {
            watched.append(object)
        }

        /// The same for memory that the object has allocated.
        func watch(_ object: AnyObject, and memory: UnsafeRawPointer) {
            watch(object)
            watchedMemory.append(UInt(bitPattern: memory))
        }

        /// Keeps objects until the arbiter is done: the input of a signal that ends when it goes, for one.
        func keep(_ objects: AnyObject...) {
            kept += objects
        }

        /// States what must hold, on a thread or at the end.
        func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
            if condition { return }
            if let thread = ControlledThread.current { thread.execution.fail(.broken(message())) }
            objections.append(message())
        }

        func takeThreads() -> [(name: String, body: () -> Void)] {
            defer { threads = [] }
            return threads
        }
    }

    /// What an exploration found.
    struct Outcome {
        var executions = 0
        var isComplete = false
        var failure: Failure?
        var trace: Trace?
        var mutationApplied = false
        var reached: Set<Milestone> = []
    }

    /// What an exploration may be there for, and must then have met in some execution.
    enum Milestone {
        /// Work was submitted to a worker.
        case worker
        /// A thread slept on a word.
        case sleep
        /// A load returned an older value.
        case oldValue
    }

    private let oneAtATime = NSLock()

    /// Runs a scenario under every schedule within the bounds, or until one fails.
    func explore(_ bounds: Bounds, mutation: Mutation? = nil, _ arrange: (Scenario) -> Void) -> Outcome {
        ExplorerHook.installed
        return oneAtATime.withLock {
            var outcome = Outcome()
            var choices = ChoiceTree()
            var repetitions = 0
            while outcome.executions < bounds.executions {
                let scenario = Scenario()
                arrange(scenario)
                let execution = Execution(scenario, bounds, mutation, choices)
                execution.run()
                outcome.executions += 1
                // Memory that was freed may be used again, or not: where a word holds addresses, that makes a difference.
                if execution.failure == .inconsistent, repetitions < 10 {
                    repetitions += 1
                    continue
                }
                repetitions = 0
                outcome.failure = execution.failure
                outcome.reached.formUnion(execution.reached)
                outcome.mutationApplied = outcome.mutationApplied || execution.mutationApplied
                if outcome.failure == nil {
                    scenario.arbiter?()
                    outcome.failure = scenario.objections.first.map(Failure.broken)
                }
                if outcome.failure != nil {
                    outcome.trace = execution.trace
                    #if !NaiveLocks
                        // Its threads have stopped where they were, one of them with the flag of the whole process, perhaps.
                        WaitGraph.flag.word.store(0, .relaxed)
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
    }

    /// How far `CORINTH_EXPLORE=full` goes past the usual bounds.
    private enum Deeper {
        static let isWanted = ProcessInfo.processInfo.environment["CORINTH_EXPLORE"] == "full"

        /// How many schedules it may take for each scenario.
        static let executions = 30_000
    }

    /// Explores a scenario without a bound on preemptions; if that has no end, with one more each time, as in iterative context
    /// bounding (Musuvathi and Qadeer, 2007).
    ///
    /// - Returns: What was found, and how far it went.
    private func exploreDeeper(_ usual: Bounds, _ arrange: (Scenario) -> Void) -> (outcome: Outcome, depth: String) {
        var bounds = usual
        bounds.preemptions = nil
        bounds.executions = Deeper.executions / 2
        var outcome = explore(bounds, arrange)
        // A schedule that interrupts threads for ever need not end: one that runs again whenever another is about to go on.
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
        return (outcome, "all with up to \(most) preemptions")
    }

    /// Explores a scenario in which nothing may go wrong, and which must get as far as is said.
    func expectSound(
        _ bounds: Bounds = Bounds(), reaching milestones: Set<Milestone> = [], title: String = #function,
        at place: SourceLocation = #_sourceLocation,
        _ arrange: (Scenario) -> Void
    ) {
        var outcome = explore(bounds, arrange)
        print("\(title): explored \(outcome.executions.formatted(.number)) schedules")
        #expect(
            outcome.failure != nil || outcome.isComplete, "not all schedules were explored",
            sourceLocation: place)
        if Deeper.isWanted, outcome.failure == nil, bounds.preemptions != nil {
            let usual = outcome
            let depth: String
            (outcome, depth) = exploreDeeper(bounds, arrange)
            outcome.reached.formUnion(usual.reached)
            print("\(title) in full: explored \(outcome.executions.formatted(.number)) schedules, \(depth)")
        }
        if let failure = outcome.failure {
            Issue.record("\(failure)\n\(outcome.trace?.description ?? "")", sourceLocation: place)
        }
        #expect(
            outcome.reached.isSuperset(of: milestones), "only \(outcome.reached) was met", sourceLocation: place)
    }

    /// Explores a scenario with a seeded bug, which must be found, and show itself as said.
    func expectCaught(
        _ mutation: Mutation, as kind: Failure.Kind, _ bounds: Bounds = Bounds(),
        at place: SourceLocation = #_sourceLocation,
        _ arrange: (Scenario) -> Void
    ) {
        let outcome = explore(bounds, mutation: mutation, arrange)
        let found = outcome.failure.map { "\($0)" } ?? "NOT FOUND"
        print("seeded bug: \(mutation): \(found), after \(outcome.executions.formatted(.number)) schedules")
        #expect(outcome.mutationApplied, "\(mutation): no such operation", sourceLocation: place)
        #expect(outcome.failure?.kind == kind, "\(mutation): \(found)", sourceLocation: place)
    }
#endif
