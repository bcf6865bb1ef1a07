import Corinth
import CorinthTesting

/// One step of what happens to an operator from outside.
enum Move: Sendable, CustomStringConvertible {
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

    /// Such as `0:5`, `1:completed`, `+2s`.
    var description: String {
        switch self {
        case .value(let number, let source): "\(source):\(number)"
        case .end(let ending, let source): "\(source):\(ending.rawValue)"
        case .advance(let seconds): "+\(seconds)s"
        }
    }

    /// The same with another value.
    var shifted: Move {
        if case .value(let number, let source) = self { .value(number + 2, source: source) } else { self }
    }

    /// A trace to try an operator on: the same for the same seed.
    ///
    /// Sources go on after their end, as careless senders do.
    static func random(seed: Int, sources: Int, isTimed: Bool, count: Int = 14) -> [Move] {
        var dice = SeededGenerator(seed: UInt64(seed))
        return (0..<count).map { index in
            let source = Bool.random(using: &dice) ? 0 : Int.random(in: 0..<sources, using: &dice)
            switch Int.random(in: 0..<100, using: &dice) {
            case 0..<(isTimed ? 25 : 0): return .advance(Int.random(in: 0...3, using: &dice))
            case 88... where index > 3:
                return .end(Ending.allCases.randomElement(using: &dice) ?? .failed, source: source)
            default: return .value(Int.random(in: 0..<8, using: &dice), source: source)
            }
        }
    }

    /// Values from all sources, then their completion, and all the time that anything may wait for.
    static func wellBehaved(sources: Int) -> [Move] {
        let values = (1...5).flatMap { number in (0..<sources).map { Move.value(number, source: $0) } + [.advance(1)] }
        return values + completion(sources: sources)
    }

    static func completion(sources: Int) -> [Move] {
        (0..<sources).flatMap { [Move.end(.completed, source: $0), .advance(1)] } + [.advance(50)]
    }
}
