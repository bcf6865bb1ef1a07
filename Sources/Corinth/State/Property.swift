/// A read-only view of something that changes: of another property, or of the latest value of a stream.
///
/// ```swift
/// let celsius = MutableProperty(20.0)
/// let fahrenheit = celsius.map { $0 * 9 / 5 + 32 }
/// print(fahrenheit.value)  // prints 68.0
/// ```
///
/// A composed property keeps the latest value of its source. It is a view (law R2): it doesn't keep its sources alive, and
/// its signal and producer go on when the property itself is let go of. When nobody can read or observe it any more, it
/// stops to observe its source. When its source ends it completes, and keeps its last value.
///
/// ## Concurrency
/// Any thread may read it at any time, and waits for nobody.
///
/// - Complexity: Reading costs what it does on a ``MutableProperty``, whatever the property is composed of.
@propertyWrapper
public final class Property<Value>: PropertyProtocol, @unchecked Sendable {  // Immutable parts, each of them safe.
    /// Where the value is; nil of a property that reads another one.
    @usableFromInline let engine: PropertyEngine<Value>?
    @usableFromInline let read: (() -> Value)?

    /// The changes of the value. Completes when there will be no more.
    public let signal: Signal<Value, Never>

    /// The current value, then every change. Completes when there will be no more.
    public let producer: SignalProducer<Value, Never>

    /// Makes a property that never changes. Its producer sends the value and completes; its signal has ended.
    @inlinable
    public init(value: Value) {
        signal = .empty
        engine = PropertyEngine(value, signal.core)
        read = nil
        producer = SignalProducer(value: value)
    }

    /// Makes a view of a property, and keeps that property.
    @inlinable
    public init<P: PropertyProtocol>(capturing property: P) where P.Value == Value {
        engine = nil
        read = { property.value }
        signal = property.signal
        producer = property.producer
    }

    /// Makes a view of a property that is kept alive by, and read through, something else.
    @inlinable
    init(of property: MutableProperty<Value>, reading read: @escaping () -> Value) {
        engine = nil
        self.read = read
        signal = property.signal
        producer = property.producer
    }

    /// Makes a view of a property, without keeping that property: when it is gone, this one completes.
    @inlinable
    public convenience init<P: PropertyProtocol>(_ property: P) where P.Value == Value {
        self.init(following: property.producer)
    }

    /// Makes a property of the latest value of a producer, which is started once, now.
    ///
    /// - Parameters:
    ///   - initial: The value until the producer sends one.
    ///   - values: Where the later values come from. When it completes or is interrupted, the property completes.
    @inlinable
    public convenience init(initial: Value, then values: SignalProducer<Value, Never>) {
        self.init(initial: initial, then: values) { $0 }
    }

    @inlinable
    convenience init<Later>(
        initial: Value, then values: SignalProducer<Later, Never>, as transform: @escaping (Later) -> Value
    ) {
        let core = SignalCore<Value, Never>(strand: Strand(), resources: CompositeDisposable())
        let engine = PropertyEngine(initial, core)
        // Made before the start, so that a core which ends meanwhile still has its handle.
        let signal = Signal(core)
        if let resources = core.resources {
            let outside = Trampoline.stepOutside()
            values.connect(
                to: Sink(value: { engine.set(transform($0)) }, termination: { _ in core.send(.completed) }),
                until: resources)
            unsafe Trampoline.goBack(outside)
        }
        self.init(engine, signal)
    }

    /// Makes a property of the latest value of something that has a producer. See ``init(initial:then:)``.
    @inlinable
    public convenience init<Values: SignalProducerConvertible>(initial: Value, then values: Values)
    where Values.Value == Value, Values.Error == Never {
        self.init(initial: initial, then: values.producer)
    }

    @inlinable
    init(_ engine: PropertyEngine<Value>, _ signal: Signal<Value, Never>) {
        self.engine = engine
        self.signal = signal
        read = nil
        producer = engine.producer(of: signal)
    }

    /// Makes a property of the latest value of a producer that sends one as soon as it is started.
    @inlinable
    convenience init(following values: SignalProducer<Value, Never>) {
        let relay = PropertyRelay<Value>()
        let signal = Signal(relay.core)
        // Where many starts are nested, the first value would come after they have returned, and this waits for it.
        let outside = Trampoline.stepOutside()
        if let resources = relay.core.resources { values.connect(to: relay.sink, until: resources) }
        unsafe Trampoline.goBack(outside)
        self.init(relay.madeEngine(), signal)
    }

    /// The current value.
    @inlinable
    public var value: Value {
        if let engine { return engine.cell.value }
        guard let read else { preconditionFailure("a property has neither a value nor a source") }
        return read()
    }

    /// The current value.
    @inlinable
    public var wrappedValue: Value { value }

    /// The property itself.
    @inlinable
    public var projectedValue: Property<Value> { self }
}

extension Property where Value: OptionalProtocol {
    /// Makes a property of the latest value of a producer of values that are not optional. See ``init(initial:then:)``.
    @inlinable
    public convenience init(initial: Value, then values: SignalProducer<Value.Wrapped, Never>) {
        self.init(initial: initial, then: values) { Value(reconstructing: $0) }
    }

    /// Makes a property of the latest value of something that has a producer of values that are not optional. See
    /// ``init(initial:then:)``.
    @inlinable
    public convenience init<Values: SignalProducerConvertible>(initial: Value, then values: Values)
    where Values.Value == Value.Wrapped, Values.Error == Never {
        self.init(initial: initial, then: values.producer)
    }
}

/// What feeds a composed property: makes its engine of the first value, and sets all others.
@usableFromInline
final class PropertyRelay<Value>: @unchecked Sendable {  // Its source is serial, and the gate publishes the engine.
    @usableFromInline let core = SignalCore<Value, Never>(strand: Strand(), resources: CompositeDisposable())
    @usableFromInline let hasValue = Gate()

    /// Written by the first value. Owned by whoever delivers it, then immutable.
    @safe @exclusivity(unchecked)
    @usableFromInline var engine: PropertyEngine<Value>?

    @inlinable
    init() {}

    @inlinable
    var sink: Sink<Value, Never> {
        Sink(
            value: { value in
                if let engine = self.engine {
                    engine.set(value)
                } else {
                    self.engine = PropertyEngine(value, self.core)
                    self.hasValue.open()
                }
            },
            termination: { _ in
                self.hasValue.open()
                self.core.send(.completed)
            })
    }

    /// The engine, after the start.
    ///
    /// The first value comes before the start has returned, with one exception: where several sources meet, another thread
    /// may be changing one of them at this moment, and then it is that thread which delivers the first value. It
    /// is at it, and is waited for.
    @inlinable
    func madeEngine() -> PropertyEngine<Value> {
        hasValue.blockingWaitUntilOpen()
        guard let engine else { preconditionFailure("a producer that should begin with a value ended without one") }
        return engine
    }
}
