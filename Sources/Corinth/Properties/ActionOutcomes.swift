/// The events of an ``Action``, and the signals that it derives from them. Made when one of them is first used.
@usableFromInline
final class ActionOutcomes<Output, Error: Swift.Error>: Sendable {
    @usableFromInline let events: Signal<Signal<Output, Error>.Event, Never>

    // Their observers come before all observers of the events.
    @usableFromInline let values: Signal<Output, Never>
    @usableFromInline let errors: Signal<Error, Never>
    @usableFromInline let completed: Signal<(), Never>

    @inlinable
    init() {
        events = Signal(SignalCore(strand: Strand(), resources: nil))
        values = events.compactMap { $0.value }
        errors = events.compactMap { $0.error }
        completed = events.compactMap { $0.isCompleted ? () : nil }
    }
}
