public import Observation

/// A view of a property for `withObservationTracking` and SwiftUI: reading its ``value`` is tracked.
///
/// ```swift
/// let count = MutableProperty(0)
/// let tracked = count.tracked()
/// withObservationTracking { print(tracked.value) } onChange: { print("changes") }
/// ```
///
/// The property itself isn't `Observable`, because each read would then have to ask whether it is tracked.
///
/// It keeps the property. When it is released, it stops observing it.
///
/// ## Concurrency
/// Any thread may read it. Changes are announced on its scheduler, one announcement for the changes of a burst, after the new
/// value is visible. What tracks must read it on the same scheduler; then no change is lost. By default this is the main actor,
/// as SwiftUI expects.
///
/// - Complexity: Reading costs a look at the thread's tracking state more than reading the property.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
public final class TrackedProperty<Value: Sendable>: Observable, @unchecked Sendable {  // Its properties are immutable.
    private let registrar = ObservationRegistrar()
    private let read: () -> Value
    private let observation = SerialDisposable()

    /// Makes a view of a property.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - scheduler: Where changes are announced.
    public init<P: PropertyProtocol>(_ property: P, on scheduler: any Scheduler = UIScheduler())
    where P.Value == Value {
        read = { property.value }
        observation.inner = property.signal.observe(on: scheduler, bufferingPolicy: .latest)
            .observeValues { [weak self] _ in self?.announce() }
    }

    deinit { observation.dispose() }

    /// The current value. `withObservationTracking` notices that it is read.
    public var value: Value {
        registrar.access(self, keyPath: \.value)
        return read()
    }

    private func announce() { registrar.withMutation(of: self, keyPath: \.value) {} }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PropertyProtocol where Value: Sendable {
    /// A view of this property for `withObservationTracking` and SwiftUI. See ``TrackedProperty``.
    ///
    /// - Parameter scheduler: Where changes are announced.
    public func tracked(on scheduler: any Scheduler = UIScheduler()) -> TrackedProperty<Value> {
        TrackedProperty(self, on: scheduler)
    }
}
