import Foundation

/// A row of the recorded random programs: what it is made of, what is done to it, and what ReactiveSwift printed.
struct RandomProgram: Sendable {
    let family: Family
    let seed: Int
    let operators: String
    let script: String
    let expected: String

    /// What the program is in words: its row, without what it printed.
    var description: String { "\(operators)   \(script)" }

    /// The seed on which ReactiveSwift itself stopped has a row that says so.
    var isCrash: Bool { expected.hasPrefix("CRASH") }
}

/// Each family of random programs has a file of rows and a player of such rows.
enum Family: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Operators on a signal, with two other signals, a trigger, a gate, a lifetime and a clock.
    case signals
    /// The same on producers.
    case producers
    /// Producers with start handlers, hooks between the operators, and disposal by callbacks: the order of all that.
    case hooks
    /// Graphs of properties that are set, observed and released.
    case properties

    var description: String { rawValue }

    /// Runs a program on Corinth, and returns what it prints, in the format of the rows.
    func output(of program: RandomProgram) throws -> String {
        switch self {
        case .signals, .producers: try StreamPlayer(program).play()
        case .hooks: try HookPlayer(program).play()
        case .properties: try PropertyPlayer(program).play()
        }
    }

    /// The names of the operators that a program has.
    func operators(of program: RandomProgram) -> Set<String> {
        switch self {
        case .signals, .producers, .hooks: Set(program.operators.split(separator: ">").map(String.init))
        case .properties: PropertyPlayer.operators(of: program)
        }
    }

    /// The rows, in the order of the file.
    func programs() throws -> [RandomProgram] {
        try Recorded.lines(ofCompressed: "\(rawValue).tsv.gz").map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4, let seed = Int(fields[0]) else { throw MalformedRow(row: line) }
            return RandomProgram(
                family: self, seed: seed, operators: fields[1], script: fields[2], expected: fields[3])
        }
    }
}

/// A row has something that no player knows.
struct MalformedRow: Error, CustomStringConvertible {
    let row: String

    var description: String { "this isn't a row of a known format: \(row)" }
}
