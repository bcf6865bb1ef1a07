import Corinth
import CorinthTesting
import Testing

struct MutablePropertyTests {
    @Test func startsWithItsInitialValue() {
        #expect(MutableProperty("initial").value == "initial")
    }

    /// The producer delivers the current value first. Both complete.
    @Test func `R2: the signal delivers every change`() {
        var property: MutableProperty<Int>? = MutableProperty(0)
        let changes = EventRecorder<Int, Never>()
        let values = EventRecorder<Int, Never>()
        property?.signal.observe(changes.observer)
        property?.producer.start(values.observer)
        #expect(changes.events == [])
        #expect(values.events == [.value(0)])
        property?.value = 1
        property?.value = 2
        let late = EventRecorder<Int, Never>()
        property?.producer.start(late.observer)
        property = nil
        #expect(changes.events == [.value(1), .value(2), .completed])
        #expect(values.events == [.value(0), .value(1), .value(2), .completed])
        #expect(late.events == [.value(2), .completed])
    }

    @Test func equalValuesAreChangesToo() {
        let property = MutableProperty(1)
        let recorder = EventRecorder<Int, Never>()
        property.signal.observe(recorder.observer)
        property.value = 1
        #expect(recorder.values == [1])
    }

    /// A producer doesn't keep the property alive, only the state that it needs.
    @Test func producerOfAPropertyThatIsGone() {
        var property: MutableProperty<Int>? = MutableProperty(0)
        let producer = property?.producer
        let signal = property?.signal
        property?.value = 7
        property = nil
        let recorder = EventRecorder<Int, Never>()
        producer?.start(recorder.observer)
        #expect(recorder.events == [.value(7), .completed])
        let changes = EventRecorder<Int, Never>()
        signal?.observe(changes.observer)
        #expect(changes.events == [.interrupted])
    }

    @Test func disposedStartsSeeNothingMore() {
        let property = MutableProperty(0)
        let recorder = EventRecorder<Int, Never>()
        let disposable = property.producer.start(recorder.observer)
        property.value = 1
        disposable.dispose()
        property.value = 2
        #expect(recorder.events == [.value(0), .value(1), .interrupted])
    }

    @Test func takeOfTheCurrentValue() {
        let property = MutableProperty(0)
        let recorder = EventRecorder<Int, Never>()
        property.producer.take(first: 1).start(recorder.observer)
        property.value = 1
        #expect(recorder.events == [.value(0), .completed])
    }

    @Test func swapReturnsTheOldValue() {
        let property = MutableProperty("a")
        let recorder = EventRecorder<String, Never>()
        property.signal.observe(recorder.observer)
        #expect(property.swap("b") == "a")
        #expect(property.value == "b")
        #expect(recorder.values == ["b"])
    }

    @Test func modifyIsOneChange() {
        let property = MutableProperty([1])
        let recorder = EventRecorder<[Int], Never>()
        property.signal.observe(recorder.observer)
        let count = property.modify { value in
            value.append(2)
            value.append(3)
            return value.count
        }
        #expect(count == 3)
        #expect(recorder.values == [[1, 2, 3]])
        #expect(property.withValue { $0.last } == 3)
    }

    @Test func modifyThatThrowsKeepsAndDeliversTheChange() {
        let property = MutableProperty(1)
        let recorder = EventRecorder<Int, Never>()
        property.signal.observe(recorder.observer)
        #expect(throws: TestError.self) {
            try property.modify { value in
                value = 2
                throw TestError.first
            }
        }
        #expect(property.value == 2)
        #expect(recorder.values == [2])
        property.value = 3
        #expect(recorder.values == [2, 3])
    }

    #if !NaiveLocks
        @Test func nestedModifyIsAMistake() async {
            await #expect(processExitsWith: .failure) {
                let property = MutableProperty(0)
                property.modify { _ in property.value = 1 }
            }
        }

        @Test func `R1: readers don't wait for a modification`() {
            let property = MutableProperty(1)
            property.modify { value in
                value = 2
                #expect(property.value == 1)
            }
            #expect(property.value == 2)
        }
    #endif

    @Test func `R1, R4: a change inside an observer is visible at once, and delivered after the change in progress`() {
        let property = MutableProperty(0)
        let first = EventRecorder<Int, Never>()
        let second = EventRecorder<Int, Never>()
        property.signal.observe(first.observer)
        let recursion = property.signal.observeValues { value in
            if value < 3 {
                property.value = value + 1
                #expect(property.value == value + 1)
            }
        }
        property.signal.observe(second.observer)
        property.value = 1
        #expect(first.values == [1, 2, 3])
        #expect(second.values == [1, 2, 3])
        #expect(property.value == 3)
        recursion?.dispose()
    }

    @Test func recursionThroughModifyAndSwap() {
        let property = MutableProperty([Int]())
        let recorder = EventRecorder<[Int], Never>()
        let recursion = property.signal.observeValues { value in
            if value.count == 1 { property.modify { $0.append(2) } }
            if value.count == 2 { property.swap([]) }
        }
        property.signal.observe(recorder.observer)
        property.value = [1]
        #expect(recorder.values == [[1], [1, 2], []])
        recursion?.dispose()
    }

    /// A start inside an observer receives the current value at once, and then only later changes.
    @Test func startFromInsideAnObserver() {
        let property = MutableProperty(0)
        let inner = EventRecorder<Int, Never>()
        property.signal.take(first: 1).observeValues { _ in
            property.value = 2
            property.producer.start(inner.observer)
            #expect(inner.values == [2])
            property.value = 3
        }
        property.value = 1
        #expect(inner.values == [2, 3])
        property.value = 4
        #expect(inner.values == [2, 3, 4])
    }

    /// A change inside the callback of the current value is delivered after it.
    @Test func setFromInsideAStart() {
        let property = MutableProperty(0)
        let recorder = EventRecorder<Int, Never>()
        let start = property.producer.start { event in
            if event.value == 0 { property.value = 1 }
            recorder.observer.send(event)
        }
        #expect(recorder.values == [0, 1])
        start.dispose()
    }

    @Test func disposalFromInsideAStart() {
        let property = MutableProperty(0)
        let recorder = EventRecorder<Int, Never>()
        let serial = SerialDisposable()
        serial.inner = property.producer.start { event in
            recorder.observer.send(event)
            if event.value == 1 { serial.dispose() }
        }
        property.value = 1
        property.value = 2
        #expect(recorder.events == [.value(0), .value(1), .interrupted])
    }

    @Test func lifetimeEndsWithTheProperty() {
        var property: MutableProperty<Int>? = MutableProperty(0)
        let lifetime = property?.lifetime
        #expect(lifetime?.hasEnded == false)
        property = nil
        #expect(lifetime?.hasEnded == true)
    }

    @Test func nothingIsLeaked() {
        let leaks = LeakCounter()
        do {
            let property = MutableProperty(leaks.token())
            property.producer.startWithValues { $0.touch() }
            property.signal.map { $0 }.observeValues { $0.touch() }
            property.value = leaks.token()
            #expect(leaks.count == 1)
            let disposable = property.producer.startWithValues { $0.touch() }
            disposable.dispose()
        }
        #expect(leaks.count == 0)
    }

    @Test func propertyWrapper() {
        struct Model {
            @MutableProperty var count = 1
        }
        let model = Model()
        let recorder = EventRecorder<Int, Never>()
        model.$count.producer.start(recorder.observer)
        model.count = 2
        #expect(model.count == 2)
        #expect(recorder.values == [1, 2])
    }

    /// Small values, large values, and values that contain references.
    @Test func valuesOfAllSizes() {
        let small = MutableProperty<UInt8>(1)
        small.value = 2
        #expect(small.value == 2)
        let optional = MutableProperty<Int?>(nil)
        optional.value = 3
        #expect(optional.value == 3)
        let large = MutableProperty((1, 2, 3))
        large.value.1 = 5
        #expect(large.value == (1, 5, 3))
        let empty = MutableProperty(())
        let recorder = EventRecorder<Void, Never>()
        empty.signal.observe(recorder.observer)
        empty.value = ()
        #expect(recorder.values.count == 1)
    }
}
