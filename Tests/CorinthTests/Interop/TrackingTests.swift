// Not `@testable`: the library has an internal class `Observation`, which hides the module of that name from the macro.
import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Observation
import Testing

/// Expressions over observable models, and properties that are tracked.
struct TrackingTests {
    @Observable
    final class Model: @unchecked Sendable {  // Used by one thread, or by one scheduler.
        var name = "Ada"
        var age = 36
        var other = 0
    }

    /// A model whose changes a scheduler makes.
    private struct Home: @unchecked Sendable {  // The scheduler alone accesses the model.
        let scheduler = StepScheduler()
        let model = Model()
    }

    @Test func `The current value, then one value for the changes of a turn; none lost, none doubled`() {
        let home = Home()
        let recorder = EventRecorder<String, Never>()
        let producer = SignalProducer.tracking(on: home.scheduler) { "\(home.model.name) \(home.model.age)" }
        let start = producer.start(recorder.observer)
        #expect(recorder.events.isEmpty)
        home.scheduler.run()
        #expect(recorder.values == ["Ada 36"])
        home.model.name = "Grace"
        home.model.age = 45
        home.model.age = 46
        #expect(recorder.values.count == 1 && home.scheduler.count == 1)
        home.scheduler.run()
        #expect(recorder.values == ["Ada 36", "Grace 46"])
        home.model.other = 1
        #expect(home.scheduler.count == 0)
        for age in 47...50 {
            home.model.age = age
            home.scheduler.run()
        }
        #expect(recorder.values.suffix(4) == ["Grace 47", "Grace 48", "Grace 49", "Grace 50"])
        start.dispose()
        #expect(recorder.events.last == .interrupted)
        home.model.age = 0
        home.scheduler.run()
        #expect(recorder.values.count == 6)
    }

    @Test func `What is read may change from one evaluation to the next`() {
        let home = Home()
        let recorder = EventRecorder<Int, Never>()
        let start = SignalProducer.tracking(on: home.scheduler) {
            home.model.name == "Ada" ? home.model.age : home.model.other
        }.start(recorder.observer)
        home.scheduler.run()
        home.model.name = "Grace"
        home.scheduler.run()
        home.model.age = 1
        #expect(home.scheduler.count == 0)
        home.model.other = 2
        home.scheduler.run()
        #expect(recorder.values == [36, 0, 2])
        start.dispose()
        home.scheduler.run()
    }

    @Test func `A change made by an observer isn't lost`() {
        let home = Home()
        let seen = Atomic<[Int]>([])
        let start = SignalProducer.tracking(home.model, \.age, on: home.scheduler).startWithValues { age in
            seen.modify { $0.append(age) }
            if age < 40 { home.model.age += 1 }
        }
        home.scheduler.run()
        #expect(seen.value == [36, 37, 38, 39, 40])
        start.dispose()
        home.scheduler.run()
    }

    @Test func `A disposed start releases what the expression captures, although the model is never changed again`() {
        let leaks = LeakCounter()
        let home = Home()
        do {
            let token = leaks.token()
            let start = SignalProducer.tracking(on: home.scheduler) { () -> Int in
                token.touch()
                return home.model.age
            }.startWithValues { _ in }
            home.scheduler.run()
            start.dispose()
        }
        #expect(leaks.count == 0)
    }

    @Test @MainActor func onTheMainActor() async {
        let model = Model()
        let seen = Atomic<[Int]>([])
        let start = SignalProducer.tracking(on: MainActor.self) { model.age }
            .startWithValues { age in seen.modify { $0.append(age) } }
        #expect(seen.value == [36])
        model.age = 37
        model.age = 38
        #expect(seen.value == [36])
        let end = ContinuousClock.now + .seconds(60)
        while seen.value.count < 2, ContinuousClock.now < end { await Task.yield() }
        #expect(seen.value == [36, 38])
        start.dispose()
    }

    @Test @MainActor func property() async {
        let model = Model()
        let isAdult = Property.tracking { model.age >= 18 }
        #expect(isAdult.value)
        model.age = 7
        let end = ContinuousClock.now + .seconds(60)
        while isAdult.value, ContinuousClock.now < end { await Task.yield() }
        #expect(!isAdult.value)
    }

    /// ``RefusedArgumentTests`` tries them.
    static let refused: [Refusal] = [
        Refusal("scheduler runs actions on an ImmediateScheduler") {
            _ = SignalProducer<Int, Never>.tracking(on: ImmediateScheduler()) { 1 }
        },
        Refusal("scheduler runs actions on an ImmediateScheduler") {
            let scheduler = ClockScheduler(ContinuousClock(), on: ImmediateScheduler())
            _ = SignalProducer<Int, Never>.tracking(on: scheduler) { 1 }
        },
    ]

    @Test @MainActor func `On a clock whose actions run inside a change on the main actor, no change is lost`() async {
        let model = Model()
        let seen = Atomic<[Int]>([])
        let scheduler = ClockScheduler(ContinuousClock(), on: UIScheduler())
        let start = SignalProducer.tracking(model, \.age, on: scheduler)
            .startWithValues { age in seen.modify { $0.append(age) } }
        #expect(seen.value == [36])
        for age in 37...39 {
            model.age = age
            let end = ContinuousClock.now + .seconds(60)
            while seen.value.last != age, ContinuousClock.now < end { await Task.yield() }
        }
        #expect(seen.value == [36, 37, 38, 39])
        start.dispose()
    }

    @Test func `Models on a queue: the last change arrives`() async {
        let scheduler = QueueScheduler(name: "models")
        let home = Home()
        let last = Atomic(0)
        let start = SignalProducer.tracking(home.model, \.age, on: scheduler).startWithValues { last.value = $0 }
        for age in 1...2_000 { scheduler.schedule { home.model.age = age } }
        #expect(await Stress.eventually { last.value == 2_000 })
        start.dispose()
    }

    @Test func `A binding sets a key path of a model`() {
        let model = Model()
        let name = MutableProperty("Grace")
        let target = BindingTarget(lifetime: Lifetime.make().lifetime, object: model, keyPath: \Model.name)
        _ = target
        let (lifetime, token) = Lifetime.make()
        BindingTarget(lifetime: lifetime, object: model, keyPath: \.name) <~ name
        #expect(model.name == "Grace")
        name.value = "Hedy"
        #expect(model.name == "Hedy")
        token.dispose()
    }

    // MARK: The way back

    @Test func `Reading a tracked property is noticed, and each change is announced`() {
        let scheduler = StepScheduler()
        let property = MutableProperty(1)
        let tracked = property.tracked(on: scheduler)
        let changes = Counter()
        var seen: [Int] = []
        func read() {
            withObservationTracking {
                seen.append(tracked.value)
            } onChange: {
                changes.increment()
            }
        }
        read()
        property.value = 2
        property.value = 3
        scheduler.run()
        #expect(changes.value == 1)
        // The value is there when the change is announced.
        read()
        #expect(seen == [1, 3])
        property.value = 4
        scheduler.run()
        #expect(changes.value == 2)
        property.value = 5
        scheduler.run()
        #expect(changes.value == 2)
    }

    @Test func `There and back`() {
        let scheduler = StepScheduler()
        let property = MutableProperty(1)
        let tracked = property.tracked(on: scheduler)
        let recorder = EventRecorder<Int, Never>()
        let start = SignalProducer.tracking(on: scheduler) { tracked.value * 2 }.start(recorder.observer)
        scheduler.run()
        for value in 2...4 {
            property.value = value
            scheduler.run()
        }
        #expect(recorder.values == [2, 4, 6, 8])
        start.dispose()
        scheduler.run()
    }

    @Test func releasesTheProperty() {
        let leaks = LeakCounter()
        do {
            let property = MutableProperty(leaks.token())
            let tracked = property.tracked(on: StepScheduler())
            tracked.value.touch()
        }
        #expect(leaks.count == 0)
    }
}
