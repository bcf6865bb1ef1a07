import Foundation
import Testing

/// The duration of the stress tests.
enum Stress {
    /// From `CORINTH_STRESS_SECONDS`, for the one long test. The other tests use a fraction of it.
    static let seconds = ProcessInfo.processInfo.environment["CORINTH_STRESS_SECONDS"].flatMap(Double.init) ?? 1

    /// A quarter of it under a sanitizer, where everything takes tens of times as long.
    static func fewer(_ count: Int) -> Int { WaitLimit.isSanitized ? count / 4 : count }

    /// Calls `round` until the time is up, at least once. Returns the number of calls.
    @discardableResult
    static func repeated(share: Double = 0.2, _ round: () -> Void) -> Int {
        let end = ContinuousClock.now + .seconds(seconds * share)
        var rounds = 0
        repeat {
            round()
            rounds += 1
        } while ContinuousClock.now < end
        return rounds
    }

    /// Lets other tasks run until the condition holds. Returns false after a time that is far too long.
    static func eventually(_ condition: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            if ContinuousClock.now > end { return false }
            await Task.yield()
        }
        return true
    }

    /// Lets other threads run until the condition holds. Returns false after a time that is far too long.
    static func eventually(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while !condition() {
            if ContinuousClock.now > end { return false }
            Work.yield()
        }
        return true
    }
}

/// Runs actors that race on a fresh state many times, and checks the outcome of each race, as JCStress does.
///
/// - Parameters:
///   - accepted: The accepted outcomes and their meanings.
///   - make: Creates a state.
///   - actors: The operations on the state, each on its own thread.
///   - arbiter: Reads the outcome from the state.
func expectOutcomes<State: Sendable, Outcome: Hashable>(
    _ accepted: [Outcome: String], title: String = #function, at place: SourceLocation = #_sourceLocation,
    of make: () -> State, actors: [@Sendable (State) -> Void], arbiter: (State) -> Outcome
) {
    var counts: [Outcome: Int] = [:]
    Stress.repeated(share: 0.1) {
        let states = (0..<500).map { _ in make() }
        let barrier = Barrier(actors.count)
        ThreadGroup.run(actors.count) { index in
            for state in states {
                barrier.arrive()
                actors[index](state)
            }
        }
        for state in states { counts[arbiter(state), default: 0] += 1 }
    }
    let rows = counts.map { outcome, count in "  \(count) × \(outcome): \(accepted[outcome] ?? "FORBIDDEN")" }
    print("\(title):\n\(rows.sorted().joined(separator: "\n"))")
    let forbidden = counts.keys.filter { accepted[$0] == nil }
    #expect(forbidden.isEmpty, sourceLocation: place)
}
