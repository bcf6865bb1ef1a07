import BenchmarkKit

/// The closures of the chains, called one after the other without the library.
class ChainDirect: Scenario {
    let tally = Tally()
    private let factor: Int
    private let offset: Int
    private var expected = Expectation()

    init(factor: Int = 1, offset: Int) {
        self.factor = factor
        self.offset = offset
    }

    final func run(events: Int) {
        call(events: events)
        expected.add(valuesBelow: events, factor: factor, offset: offset)
    }

    /// Passes the values from 0 to `events` - 1 through the stages.
    func call(events: Int) {
        preconditionFailure("A subclass overrides this.")
    }

    final func verify() throws {
        try expected.verify(tally)
    }

    /// The observer, opaque to the optimiser.
    final func observer() -> (Int) -> Void {
        opaqueObserver { [tally] in tally.add($0) }
    }
}

final class ThreeStages: ChainDirect {
    init() {
        super.init(factor: 3, offset: 3)
    }

    override func call(events: Int) {
        let first = opaqueMap { $0 &+ 1 }
        let passes = opaqueFilter { $0 > 0 }
        let last = opaqueMap { $0 &* 3 }
        let observe = observer()
        for value in 0..<events {
            let mapped = first(value)
            guard passes(mapped) else { continue }
            observe(last(mapped))
        }
    }
}

final class SixPairs: ChainDirect {
    init() {
        super.init(offset: Chain.sixPairsOffset)
    }

    override func call(events: Int) {
        let (map1, filter1) = (opaqueMap { $0 &+ 1 }, opaqueFilter { $0 > 0 })
        let (map2, filter2) = (opaqueMap { $0 &+ 2 }, opaqueFilter { $0 > 1 })
        let (map3, filter3) = (opaqueMap { $0 &+ 3 }, opaqueFilter { $0 > 2 })
        let (map4, filter4) = (opaqueMap { $0 &+ 4 }, opaqueFilter { $0 > 3 })
        let (map5, filter5) = (opaqueMap { $0 &+ 5 }, opaqueFilter { $0 > 4 })
        let (map6, filter6) = (opaqueMap { $0 &+ 6 }, opaqueFilter { $0 > 5 })
        let observe = observer()
        for value in 0..<events {
            var mapped = map1(value)
            guard filter1(mapped) else { continue }
            mapped = map2(mapped)
            guard filter2(mapped) else { continue }
            mapped = map3(mapped)
            guard filter3(mapped) else { continue }
            mapped = map4(mapped)
            guard filter4(mapped) else { continue }
            mapped = map5(mapped)
            guard filter5(mapped) else { continue }
            mapped = map6(mapped)
            guard filter6(mapped) else { continue }
            observe(mapped)
        }
    }
}

final class TenMaps: ChainDirect {
    init() {
        super.init(offset: 55)
    }

    override func call(events: Int) {
        let (map1, map2, map3) = (opaqueMap { $0 &+ 1 }, opaqueMap { $0 &+ 2 }, opaqueMap { $0 &+ 3 })
        let (map4, map5, map6) = (opaqueMap { $0 &+ 4 }, opaqueMap { $0 &+ 5 }, opaqueMap { $0 &+ 6 })
        let (map7, map8, map9) = (opaqueMap { $0 &+ 7 }, opaqueMap { $0 &+ 8 }, opaqueMap { $0 &+ 9 })
        let map10 = opaqueMap { $0 &+ 10 }
        let observe = observer()
        for value in 0..<events {
            let five = map5(map4(map3(map2(map1(value)))))
            observe(map10(map9(map8(map7(map6(five))))))
        }
    }
}
