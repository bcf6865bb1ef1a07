import Corinth

/// A state that any thread changes, and a property that shows a view of it.
///
/// The property is set by one thread at a time, outside the flag: whoever has changed the view while no other thread sets it. It goes on
/// until the property shows the latest view. So the property's order is that of the changes, although it may skip some, and no thread
/// waits for another one's observers.
final class ObservedState<State, View: Equatable & Sendable>: Sendable {
    private struct Published {
        var state: State
        var view: View
        var isPublishing = false
    }

    private let guarded: Guarded<Published>
    private let view: @Sendable (borrowing State) -> View
    private let shown: MutableProperty<View>
    let property: Property<View>

    init(_ state: consuming State, view: @escaping @Sendable (borrowing State) -> View) {
        let first = view(state)
        guarded = Guarded(Published(state: state, view: first))
        self.view = view
        shown = MutableProperty(first)
        property = Property(capturing: shown)
    }

    /// Changes the state with the flag held. No user code may run in `body`: what it takes out is released afterwards.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, publishes) = guarded.hold { published in
            let result = body(&published.state)
            let publishes = !published.isPublishing && view(published.state) != published.view
            if publishes { published.isPublishing = true }
            return (result, publishes)
        }
        if publishes { publish() }
        return result
    }

    private func publish() {
        while let latest = next() { shown.value = latest }
    }

    private func next() -> View? {
        guarded.hold { published in
            let latest = view(published.state)
            published.isPublishing = latest != published.view
            published.view = latest
            return published.isPublishing ? latest : nil
        }
    }
}
