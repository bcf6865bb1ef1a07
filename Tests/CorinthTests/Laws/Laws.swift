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
    case faces = "P3"

    /// The laws that the build on mutexes doesn't keep. R1 and R4, which it doesn't keep either, are about properties.
    static let naiveExceptions: Set<Law> = [.reentrancy]

    #if NaiveLocks
        static let build = "naive build"
        var isKept: Bool { !Law.naiveExceptions.contains(self) }
    #else
        static let build = "lock-free build"
        var isKept: Bool { true }
    #endif
}

/// A law, tried on one face of an operator.
struct Trial: Sendable, CustomStringConvertible {
    let law: Law
    let entry: OperatorEntry
    let face: OperatorEntry.Face

    var facts: OperatorEntry.Facts { entry.facts }

    var description: String { "\(law.rawValue), \(entry.testDescription), \(face)" }

    /// Says that the law is broken, if it is.
    func expect(
        _ holds: Bool, _ message: @autoclosure () -> String, trace: @autoclosure () -> Any = [],
        at place: SourceLocation = #_sourceLocation
    ) {
        if !holds { Issue.record("\(self): \(message()); trace: \(trace())", sourceLocation: place) }
    }

    /// Tries a law on the faces of an operator, or on one of them, and counts that it did.
    static func each(
        _ law: Law, of entry: OperatorEntry, only chosen: OperatorEntry.Face? = nil, _ body: (Trial) -> Void
    ) {
        guard law.isKept else { return }
        for face in entry.faces where chosen == nil || face == chosen {
            LawSummary.checks.increment()
            LawSummary.operators.modify { _ = $0.insert(entry.testDescription) }
            LawSummary.laws.modify { _ = $0.insert(law) }
            body(Trial(law: law, entry: entry, face: face))
        }
    }

    /// How often something is tried that depends on the moment: less under sanitizers.
    static func scaled(_ count: Int) -> Int { max(1, Int(Double(count) * min(1, Stress.seconds))) }
}

/// Prints how much was checked when the suite has ended.
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
    /// With a comma between thousands.
    fileprivate var grouped: String {
        self < 1_000 ? "\(self)" : "\((self / 1_000).grouped)," + String(String(self % 1_000 + 1_000).dropFirst())
    }
}
