/// A value that any thread may change at any time, and that sends its changes to observers.
///
/// ```swift
/// let name = MutableProperty("Ada")
/// name.producer.startWithValues { print($0) }  // prints Ada
/// name.value = "Grace"                         // prints Grace
/// ```
///
/// As a property wrapper, it provides the value, and itself as `$name`.
///
/// When the last reference to it is released, its ``lifetime`` ends, and its ``signal`` and every start of its ``producer``
/// complete (law [R2](doc:Contracts#R2-The-current-value-then-every-change)).
///
/// ## Concurrency
/// Any thread may read and change it at any time, even inside callbacks of its own observers. Reading never waits, and returns
/// the latest value at once (law [R1](doc:Contracts#R1-The-value-is-there-at-once)). Observers receive the changes in order, one at
/// a time (law [R3](doc:Contracts#R3-In-order)), on the thread that made the change. If another thread is delivering, or inside a
/// callback, a change queues its notification and returns (law [R4](doc:Contracts#R4-No-deadlock-no-nesting)).
///
/// - Complexity: For a value that fits a word and needs no reference counting, reading is one atomic load. Setting it costs
///   the observers' closures and no atomic read-modify-write on the thread that uses it alone, four on an idle property that
///   several threads use: no lock, no allocation, no system call. Other values are stored in a box, which costs an allocation
///   for each change.
@propertyWrapper
public final class MutableProperty<Value>: ComposableMutablePropertyProtocol {
    @usableFromInline let lazyLifetime = LazyObject<Lifetime>()

    /// Made when the property is first observed.
    @usableFromInline let lazySignal = LazyObject<Signal<Value, Never>>()
    @usableFromInline let cell: PropertyCell<Value>

    /// Makes a property with its first value.
    @inlinable
    public init(_ initialValue: Value) {
        cell = PropertyCell(initialValue)
        if PropertyCell<Value>.needsSignal { _ = makeSignal() }
    }

    /// Makes a property with its first value.
    @inlinable
    public convenience init(wrappedValue: Value) {
        self.init(wrappedValue)
    }

    @inlinable
    deinit {
        lazySignal.withKnown { $0.core.send(.completed) }
        lazyLifetime.known?.end()
        lazyLifetime.release()
        lazySignal.release()
    }

    /// Every change of the value. Completes when the property is released.
    @inlinable
    public var signal: Signal<Value, Never> { lazySignal.known ?? makeSignal() }

    // A change that has begun before looks for the signal after it has stored the value. So a thread that observes the signal
    // and then reads the value misses no change.
    @inlinable
    @inline(never)
    func makeSignal() -> Signal<Value, Never> {
        let made = Signal<Value, Never>(PropertyCore<Value>())
        return cell.betweenChanges { lazySignal.get { made } }
    }

    /// The value with the signal of its changes.
    @inlinable
    var engine: PropertyEngine<Value> { PropertyEngine(cell, signal.core) }

    /// Ends when the property is released.
    @inlinable
    public var lifetime: Lifetime { lazyLifetime.get { Lifetime() } }

    /// The value. Reading never waits. Setting returns when the change has been delivered, or queued for another thread.
    @inlinable
    public var value: Value {
        get { cell.value }
        set {
            let change = cell.begin(on: signal.core.strand, as: MutableProperty<Value>.self)
            let old = cell.replace(newValue, change)
            end(change, newValue)
            // The old value is released while no cell is held.
            withExtendedLifetime(old) {}
        }
    }

    /// The value.
    @inlinable
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The property itself.
    @inlinable
    public var projectedValue: MutableProperty<Value> { self }

    /// The current value, then every change.
    ///
    /// Each start receives the value at once, even inside a callback of this property's observers. It completes when the
    /// property is released. A later start sends the last value and completes. The producer doesn't keep the property.
    @inlinable
    public var producer: SignalProducer<Value, Never> { engine.producer(of: signal) }

    /// A target that sets the value. It doesn't keep the property.
    ///
    /// A change that comes over bindings from this property itself, or from an older assignment than that of the value, is ignored
    /// (law [B2](doc:Contracts#B2-The-last-assignment-wins)).
    public var bindingTarget: BindingTarget<Value> {
        unsafe PropertyCore.of(Unmanaged.passUnretained(signal.core))._withUnsafeGuaranteedRef { $0.bind() }
        // Properties are thread-safe.
        nonisolated(unsafe) let set = { [weak self] (value: Value) -> Void in
            guard let self else { return }
            let arriving = ThreadState.current.change
            if !arriving.isOfAssignment {
                self.value = value
            } else {
                unsafe PropertyCore.of(Unmanaged.passUnretained(signal.core))._withUnsafeGuaranteedRef {
                    $0.assign(value, of: arriving, to: cell)
                }
            }
        }
        return BindingTarget(lifetime: lifetime) { value in unsafe set(value) }
    }

    /// Replaces the value, and returns the previous one.
    @inlinable
    @discardableResult
    public func swap(_ newValue: Value) -> Value {
        let change = cell.begin(on: signal.core.strand, as: MutableProperty<Value>.self)
        let old = cell.replace(newValue, change)
        end(change, newValue)
        return old
    }

    /// Changes the value in place, as one change.
    ///
    /// The closure may change other properties. If it does, all threads must nest properties in the same order, or two threads
    /// wait for each other (law [R4](doc:Contracts#R4-No-deadlock-no-nesting)). A debug build then stops the program, and reports
    /// the threads and what they wait for.
    ///
    /// - Parameter action: Runs exactly once, while other changes wait. Readers still see the previous value. If it throws, its
    ///   changes up to that point are stored and delivered, and the error is rethrown. It must not change the same property.
    /// - Returns: The result of the closure.
    @inlinable
    @discardableResult
    public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
        let change = cell.begin(on: signal.core.strand, as: MutableProperty<Value>.self)
        let holding = ThreadState.beginHolding()
        var value = cell.valueWhileHeld
        do {
            let result = try action(&value)
            end(change, holding, storing: value)
            return result
        } catch {
            end(change, holding, storing: value)
            throw error
        }
    }

    @inlinable @inline(__always)
    func end(_ change: consuming PropertyChange, _ holding: consuming Holding, storing value: Value) {
        let old = cell.replace(value, change)
        ThreadState.endHolding(holding)
        end(change, value)
        withExtendedLifetime(old) {}
    }

    /// Ends a change: delivers it if the property has a signal.
    @inlinable @inline(__always)
    func end(_ change: consuming PropertyChange, _ newValue: Value) {
        if let change = endObserved(change, newValue) { endUnobserved(change, newValue) }
    }

    /// - Returns: The change, which hasn't ended, if the property has no signal.
    @inlinable @inline(__always)
    func endObserved(_ change: consuming PropertyChange, _ newValue: Value) -> PropertyChange? {
        // A closure can't consume what it captures.
        var rest: PropertyChange? = change
        _ = lazySignal.withKnown { signal in
            // Not retained: this keeps the signal.
            let core = unsafe Unmanaged.passUnretained(signal.core)
            unsafe PropertyCore.of(core)._withUnsafeGuaranteedRef { core in
                guard let change = rest.take() else { return }
                if core.isPlain {
                    core.end(change, of: cell, newValue)
                } else {
                    core.endAssignment(change, of: cell, newValue)
                }
            }
        }
        return rest
    }

    @inlinable
    @inline(never)
    func endUnobserved(_ change: consuming PropertyChange, _ newValue: Value) {
        // Between the store of the value and the look for a signal: pairs with the barrier in `PropertyCell.betweenChanges(_:)`.
        AsymmetricBarrier.light()
        if let change = endObserved(change, newValue) { cell.abandon(change, on: nil) }
    }

    /// Passes the value to a closure, without a lock. The value may change during the call.
    @inlinable
    @discardableResult
    public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
        try action(value)
    }
}

extension MutableProperty: @unchecked Sendable where Value: Sendable {}  // As the engine.
