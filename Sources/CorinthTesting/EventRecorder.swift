public import Corinth
internal import Foundation

/// Records the events of one stream for a test.
///
/// ```swift
/// let recorder = EventRecorder<Int, Never>()
/// signal.observe(recorder.observer)
/// #expect(recorder.values == [1, 2, 3])
/// #expect(recorder.termination == .completed)
/// ```
///
/// - Complexity: O(1) amortised per event.
/// ## Concurrency
/// Any thread may send to the observer and read the recorded events.
public final class EventRecorder<Value, Error: Swift.Error>: @unchecked Sendable {  // The lock guards the list.
    private let lock = NSLock()
    private var list: [Signal<Value, Error>.Event] = []

    /// Makes a recorder without events.
    public init() {}

    /// An observer that records the events that it receives. All observers of a recorder share one list.
    public var observer: Signal<Value, Error>.Observer {
        Signal<Value, Error>.Observer { event in self.lock.withLock { self.list.append(event) } }
    }

    /// All recorded events, in order.
    public var events: [Signal<Value, Error>.Event] { lock.withLock { list } }

    /// The recorded values, in order.
    public var values: [Value] { events.compactMap(\.value) }

    /// The recorded termination. nil if there is none.
    public var termination: Signal<Value, Error>.Event? { events.first(where: \.isTerminating) }
}
