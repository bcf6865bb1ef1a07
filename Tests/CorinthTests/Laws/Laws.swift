import Corinth
import Testing

/// The laws that hold for every operator.
enum Law: String, CaseIterable, Sendable {
    case grammar = "E1"
    case serial = "E2"
    case agreement = "E3"
    case senderOrder = "E4"
    case reentrancy = "E5"
    case ends = "E6"
    case disposal = "E7"
    case closures = "S2"
    case leaks = "S3"
    case lateObserver = "S4"
    case starts = "P1"
    case interruption = "P2"
    case overloads = "P3"

    /// The laws that the naive build doesn't keep. It doesn't keep R1 and R4 either, but those are about properties.
    static let naiveExceptions: Set<Law> = [.reentrancy]

    #if NaiveLocks
        static let build = "naive build"
        var isKept: Bool { !Law.naiveExceptions.contains(self) }
    #else
        static let build = "lock-free build"
        var isKept: Bool { true }
    #endif
}

/// A check of one law on one overload of an operator.
struct Trial: Sendable, CustomStringConvertible {
    let law: Law
    let entry: OperatorEntry
    let overload: OperatorEntry.Overload

    var facts: OperatorEntry.Facts { entry.facts }

    var description: String { "\(law.rawValue), \(entry.testDescription), \(overload)" }

    /// Records an issue if the law is broken.
    func expect(
        _ holds: Bool, _ message: @autoclosure () -> String, trace: @autoclosure () -> Any = [],
        at place: SourceLocation = #_sourceLocation
    ) {
        if !holds { Issue.record("\(self): \(message()); trace: \(trace())", sourceLocation: place) }
    }

    /// Checks a law on all overloads of an operator, or on the chosen one, and counts the checks.
    static func each(
        _ law: Law, of entry: OperatorEntry, only chosen: OperatorEntry.Overload? = nil, _ body: (Trial) -> Void
    ) {
        guard law.isKept else { return }
        for overload in entry.overloads where chosen == nil || overload == chosen {
            LawSummary.checks.increment()
            LawSummary.operators.modify { _ = $0.insert(entry.testDescription) }
            LawSummary.laws.modify { _ = $0.insert(law) }
            body(Trial(law: law, entry: entry, overload: overload))
        }
    }

    /// The repetitions of a test that depends on thread timing. Fewer under sanitizers.
    static func scaled(_ count: Int) -> Int { max(1, Int(Double(count) * min(1, Stress.seconds))) }
}

/// Prints the number of checks when the suite has ended.
struct LawSummary: SuiteTrait, TestScoping {
    static let checks = Counter()
    static let operators = Atomic<Set<String>>([])
    static let laws = Atomic<Set<Law>>([])

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        let (checks, operators, laws) = (
            LawSummary.checks.value, LawSummary.operators.value.count, LawSummary.laws.value.count
        )
        print("laws: \(operators) operators × \(laws) laws, \(Law.build): \(checks.grouped) checks")
    }
}

extension Int {
    /// The number with commas between the thousands.
    fileprivate var grouped: String {
        self < 1_000 ? "\(self)" : "\((self / 1_000).grouped)," + String(String(self % 1_000 + 1_000).dropFirst())
    }
}

extension OperatorEntry: CustomTestStringConvertible {}
