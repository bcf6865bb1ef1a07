import ReactiveSwift

/// The operators whose ends are recorded, by the names that they have in `Ends.md`.
struct EndingPrograms {
    private(set) var all: [(name: String, start: (EndingStage) -> Disposable)] = []

    /// Adds an operator that needs only the source.
    mutating func add<Value, Error>(
        _ name: String, _ apply: @escaping (NumberProducer) -> SignalProducer<Value, Error>
    ) {
        all.append((name, { stage in stage.start(apply(stage.source)) }))
    }

    /// Adds an operator that needs more.
    mutating func add<Value, Error>(
        _ name: String, _ apply: @escaping (NumberProducer, EndingStage) -> SignalProducer<Value, Error>
    ) {
        all.append((name, { stage in stage.start(apply(stage.source, stage)) }))
    }

    init() {
        addElementwise()
        addParts()
        addErrors()
        addEffects()
        addJoining()
        addFlattening()
        addTimed()
        addFollowing()
    }

    /// What follows each end of the source, as a row of `Facts/ends.tsv` says it.
    static func outcome(of start: (EndingStage) -> Disposable) -> String {
        Ending.allCases.map { ending in
            let stage = EndingStage()
            let disposable = start(stage)
            defer { disposable.dispose() }
            return stage.outcome(of: ending)
        }.joined(separator: " | ")
    }
}
