@testable import Corinth
import CorinthTesting
import Testing

struct ValidatingPropertyTests {
    private typealias Validated = ValidatingProperty<Int, TestError>

    /// Accepts values above 0, replaces values above 100 with 100, and refuses the rest.
    private static func judge(_ value: Int) -> Validated.Decision {
        switch value {
        case ...0: .invalid(.first)
        case 101...: .coerced(100, .second)
        default: .valid
        }
    }

    private static func text(_ result: Validated.Result) -> String {
        switch result {
        case .valid(let value): "valid \(value)"
        case .coerced(let replacement, let proposed, let error):
            "\(proposed) coerced to \(replacement)\(error.map { ", \($0)" } ?? "")"
        case .invalid(let value, let error): "invalid \(value), \(error)"
        }
    }

    @Test func firstValueIsTakenAndValidated() {
        let valid = Validated(1, Self.judge)
        #expect(valid.value == 1)
        #expect(Self.text(valid.result.value) == "valid 1")
        let invalid = Validated(-1, Self.judge)
        #expect(invalid.value == -1)
        #expect(Self.text(invalid.result.value) == "invalid -1, first")
    }

    @Test func proposals() {
        let inner = MutableProperty(1)
        let property = Validated(inner, Self.judge)
        let values = EventRecorder<Int, Never>()
        let results = EventRecorder<String, Never>()
        property.signal.observe(values.observer)
        property.result.signal.map(Self.text).observe(results.observer)
        property.value = 2
        property.value = -1
        #expect(property.value == 2)
        #expect(property.result.value.isInvalid)
        property.value = 200
        #expect(property.value == 100)
        #expect(inner.value == 100)
        #expect(values.values == [2, 100])
        #expect(results.values == ["valid 2", "invalid -1, first", "200 coerced to 100, second"])
    }

    @Test func `A thread that has set the inner property waits for permits as before`() {
        let inner = MutableProperty(1)
        let property = Validated(inner, Self.judge)
        #expect(ThreadState.current.ownsNone)
        inner.value = -1
        #expect(property.result.value.isInvalid)
        #expect(ThreadState.current.ownsNone)
    }

    @Test func partsOfResults() {
        let property = Validated(1, Self.judge)
        #expect(property.result.value.value == 1)
        #expect(property.result.value.error == nil)
        property.value = 0
        #expect(property.result.value.value == nil)
        #expect(property.result.value.error == .first)
        property.value = 101
        #expect(property.result.value.value == 100)
        // As in ReactiveSwift: the value was accepted.
        #expect(property.result.value.error == nil)
        #expect(!property.result.value.isInvalid)
    }

    /// The validation result is delivered before the value.
    @Test func order() {
        let property = Validated(1, Self.judge)
        let log = Holder([String]())
        property.signal.observeValues { log.held.append("value \($0)") }
        property.result.signal.observeValues { log.held.append(Self.text($0)) }
        property.value = 2
        property.value = 0
        #expect(log.held == ["valid 2", "value 2", "invalid 0, first"])
    }

    @Test func innerPropertyThatIsSetDirectly() {
        let inner = MutableProperty(1)
        let property = Validated(inner, Self.judge)
        let results = EventRecorder<String, Never>()
        property.result.signal.map(Self.text).observe(results.observer)
        inner.value = 5
        #expect(Self.text(property.result.value) == "valid 5")
        inner.value = -5
        #expect(property.value == -5)
        #expect(Self.text(property.result.value) == "invalid -5, first")
        inner.value = 500
        #expect(property.value == 500)
        property.value = 6
        #expect(
            results.values == ["valid 5", "invalid -5, first", "500 coerced to 100, second", "valid 6"])
    }

    @Test func onTopOfAnotherOne() {
        let other = MutableProperty(10)
        let property = ValidatingProperty<Int, TestError>(1, with: other) { $0 < $1 ? .valid : .invalid(.first) }
        let results = EventRecorder<String, Never>()
        property.result.signal.map(Self.text).observe(results.observer)
        property.value = 20
        #expect(property.value == 1)
        other.value = 30
        #expect(property.value == 20)
        other.value = 15
        #expect(property.value == 20)
        #expect(results.values == ["invalid 20, first", "valid 20", "invalid 20, first"])
    }

    @Test func otherIsNotKept() {
        var other: MutableProperty<Int>? = MutableProperty(10)
        weak let weakOther = other
        let property = ValidatingProperty<Int, TestError>(MutableProperty(1), with: other.sure) {
            $0 < $1 ? .valid : .invalid(.first)
        }
        other = nil
        #expect(weakOther == nil)
        property.value = 5
        property.value = 11
        #expect(property.value == 5)
    }

    @Test func onTopOfAnotherValidatingOne() {
        let other = Validated(1, Self.judge)
        let property = ValidatingProperty<Int, TestError>(1, with: other) { $0 == $1 ? .valid : .invalid(.second) }
        #expect(!property.result.value.isInvalid)
        other.value = -7
        #expect(property.result.value.isInvalid)
        property.value = -7
        #expect(property.value == -7)
        other.value = 3
        #expect(Self.text(property.result.value) == "invalid -7, second")
        let same = ValidatingProperty<Int, TestError>(MutableProperty(3), with: other) {
            $0 == $1 ? .valid : .invalid(.second)
        }
        #expect(!same.result.value.isInvalid)
    }

    @Test func `R1, R4: the property is set inside its own observers`() {
        let property = Validated(1, Self.judge)
        let values = EventRecorder<Int, Never>()
        let results = EventRecorder<String, Never>()
        let ofResults = property.result.signal.observeValues { result in
            if result.isInvalid {
                property.value = 7
                #expect(property.value == 7)
                #expect(Self.text(property.result.value) == "valid 7")
            }
        }
        let ofValues = property.signal.observeValues { if $0 == 7 { property.value = 8 } }
        property.signal.observe(values.observer)
        property.result.signal.map(Self.text).observe(results.observer)
        property.value = 0
        #expect(values.values == [7, 8])
        #expect(results.values == ["invalid 0, first", "valid 7", "valid 8"])
        ofResults?.dispose()
        ofValues?.dispose()
    }

    @Test func lifetimes() {
        let inner = MutableProperty(1)
        let leaks = LeakCounter()
        var result: Property<Validated.Result>?
        do {
            let token = leaks.token()
            let property = Validated(inner) { value in
                token.touch()
                return Self.judge(value)
            }
            result = property.result
        }
        // The results are a view: they continue as long as they and their source are referenced.
        inner.value = -2
        #expect(result?.value.isInvalid == true)
        #expect(leaks.count == 1)
        result = nil
        #expect(leaks.count == 0)
        inner.value = 3
    }

    @Test func completesWithTheInnerProperty() {
        let values = EventRecorder<Int, Never>()
        let results = EventRecorder<Validated.Result, Never>()
        var property: Validated? = Validated(1, Self.judge)
        let lifetime = property?.lifetime
        property?.producer.start(values.observer)
        property?.result.signal.observe(results.observer)
        property = nil
        #expect(values.events == [.value(1), .completed])
        #expect(results.termination?.isCompleted == true)
        #expect(lifetime?.hasEnded == true)
    }

    @Test func asBindingTarget() {
        let property = Validated(1, Self.judge)
        let source = MutableProperty(-5)
        property <~ source
        #expect(property.value == 1)
        source.value = 5
        #expect(property.value == 5)
    }

    /// A user's property type that wraps a property of this library.
    private final class Wrapper: ComposableMutablePropertyProtocol {
        let inner = MutableProperty(1)
        var value: Int {
            get { inner.value }
            set { inner.value = newValue }
        }
        var producer: SignalProducer<Int, Never> { inner.producer }
        var signal: Signal<Int, Never> { inner.signal }
        var lifetime: Lifetime { inner.lifetime }
        func withValue<R>(_ action: (Int) throws -> R) rethrows -> R { try inner.withValue(action) }
        func modify<R>(_ action: (inout Int) throws -> R) rethrows -> R { try inner.modify(action) }
    }

    @Test func foreignInnerProperty() {
        let inner = Wrapper()
        let property = Validated(inner, Self.judge)
        let results = EventRecorder<String, Never>()
        property.result.signal.map(Self.text).observe(results.observer)
        property.value = 2
        property.value = 0
        property.value = 200
        inner.value = 9
        #expect(property.value == 9)
        #expect(results.values == ["valid 2", "invalid 0, first", "200 coerced to 100, second", "valid 9"])
    }
}
