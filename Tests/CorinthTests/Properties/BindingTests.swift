import Corinth
import CorinthTesting
import Testing

struct BindingTests {
    @Test func signalToProperty() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = MutableProperty(0)
        property <~ signal
        #expect(property.value == 0)
        input.send(value: 1)
        #expect(property.value == 1)
    }

    @Test func producerToProperty() {
        let property = MutableProperty(0)
        property <~ SignalProducer<Int, Never>([1, 2, 3])
        #expect(property.value == 3)
    }

    @Test func propertyToProperty() {
        let source = MutableProperty(1)
        let target = MutableProperty(0)
        target <~ source
        #expect(target.value == 1)
        source.value = 2
        #expect(target.value == 2)
    }

    @Test func valuesToOptionalTarget() {
        let source = MutableProperty(1)
        let target = MutableProperty<Int?>(nil)
        target <~ source
        #expect(target.value == 1)
        target <~ SignalProducer<Int, Never>(value: 5)
        #expect(target.value == 5)
    }

    @Test func targetThatMayBeNil() {
        let target: MutableProperty<Int>? = MutableProperty(0)
        target <~ SignalProducer<Int, Never>(value: 1)
        #expect(target?.value == 1)
        let none: MutableProperty<Int>? = nil
        let started = Holder(0)
        let disposable =
            none
            <~ SignalProducer<Int, Never> { _, _ in started.held += 1 }
        #expect(started.held == 0)
        #expect(disposable?.isDisposed != false)
    }

    @Test func `B1: its disposable ends the binding`() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = MutableProperty(0)
        let disposable = property <~ signal
        input.send(value: 1)
        disposable?.dispose()
        input.send(value: 2)
        #expect(property.value == 1)
    }

    /// The source is cancelled.
    @Test func `B1: the target's deallocation ends the binding, which doesn't keep the target alive`() {
        var property: MutableProperty<Int>? = MutableProperty(0)
        weak let weakProperty = property
        let cancelled = Holder(0)
        let disposable =
            property
            <~ SignalProducer<Int, Never> { observer, lifetime in
                observer.send(value: 1)
                lifetime.observeEnded {
                    cancelled.held += 1
                    observer.sendInterrupted()
                }
            }
        #expect(property?.value == 1)
        property = nil
        #expect(weakProperty == nil)
        #expect(cancelled.held == 1)
        #expect(disposable?.isDisposed == true)
    }

    @Test func `B1: the source's end ends the binding`() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = MutableProperty(0)
        let disposable = property <~ signal
        input.send(value: 1)
        input.sendCompleted()
        #expect(disposable?.isDisposed == true)
        property.value = 2
        #expect(property.value == 2)
    }

    @Test func `R4: two properties can be bound to each other`() {
        let a = MutableProperty(0)
        let b = MutableProperty(0)
        let changes = EventRecorder<Int, Never>()
        let fromB = a <~ b.producer.filter { $0 != a.value }
        let fromA = b <~ a.producer.filter { $0 != b.value }
        a.signal.observe(changes.observer)
        a.value = 1
        #expect(b.value == 1)
        b.value = 2
        #expect(a.value == 2)
        #expect(changes.values == [1, 2])
        fromA?.dispose()
        fromB?.dispose()
    }

    @Test func targetOnAScheduler() {
        let scheduler = StepScheduler()
        let values = EventRecorder<Int, Never>()
        let (lifetime, token) = Lifetime.make()
        let target = BindingTarget<Int>(on: scheduler, lifetime: lifetime) { values.observer.send(value: $0) }
        target <~ SignalProducer<Int, Never>(value: 1)
        #expect(values.values == [])
        scheduler.run()
        #expect(values.values == [1])
        token.dispose()
    }

    @Test func targetOfAKeyPath() {
        final class Model: @unchecked Sendable {  // Used by one thread.
            var count = 0
        }
        let (lifetime, token) = Lifetime.make()
        var model: Model? = Model()
        let target = BindingTarget(lifetime: lifetime, object: model.sure, keyPath: \.count)
        let (signal, input) = Signal<Int, Never>.pipe()
        let disposable = target <~ signal
        input.send(value: 1)
        #expect(model?.count == 1)
        model = nil
        input.send(value: 2)
        #expect(disposable?.isDisposed == false)
        token.dispose()
        #expect(disposable?.isDisposed == true)
    }

    @Test func targetWhoseLifetimeHasEnded() {
        let values = EventRecorder<Int, Never>()
        BindingTarget<Int>(lifetime: .empty) { values.observer.send(value: $0) } <~ MutableProperty(1)
        #expect(values.values == [])
    }

    @Test func observerAsTarget() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let recorder = EventRecorder<Int, TestError>()
        signal.observe(recorder.observer)
        input <~ SignalProducer<Int, Never>([1, 2])
        #expect(recorder.events == [.value(1), .value(2)])
    }

    @Test func precedence() {
        let property = MutableProperty(0)
        let source = MutableProperty(1)
        let disposable = property <~ source.producer.map { $0 * 2 }
        #expect(property.value == 2)
        disposable?.dispose()
    }
}
