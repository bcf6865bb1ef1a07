import Corinth
import CorinthTesting

/// Properties that are bound to each other at random, so that each one follows every other one.
struct BoundProperties {
    let all: [MutableProperty<Int>]

    /// What observers assign to the property of an index when another one gets a certain value.
    struct Correction {
        let observed: Int
        let assigned: Int
        let from: Int
        let to: Int
    }

    /// The values in the order of their assignments, as far as one thread makes them.
    let assigned = Atomic<[Int]>([])

    /// How often values have been delivered.
    let delivered = Atomic(0)

    /// How many corrections have been assigned.
    let corrected = Atomic(0)

    init(count: Int, corrections: [Correction] = [], observedFirst: Bool, using generator: inout SeededGenerator) {
        all = (0..<count).map { _ in MutableProperty(0) }
        if observedFirst { observe(corrections) }
        for index in all.indices {
            // A ring, and some more.
            bind(all[(index + 1) % count], to: all[index], using: &generator)
            if Bool.random(using: &generator) {
                let other = Int.random(in: 0..<count, using: &generator)
                if other != index { bind(all[other], to: all[index], using: &generator) }
            }
        }
        if !observedFirst { observe(corrections) }
        assigned.value = []
    }

    private func bind(
        _ target: MutableProperty<Int>, to source: MutableProperty<Int>, using generator: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: target <~ source.map { $0 }
        case 1: target <~ source.signal
        case 2: target <~ source.signal.map { $0 }
        case 3: target <~ source.producer.skipRepeats()
        case 4: target <~ source.producer.map { $0 }.filter { _ in true }
        case 5: target <~ source.producer.flatMap(.latest) { SignalProducer<Int, Never>(value: $0) }
        case 6: target <~ Property.combineLatest(source, Property(value: 1)).map { $0.0 }
        default: target <~ source
        }
    }

    private func observe(_ corrections: [Correction]) {
        let delivered = delivered
        for property in all {
            property.signal.observeValues { _ in
                let count = delivered.modify { count -> Int in
                    count += 1
                    return count
                }
                if count > 1_000_000 { fatalError("a change of bound properties goes round for ever") }
            }
        }
        for correction in corrections {
            let target = all[correction.assigned]
            // Weak: the properties would keep each other.
            all[correction.observed].signal.observeValues { [weak target, assigned, corrected] value in
                guard let target, value == correction.from else { return }
                assigned.modify { $0.append(correction.to) }
                target.value = correction.to
                corrected.modify { $0 += 1 }
            }
        }
    }

    func assign(_ value: Int, to property: MutableProperty<Int>) {
        assigned.modify { $0.append(value) }
        property.value = value
    }

    var values: [Int] { all.map(\.value) }
}
