import Corinth
import CorinthTesting

/// One event or time step that a test applies to an operator.
enum Stimulus: Sendable, CustomStringConvertible {
    case value(Int, source: Int)
    case end(Ending, source: Int)
    case advance(Int)

    enum Ending: String, Sendable, CaseIterable {
        case completed, failed, interrupted

        var termination: Stream.Event {
            switch self {
            case .completed: .completed
            case .failed: .failed(.first)
            case .interrupted: .interrupted
            }
        }
    }

    /// The Swift expression that makes it.
    var description: String {
        switch self {
        case .value(let number, let source): ".value(\(number), source: \(source))"
        case .end(let ending, let source): ".end(.\(ending.rawValue), source: \(source))"
        case .advance(let seconds): ".advance(\(seconds))"
        }
    }

    /// The same stimulus with another value.
    var shifted: Stimulus {
        if case .value(let number, let source) = self { .value(number + 2, source: source) } else { self }
    }

    /// A random trace for an operator. The same seed gives the same trace.
    static func random(seed: Int, sources: Int, isTimed: Bool) -> [Stimulus] {
        var dice = SeededGenerator(seed: UInt64(seed))
        return random(using: &dice, sources: sources, isTimed: isTimed, count: 14)
    }

    /// A trace from the numbers of a generator. Sources keep sending after their end, as careless senders do.
    static func random(
        using dice: inout some RandomNumberGenerator, sources: Int, isTimed: Bool, count: Int
    ) -> [Stimulus] {
        (0..<count).map { index in
            let source = Bool.random(using: &dice) ? 0 : Int.random(in: 0..<sources, using: &dice)
            switch Int.random(in: 0..<100, using: &dice) {
            case 0..<(isTimed ? 25 : 0): return .advance(Int.random(in: 0...3, using: &dice))
            case 88... where index > 3:
                return .end(Ending.allCases.randomElement(using: &dice) ?? .failed, source: source)
            default: return .value(Int.random(in: 0..<8, using: &dice), source: source)
            }
        }
    }

    /// Values from all sources, then their completions, with enough time in between for every timer.
    static func wellBehaved(sources: Int) -> [Stimulus] {
        let values = (1...5).flatMap { number in
            (0..<sources).map { Stimulus.value(number, source: $0) } + [.advance(1)]
        }
        return values + completion(sources: sources)
    }

    static func completion(sources: Int) -> [Stimulus] {
        (0..<sources).flatMap { [Stimulus.end(.completed, source: $0), .advance(1)] } + [.advance(50)]
    }
}
