/// The signals that an ``Action`` derives from its events.
@usableFromInline
final class ActionOutcomes<Output, Error: Swift.Error>: Sendable {
    @usableFromInline let values: Signal<Output, Never>
    @usableFromInline let errors: Signal<Error, Never>
    @usableFromInline let completed: Signal<(), Never>

    @inlinable
    init(of events: Signal<Signal<Output, Error>.Event, Never>) {
        values = events.compactMap { $0.value }
        errors = events.compactMap { $0.error }
        completed = events.compactMap { $0.isCompleted ? () : nil }
    }
}
