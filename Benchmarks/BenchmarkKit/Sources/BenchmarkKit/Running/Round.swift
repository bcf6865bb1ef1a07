/// One sample of each build, taken one after the other: a pair, or more.
struct Round {
    var samples: [(build: Build, sample: Sample)]
    /// How often the round was measured again.
    var repeats = 0
    /// How the machine disturbed the samples that remain; nil if it didn't.
    var disturbance: Disturbance?

    /// A round is measured again at most twice.
    static let mostRepeats = 2

    /// How often the next round may be repeated: all rounds of a scenario together as often as there are rounds.
    static func mostRepeats(beforeThis repeated: Int, of rounds: Int) -> Int {
        max(0, min(mostRepeats, rounds - repeated))
    }

    /// Takes a sample of each build. If the machine disturbs one of them, the whole round is measured again, because a pair
    /// is close in time.
    static func take(_ builds: [Build], mostRepeats: Int, _ sample: (Build) throws -> Sample) rethrows -> Round {
        var repeats = 0
        while true {
            let samples = try builds.map { (build: $0, sample: try sample($0)) }
            let disturbance = disturbance(of: samples.map(\.sample))
            if disturbance == nil || repeats >= mostRepeats {
                return Round(samples: samples, repeats: repeats, disturbance: disturbance)
            }
            repeats += 1
        }
    }

    /// How the machine disturbed one of the samples, or changed between two of them.
    static func disturbance(of samples: [Sample]) -> Disturbance? {
        if let found = samples.compactMap(\.disturbance).first { return found }
        return MachineWatch.hasChanged(samples.compactMap(\.loopNanoseconds)) ? .speed : nil
    }
}
