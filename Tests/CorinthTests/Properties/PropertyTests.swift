import Corinth
import CorinthTesting
import Testing

struct PropertyTests {
    // MARK: Constant

    @Test func constant() {
        let property = Property(value: 1)
        let values = EventRecorder<Int, Never>()
        let changes = EventRecorder<Int, Never>()
        property.producer.start(values.observer)
        property.signal.observe(changes.observer)
        #expect(property.value == 1)
        #expect(values.events == [.value(1), .completed])
        #expect(changes.events == [.interrupted])
    }

    // MARK: Views

    @Test func viewDoesNotKeepItsSource() {
        var source: MutableProperty<Int>? = MutableProperty(0)
        weak let weakSource = source
        let view = Property(source.sure)
        let recorder = EventRecorder<Int, Never>()
        view.producer.start(recorder.observer)
        source?.value = 1
        #expect(view.value == 1)
        source = nil
        #expect(weakSource == nil)
        #expect(recorder.events == [.value(0), .value(1), .completed])
        #expect(view.value == 1)
    }

    @Test func capturingViewKeepsItsSource() {
        var source: MutableProperty<Int>? = MutableProperty(0)
        weak let weakSource = source
        var view: Property<Int>? = Property(capturing: source.sure)
        let recorder = EventRecorder<Int, Never>()
        view?.signal.observe(recorder.observer)
        source?.value = 1
        source = nil
        #expect(weakSource != nil)
        #expect(view?.value == 1)
        view = nil
        #expect(weakSource == nil)
        #expect(recorder.events == [.value(1), .completed])
    }

    /// Its observers don't need it to stay alive.
    @Test func `R2: a composed property is a view`() {
        let source = MutableProperty(0)
        let values = EventRecorder<Int, Never>()
        let changes = EventRecorder<Int, Never>()
        var view: Property<Int>? = source.map { $0 * 10 }
        let producer = view?.producer
        view?.signal.observe(changes.observer)
        view = nil
        source.value = 1
        producer?.start(values.observer)
        source.value = 2
        #expect(values.values == [10, 20])
        #expect(changes.events == [.value(10), .value(20)])
    }

    /// A view stops observing its source when it can't be read or observed any more.
    @Test func unusedViewReleasesItsSource() {
        let source = MutableProperty(0)
        let leaks = LeakCounter()
        let make = { (token: LeakCounter.Token) in
            source.map { value -> Int in
                token.touch()
                return value
            }
        }
        do {
            let view = make(leaks.token())
            #expect(view.value == 0)
            #expect(leaks.count == 1)
        }
        #expect(leaks.count == 0)
        let disposable = make(leaks.token()).producer.startWithValues { _ in }
        #expect(leaks.count == 1)
        disposable.dispose()
        #expect(leaks.count == 0)
        let observation = make(leaks.token()).signal.observeValues { _ in }
        #expect(leaks.count == 1)
        observation?.dispose()
        #expect(leaks.count == 0)
    }

    @Test func chainsOfViews() {
        var source: MutableProperty<Int>? = MutableProperty(1)
        var view = source.sure.map { $0 }
        for _ in 0..<50 { view = view.map { $0 + 1 } }
        let recorder = EventRecorder<Int, Never>()
        view.producer.start(recorder.observer)
        source?.value = 2
        source = nil
        #expect(recorder.events == [.value(51), .value(52), .completed])
        #expect(view.value == 52)
    }

    @Test func viewMadeInsideAnObserverOfItsSource() {
        let source = MutableProperty(0)
        let recorder = EventRecorder<Int, Never>()
        let views = Holder([Property<Int>]())
        source.signal.take(first: 1).observeValues { _ in
            let view = source.map { $0 * 10 }
            #expect(view.value == 10)
            view.producer.start(recorder.observer)
            views.held.append(view)
        }
        source.value = 1
        source.value = 2
        #expect(recorder.values == [10, 20])
    }

    // MARK: Of streams

    @Test func initialThenProducer() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = Property(initial: 0, then: SignalProducer(signal))
        let recorder = EventRecorder<Int, Never>()
        property.producer.start(recorder.observer)
        #expect(property.value == 0)
        input.send(value: 1)
        #expect(property.value == 1)
        input.sendCompleted()
        #expect(recorder.events == [.value(0), .value(1), .completed])
        #expect(property.value == 1)
    }

    @Test func initialThenSignalThatIsInterrupted() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = Property(initial: 0, then: signal)
        let recorder = EventRecorder<Int, Never>()
        property.signal.observe(recorder.observer)
        input.send(value: 1)
        input.sendInterrupted()
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test func initialThenProducerThatSendsAtOnce() {
        let property = Property(initial: 0, then: SignalProducer<Int, Never>([1, 2]))
        let recorder = EventRecorder<Int, Never>()
        property.producer.start(recorder.observer)
        #expect(property.value == 2)
        #expect(recorder.events == [.value(2), .completed])
    }

    @Test func streamIsCancelledWithItsProperty() {
        let cancelled = Holder(0)
        var property: Property<Int>? = Property(
            initial: 0,
            then: SignalProducer<Int, Never> { _, lifetime in lifetime.observeEnded { cancelled.held += 1 } })
        #expect(property?.value == 0)
        property = nil
        #expect(cancelled.held == 1)
    }

    // MARK: Operators

    @Test func map() {
        let source = MutableProperty("a")
        #expect(source.map(\.count).value == 1)
        #expect(source.map(value: 5).value == 5)
        let upper = source.map { $0.uppercased() }
        source.value = "bc"
        #expect(upper.value == "BC")
    }

    /// A trailing closure is the transform, not the value of `map(value:)`, also if its type has to be inferred.
    @Test func mapInfers() {
        let source = MutableProperty(20.0)
        #expect(source.map { $0 * 9 / 5 + 32 }.value == 68)
        #expect(source.zip(with: source).map { $0 + $1 }.value == 40)
    }

    @Test func filter() {
        let source = MutableProperty(1)
        let even = source.filter(initial: 0) { $0.isMultiple(of: 2) }
        let recorder = EventRecorder<Int, Never>()
        even.producer.start(recorder.observer)
        for value in 2...5 { source.value = value }
        #expect(recorder.values == [0, 2, 4])
        #expect(source.filter(initial: 0) { $0 > 4 }.value == 5)
    }

    @Test func combinePrevious() {
        let source = MutableProperty(1)
        let pairs = source.combinePrevious(0)
        #expect(pairs.value == (0, 1))
        source.value = 2
        #expect(pairs.value == (1, 2))
    }

    @Test func combineLatest() {
        var a: MutableProperty<Int>? = MutableProperty(1)
        var b: MutableProperty<String>? = MutableProperty("a")
        let both = a.sure.combineLatest(with: b.sure)
        let recorder = EventRecorder<String, Never>()
        both.producer.map { "\($0)\($1)" }.start(recorder.observer)
        a?.value = 2
        b?.value = "b"
        a = nil
        b?.value = "c"
        #expect(recorder.termination == nil)
        b = nil
        #expect(recorder.events == [.value("1a"), .value("2a"), .value("2b"), .value("2c"), .completed])
        #expect(both.value == (2, "c"))
    }

    @Test func zip() {
        var a: MutableProperty<Int>? = MutableProperty(1)
        let b = MutableProperty("a")
        let both = a.sure.zip(with: b)
        let recorder = EventRecorder<String, Never>()
        both.producer.map { "\($0)\($1)" }.start(recorder.observer)
        a?.value = 2
        a?.value = 3
        #expect(both.value == (1, "a"))
        b.value = "b"
        #expect(both.value == (2, "b"))
        a = nil
        b.value = "c"
        #expect(recorder.events == [.value("1a"), .value("2b"), .value("3c"), .completed])
    }

    @Test func manyAtOnce() {
        let p = MutableProperty(1)
        let ten = Property.combineLatest(p, p, p, p, p, p, p, p, p, p)
        let three = Property.zip(p, p, p)
        #expect(ten.value.0 == 1)
        p.value = 2
        #expect(ten.value.9 == 2)
        #expect(three.value.2 == 2)
    }

    @Test func sequences() {
        let properties = [MutableProperty(1), MutableProperty(2)]
        let latest = Property<Int>.combineLatest(properties)
        let zipped = Property<Int>.zip(properties, emptySentinel: [])
        properties[0].value = 3
        #expect(latest?.value == [3, 2])
        #expect(zipped.value == [1, 2])
        properties[1].value = 4
        #expect(latest?.value == [3, 4])
        #expect(zipped.value == [3, 4])
        #expect(Property<Int>.combineLatest([MutableProperty<Int>]()) == nil)
        #expect(Property<Int>.combineLatest([MutableProperty<Int>](), emptySentinel: [9]).value == [9])
        #expect(Property<Int>.zip([MutableProperty<Int>]()) == nil)
    }

    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func logic(left: Bool, right: Bool) {
        let a = MutableProperty(left)
        let b = MutableProperty(right)
        #expect(a.and(b).value == (left && right))
        #expect(a.or(b).value == (left || right))
        #expect(a.negate().value == !left)
        #expect(Property.all([a, b]).value == (left && right))
        #expect(Property.any(a, b).value == (left || right))
        let all = Property.all(a, b)
        let any = Property.any([a, b])
        a.value.toggle()
        #expect(all.value == (!left && right))
        #expect(any.value == (!left || right))
    }

    @Test func logicOfNone() {
        #expect(Property.all([Property<Bool>]()).value)
        #expect(!Property.any([Property<Bool>]()).value)
    }

    @Test func skipRepeats() {
        let source = MutableProperty(1)
        let recorder = EventRecorder<Int, Never>()
        let parities = EventRecorder<Int, Never>()
        source.skipRepeats().producer.start(recorder.observer)
        source.skipRepeats { $0 % 2 == $1 % 2 }.producer.start(parities.observer)
        for value in [1, 2, 2, 4, 1] { source.value = value }
        #expect(recorder.values == [1, 2, 4, 1])
        #expect(parities.values == [1, 2, 1])
    }

    @Test func uniqueValues() {
        let source = MutableProperty(1)
        let recorder = EventRecorder<Int, Never>()
        let parities = EventRecorder<Int, Never>()
        source.uniqueValues().producer.start(recorder.observer)
        source.uniqueValues { $0 % 2 }.producer.start(parities.observer)
        for value in [1, 2, 1, 3, 2] { source.value = value }
        #expect(recorder.values == [1, 2, 3])
        #expect(parities.values == [1, 2])
    }

    @Test func flattenLatest() {
        let first = MutableProperty(1)
        let second = MutableProperty(10)
        let outer = MutableProperty(first)
        let flat = outer.flatten(.latest)
        let recorder = EventRecorder<Int, Never>()
        flat.producer.start(recorder.observer)
        first.value = 2
        outer.value = second
        first.value = 3
        second.value = 11
        #expect(flat.value == 11)
        #expect(recorder.values == [1, 2, 10, 11])
    }

    @Test func flatMapLatestAndMerge() {
        let source = MutableProperty(1)
        let others = [MutableProperty("a"), MutableProperty("b"), MutableProperty("c")]
        let latest = source.flatMap(.latest) { others[$0] }
        let merged = source.flatMap(.merge) { others[$0] }
        #expect(latest.value == "b")
        source.value = 2
        others[1].value = "B"
        #expect(latest.value == "c")
        #expect(merged.value == "B")
    }

    @Test func initialThenProducerOfUnwrappedValues() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let property = Property<Int?>(initial: nil, then: SignalProducer(signal))
        let other = Property<Int?>(initial: nil, then: signal)
        #expect(property.value == nil)
        input.send(value: 1)
        #expect(property.value == 1)
        #expect(other.value == 1)
    }

    @Test func propertyWrapper() {
        struct Model {
            @Property var count: Int
        }
        let source = MutableProperty(1)
        let model = Model(count: Property(source))
        source.value = 2
        #expect(model.count == 2)
        #expect(model.$count.value == 2)
    }
}

/// Compares the elements, because tuples aren't Equatable.
private func == <A: Equatable, B: Equatable>(left: (A, B)?, right: (A, B)) -> Bool {
    left.map { $0.0 == right.0 && $0.1 == right.1 } ?? false
}
