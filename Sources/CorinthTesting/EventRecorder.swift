public import Corinth
internal import Foundation

/// Keeps the events of one stream, for a test to look at.
///
/// ```swift
/// let recorder = EventRecorder<Int, Never>()
/// signal.observe(recorder.observer)
/// #expect(recorder.values == [1, 2, 3])
/// #expect(recorder.termination == .completed)
/// ```
///
/// - Complexity: An event is appended to an array, O(1) amortised.
/// ## Concurrency
/// Any thread may send to the observer and read what was recorded.
public final class EventRecorder<Value, Error: Swift.Error>: @unchecked Sendable {  // The lock guards the list.
    private let lock = NSLock()
    private var list: [Signal<Value, Error>.Event] = []

    /// Makes one that has recorded nothing.
    public init() {}

    /// Records what it receives. Every one of them records into the same list.
    public var observer: Signal<Value, Error>.Observer {
        Signal<Value, Error>.Observer { event in self.lock.withLock { self.list.append(event) } }
    }

    /// Everything that was received, in order.
    public var events: [Signal<Value, Error>.Event] { lock.withLock { list } }

    /// The values that were received, in order.
    public var values: [Value] { events.compactMap(\.value) }

    /// The terminating event, if there was one.
    public var termination: Signal<Value, Error>.Event? { events.first(where: \.isTerminating) }
}
