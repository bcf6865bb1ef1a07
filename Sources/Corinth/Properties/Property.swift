/// A read-only view of a changing value: of another property, or of the latest value of a stream.
///
/// ```swift
/// let celsius = MutableProperty(20.0)
/// let fahrenheit = celsius.map { $0 * 9 / 5 + 32 }
/// print(fahrenheit.value)  // prints 68.0
/// ```
///
/// A composed property stores the latest value of its source. It is a view (law
/// [R2](doc:Contracts#R2-The-current-value-then-every-change)): it doesn't keep its sources alive. Its signal and producer continue
/// after the property itself is released. When it can no longer be read or observed, it stops observing its source. When its source
/// ends, it completes and keeps its last value.
///
/// ## Concurrency
/// Any thread may read it at any time. Reading never waits.
///
/// - Complexity: Reading costs as much as on a ``MutableProperty``, for any composition.
@propertyWrapper
public final class Property<Value>: PropertyProtocol, @unchecked Sendable {  // Immutable, thread-safe properties.
    /// Stores the value. nil if this property reads another one.
    @usableFromInline let engine: PropertyEngine<Value>?
    @usableFromInline let read: (() -> Value)?

    @usableFromInline let streams: Streams

    @usableFromInline
    enum Streams {
        case made(Signal<Value, Never>, SignalProducer<Value, Never>)
        /// Those of another property, which makes its signal after the closure has been called.
        case viewed(MutableProperty<Value>, () -> Void)
    }

    /// Every change of the value. Completes when there are no more changes.
    @inlinable
    public var signal: Signal<Value, Never> {
        switch streams {
        case .made(let signal, _): return signal
        case .viewed(let property, let prepare):
            prepare()
            return property.signal
        }
    }

    /// The current value, then every change. Completes when there are no more changes.
    @inlinable
    public var producer: SignalProducer<Value, Never> {
        switch streams {
        case .made(_, let producer): return producer
        case .viewed(let property, let prepare):
            prepare()
            return property.producer
        }
    }

    /// Makes a property that never changes. Its producer sends the value and completes. Its signal has ended.
    @inlinable
    public init(value: Value) {
        let signal = Signal<Value, Never>.empty
        engine = PropertyEngine(PropertyCell(value), signal.core)
        read = nil
        streams = .made(signal, SignalProducer(value: value))
    }

    /// Makes a view of a property, and keeps that property.
    @inlinable
    public init<P: PropertyProtocol>(capturing property: P) where P.Value == Value {
        engine = nil
        read = { property.value }
        streams = .made(property.signal, property.producer)
    }

    /// Makes a view of a property, and keeps that property, whose signal is made when this one's is first used.
    ///
    /// - Parameter prepare: Called before each use.
    @usableFromInline
    init(viewing property: MutableProperty<Value>, _ prepare: @escaping () -> Void) {
        engine = nil
        read = { property.value }
        streams = .viewed(property, prepare)
    }

    /// Makes a view of a property. `read` reads its value and keeps it alive.
    @inlinable
    init(of property: MutableProperty<Value>, reading read: @escaping () -> Value) {
        engine = nil
        self.read = read
        streams = .made(property.signal, property.producer)
    }

    /// Makes a view of a property, and doesn't keep that property. When that property is released, this one completes.
    @inlinable
    public convenience init<P: PropertyProtocol>(_ property: P) where P.Value == Value {
        self.init(following: property.producer)
    }

    /// Makes a property of the latest value of a producer, which is started once, at once.
    ///
    /// - Parameters:
    ///   - initial: The value until the producer sends one.
    ///   - values: The producer of the later values. When it completes or is interrupted, the property completes.
    @inlinable
    public convenience init(initial: Value, then values: SignalProducer<Value, Never>) {
        self.init(initial: initial, then: values) { $0 }
    }

    @inlinable
    convenience init<Later>(
        initial: Value, then values: SignalProducer<Later, Never>, as transform: @escaping (Later) -> Value
    ) {
        let core = SignalCore<Value, Never>(strand: Strand(), resources: CompositeDisposable())
        let engine = PropertyEngine(PropertyCell(initial), core)
        // Made before the start, so that the core still has its signal if it ends during the start.
        let signal = Signal(core)
        if let resources = core.resources {
            let outside = Trampoline.stepOutside()
            values.connect(
                to: Sink(value: { engine.set(transform($0)) }, termination: { _ in core.send(.completed) }),
                until: resources)
            Trampoline.goBack(outside)
        }
        self.init(engine, signal)
    }

    /// Makes a property of the latest value of another stream. See ``init(initial:then:)``.
    @inlinable
    public convenience init<Values: SignalProducerConvertible>(initial: Value, then values: Values)
    where Values.Value == Value, Values.Error == Never {
        self.init(initial: initial, then: values.producer)
    }

    @inlinable
    init(_ engine: PropertyEngine<Value>, _ signal: Signal<Value, Never>) {
        self.engine = engine
        read = nil
        streams = .made(signal, engine.producer(of: signal))
    }

    /// Makes a property of the latest value of a producer that sends a value during its start.
    @inlinable
    convenience init(following values: SignalProducer<Value, Never>) {
        let relay = PropertyRelay<Value>()
        let signal = Signal(relay.core)
        // Outside the trampoline: with many nested starts, the first value would be sent after they return, and this thread
        // waits for it.
        let outside = Trampoline.stepOutside()
        if let resources = relay.core.resources { values.connect(to: relay.sink, until: resources) }
        Trampoline.goBack(outside)
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
    /// Makes a property of the latest value of a producer whose values are not optional. See ``init(initial:then:)``.
    @inlinable
    public convenience init(initial: Value, then values: SignalProducer<Value.Wrapped, Never>) {
        self.init(initial: initial, then: values) { Value(reconstructing: $0) }
    }

    /// Makes a property of the latest value of another stream whose values are not optional. See ``init(initial:then:)``.
    @inlinable
    public convenience init<Values: SignalProducerConvertible>(initial: Value, then values: Values)
    where Values.Value == Value.Wrapped, Values.Error == Never {
        self.init(initial: initial, then: values.producer)
    }
}

/// The input of a composed property: makes its engine with the first value, and sets all later values.
@usableFromInline
final class PropertyRelay<Value>: @unchecked Sendable {  // Its source is serial, and the latch publishes the engine.
    @usableFromInline let core = SignalCore<Value, Never>(strand: Strand(), resources: CompositeDisposable())
    @usableFromInline let hasValue = Latch()

    /// Written by the thread that delivers the first value. Immutable afterwards.
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
                    self.engine = PropertyEngine(PropertyCell(value), self.core)
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
    /// The first value arrives before the start returns, with one exception: if several sources are joined, another thread may
    /// be changing one of them, and then delivers the first value. This thread waits for that delivery, which is in progress.
    @inlinable
    func madeEngine() -> PropertyEngine<Value> {
        hasValue.blockingWaitUntilOpen()
        guard let engine else { preconditionFailure("the producer of a property sent no value at its start") }
        return engine
    }
}
