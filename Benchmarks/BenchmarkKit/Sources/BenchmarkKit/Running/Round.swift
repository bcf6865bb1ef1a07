import Foundation

/// One sample of each build, taken one after the other: a pair, or more.
struct Round {
    var samples: [(build: Build, sample: Sample)]
    /// How often the round was measured again.
    var repeats = 0
    /// How the machine disturbed the samples that remain; nil if it didn't.
    var disturbance: Disturbance?

    /// A round is measured again at most so often.
    static let mostRepeats = 4

    /// How often the next round may be repeated: all rounds of a scenario together at most twice as often as there are
    /// rounds, so that a busy machine makes a run at most three times as long.
    static func mostRepeats(beforeThis repeated: Int, of rounds: Int) -> Int {
        max(0, min(mostRepeats, 2 * rounds - repeated))
    }

    /// Takes a sample of each build. If the machine disturbs one of them, the whole round is measured again, because a pair
    /// is close in time. If it never leaves them alone, the round remains that lost the least of its time.
    ///
    /// - Parameter parts: How often the builds take turns within a round. The speed of a shared machine changes from one
    ///   millisecond to the next, and more from ten to the next ten: so those that take turns often have about the same.
    static func take(
        _ builds: [Build], parts: Int = 1, mostRepeats: Int, _ sample: (Build) throws -> Sample
    ) rethrows -> Round {
        var best: Round?
        for _ in 0...mostRepeats {
            var taken: [Build: [Sample]] = [:]
            for part in 0..<parts {
                for build in Suite.order(builds, part) { taken[build, default: []].append(try sample(build)) }
            }
            let samples = builds.compactMap { build in
                Sample(joining: taken[build] ?? []).map { (build: build, sample: $0) }
            }
            var round = Round(samples: samples, disturbance: disturbance(of: samples.map(\.sample)))
            round.repeats = best.map { $0.repeats + 1 } ?? 0
            guard round.disturbance != nil else { return round }
            if let kept = best, kept.lostShare <= round.lostShare {
                best?.repeats = round.repeats
            } else {
                best = round
            }
        }
        return best ?? Round(samples: [])
    }

    /// The largest part of a sample's time without the processor.
    private var lostShare: Double { samples.compactMap(\.sample.lostShare).max() ?? 0 }

    /// The logarithms of the factors by which the machine made the samples longer; none if it disturbed none.
    var slowdowns: [Build: Double] {
        guard disturbance != nil else { return [:] }
        let least = samples.compactMap(\.sample.loopNanoseconds).min() ?? 0
        let factors = samples.map { build, sample in
            let speed = sample.loopNanoseconds.map { least > 0 ? $0 / least : 1 } ?? 1
            return (build, log(speed / (1 - min(0.9, sample.lostShare ?? 0))))
        }
        return Dictionary(uniqueKeysWithValues: factors)
    }

    /// How the machine disturbed one of the samples, or changed between two of them.
    static func disturbance(of samples: [Sample]) -> Disturbance? {
        if let found = samples.compactMap(\.disturbance).first { return found }
        return MachineWatch.hasChanged(samples.compactMap(\.loopNanoseconds)) ? .speed : nil
    }
}
