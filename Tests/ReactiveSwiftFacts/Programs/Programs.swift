import ReactiveSwift

/// The small programs at the edges of the interface, by the names of their facts. Each prints to a log.
///
/// They say when objects are released, so they are meant for a build without optimisation, which keeps a variable to the end of its
/// scope.
struct Programs {
    typealias Body = @MainActor (Log) async -> Void

    private(set) var all: [(name: String, body: Body)] = []

    /// Adds a program that runs to its end without waiting.
    mutating func add(_ name: String, _ body: @escaping (Log) -> Void) {
        all.append((name, { body($0) }))
    }

    /// Adds a program that lets the main thread go while it waits.
    mutating func addWaiting(_ name: String, _ body: @escaping Body) {
        all.append((name, body))
    }

    init() {
        addLifetimes()
        addDisposal()
        addNesting()
        addProperties()
        addCompositions()
        addBindings()
        addActions()
        addTime()
        addSchedulers()
        addJoining()
        addSampling()
        addFlattening()
        addFollowing()
        addRepeating()
        addTaking()
        addErrors()
        addObserving()
        addHolding()
    }
}

/// An object that says when it is released.
final class Tracked {
    private let name: String
    private let log: Log

    init(_ name: String, _ log: Log) {
        self.name = name
        self.log = log
    }

    deinit { log("deinit \(name)") }
}

/// A number that closures share.
final class Count {
    var value = 0

    /// Counts one more, and returns how many there are.
    func next() -> Int {
        value += 1
        return value
    }
}
