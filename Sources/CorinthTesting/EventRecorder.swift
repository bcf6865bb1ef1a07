public import Corinth

/// Keeps the events of one stream, for a test to look at.
///
/// ```swift
/// let recorder = EventRecorder<Int, Never>()
/// signal.observe(recorder.observer)
/// #expect(recorder.values == [1, 2, 3])
/// #expect(recorder.termination?.isCompleted == true)
/// ```
///
/// ## Concurrency
/// Any thread may send to the observer and read what was recorded.
public final class EventRecorder<Value, Error: Swift.Error>: @unchecked Sendable {  // The list is atomic.
    private let list = Atomic<[Signal<Value, Error>.Event]>([])

    /// Makes one that has recorded nothing.
    public init() {}

    /// Records what it receives. Every one of them records into the same list.
    public var observer: Signal<Value, Error>.Observer {
        Signal<Value, Error>.Observer { event in self.list.modify { $0.append(event) } }
    }

    /// Everything that was received, in order.
    public var events: [Signal<Value, Error>.Event] { list.value }

    /// The values that were received, in order.
    public var values: [Value] { list.value.compactMap(\.value) }

    /// The terminating event, if there was one.
    public var termination: Signal<Value, Error>.Event? { list.value.first(where: \.isTerminating) }
}
