import Corinth
import CorinthTesting
import Testing

/// Law B2.
@Suite("Bound properties")
struct BoundPropertiesTests {
    @Test(arguments: 0..<400)
    func `B2: bound properties are equal and hold the last assignment, whatever observers assign`(seed: Int) {
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

    @Test func `B2: an observer of one side corrects the other side`() {
        let (model, field) = (MutableProperty(0), MutableProperty(0))
        // Before the bindings, so that it corrects before they hand the value on.
        field.signal.observeValues { if $0 > 100 { model.value = 100 } }
        model <~ field.producer.skipRepeats()
        field <~ model.producer.skipRepeats()
        field.value = 500
        #expect(model.value == 100)
        #expect(field.value == 100)
    }

    @Test func `B2: what a program sends into a signal is an assignment, also in a bound property's observer`() {
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

    @Test func `B2: a property that follows nothing is assigned in a bound property's observer`() {
        let (source, model, field) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        model <~ field
        field <~ model
        field <~ source.map { $0 }
        model.signal.observeValues { if $0 > 100 { source.value = 100 } }
        model.value = 500
        #expect(model.value == 100)
        #expect(field.value == 100)
    }

    @Test func `B2: all values that a source sends for one change arrive`() {
        let (source, target) = (MutableProperty(0), MutableProperty(0))
        let received = Atomic<[Int]>([])
        source <~ Signal<Int, Never>.never
        target.signal.observeValues { value in received.modify { $0.append(value) } }
        target <~ source.signal.flatMap(.merge) { SignalProducer<Int, Never>([$0, $0 + 1, $0 + 2]) }
        source.value = 5
        #expect(received.value == [5, 6, 7])
    }

    @Test func `B2: a validating property in a circle proposes each assignment once`() {
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
