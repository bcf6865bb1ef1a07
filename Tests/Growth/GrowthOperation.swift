import Corinth

/// What is done n times, or with n of something.
package struct GrowthOperation: Sendable {
    /// How many instructions it may take.
    package enum Growth: String, Sendable {
        /// A constant number for each of n.
        case linear

        /// At most log n times a constant for each of n.
        case logarithmic
    }

    package let name: String
    package let growth: Growth

    /// n, 2 n and 4 n. A build that isn't optimised takes about ten times as many instructions, so n is an eighth there.
    package let sizes: [Int]

    /// Does it, and checks that it was done.
    let run: @Sendable (Int) -> Void

    init(_ name: String, _ growth: Growth = .linear, from size: Int = 1_000, _ run: @escaping @Sendable (Int) -> Void) {
        self.name = name
        self.growth = growth
        #if DEBUG
            let size = size / 8
        #endif
        sizes = [size, 2 * size, 4 * size]
        self.run = run
    }
}

/// The operations that one process runs.
package enum GrowthFamily: String, CaseIterable, Sendable {
    case observing, disposables, joins, flattening, values, timers, properties

    package var operations: [GrowthOperation] {
        switch self {
        case .observing: GrowthOperation.observing
        case .disposables: GrowthOperation.disposables
        case .joins: GrowthOperation.joins
        case .flattening: GrowthOperation.flattening
        case .values: GrowthOperation.values
        case .timers: GrowthOperation.timers
        case .properties: GrowthOperation.properties
        }
    }
}

/// What operations use often.
typealias Pipe = (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)

func pipes(_ count: Int) -> [Pipe] { (0..<count).map { _ in Signal<Int, Never>.pipe() } }

/// Stops the program if an operation has not done what is counted.
func check(_ condition: Bool, file: StaticString = #fileID, line: UInt = #line) {
    if !condition { fatalError("the operation went wrong", file: file, line: line) }
}
