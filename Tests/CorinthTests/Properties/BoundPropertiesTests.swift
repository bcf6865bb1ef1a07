import Corinth
import CorinthTesting
import Testing

/// Properties that are bound to each other at random, so that each one follows every other one.
struct BoundProperties {
    typealias Key = Int

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
            all[correction.observed].signal.observeValues { [all] value in
                guard value == correction.from else { return }
                assign(correction.to, to: all[correction.assigned])
            }
        }
    }

    func assign(_ value: Int, to property: MutableProperty<Int>) {
        assigned.modify { $0.append(value) }
        property.value = value
    }

    var values: [Int] { all.map(\.value) }
}

/// Law B2.
@Suite("Bound properties")
struct BoundPropertiesTests {
    @Test("B2: bound properties are equal and hold the last assignment, whatever observers assign", arguments: 0..<400)
    func lastAssignmentWins(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 2...5, using: &generator)
        let corrections = (0..<Int.random(in: 0...3, using: &generator)).map { index in
            BoundProperties.Correction(
                observed: .random(in: 0..<count, using: &generator),
                assigned: .random(in: 0..<count, using: &generator),
                from: .random(in: 1...3, using: &generator), to: 10 + index)
        }
        let bound = BoundProperties(
            count: count, corrections: corrections, observedFirst: .random(using: &generator), using: &generator)
        for _ in 0..<6 {
            let property = bound.all[.random(in: 0..<count, using: &generator)]
            bound.assign(.random(in: 1...5, using: &generator), to: property)
            let (values, assigned) = (bound.values, bound.assigned.value)
            #expect(values.allSatisfy { $0 == assigned.last }, "\(values), \(assigned)")
        }
    }

    @Test("B2: an observer of one side corrects the other side")
    func corrections() {
        let (model, field) = (MutableProperty(0), MutableProperty(0))
        // Before the bindings, so that it corrects before they hand the value on.
        field.signal.observeValues { if $0 > 100 { model.value = 100 } }
        model <~ field.producer.skipRepeats()
        field <~ model.producer.skipRepeats()
        field.value = 500
        #expect(model.value == 100)
        #expect(field.value == 100)
    }

    @Test("B2: what a program sends into a signal is an assignment, also in a bound property's observer")
    func signals() {
        let (model, field) = (MutableProperty(0), MutableProperty(0))
        let (edits, input) = Signal<Int, Never>.pipe()
        model <~ field
        field <~ model
        field <~ edits
        model.signal.observeValues { if $0 > 100 { input.send(value: 100) } }
        model.value = 500
        #expect(model.value == 100)
        #expect(field.value == 100)
    }

    @Test("B2: a property that follows nothing is assigned in a bound property's observer")
    func sources() {
        let (source, model, field) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        model <~ field
        field <~ model
        field <~ source.map { $0 }
        model.signal.observeValues { if $0 > 100 { source.value = 100 } }
        model.value = 500
        #expect(model.value == 100)
        #expect(field.value == 100)
    }

    @Test("B2: all values that a source sends for one change arrive")
    func severalValues() {
        let (source, target) = (MutableProperty(0), MutableProperty(0))
        let received = Atomic<[Int]>([])
        source <~ Signal<Int, Never>.never
        target.signal.observeValues { value in received.modify { $0.append(value) } }
        target <~ source.signal.flatMap(.merge) { SignalProducer<Int, Never>([$0, $0 + 1, $0 + 2]) }
        source.value = 5
        #expect(received.value == [5, 6, 7])
    }

    @Test("B2: a validating property in a circle proposes each assignment once")
    func validation() {
        let text = MutableProperty(0)
        let proposals = Atomic(0)
        let checked = ValidatingProperty<Int, TestError>(0) { value in
            proposals.modify { $0 += 1 }
            return value < 0 ? .coerced(0, nil) : .valid
        }
        checked <~ text
        text <~ checked
        proposals.value = 0
        text.value = 3
        #expect(checked.value == 3)
        checked.value = -1
        #expect(text.value == 0)
        #expect(checked.value == 0)
        #expect(proposals.value <= 4)
    }
}
