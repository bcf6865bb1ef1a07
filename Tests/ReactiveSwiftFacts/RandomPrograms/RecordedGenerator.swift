/// The generator that made the recorded programs from their seeds, for the few choices of theirs that the rows don't say.
struct RecordedGenerator {
    private var state: UInt64

    init(seed: Int, factor: UInt64, summand: UInt64) {
        state = UInt64(seed) &* factor &+ summand
        for _ in 0..<4 { _ = next(below: 2) }
    }

    mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { _ = next(below: 2) }
    }
}
