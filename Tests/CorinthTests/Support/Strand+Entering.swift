@testable import Corinth

extension Strand {
    /// Delivers something in place, if the strand is idle.
    ///
    /// - Returns: Whether it was.
    @discardableResult
    func enter(_ body: () -> Void) -> Bool {
        guard let owned = enter() else { return false }
        body()
        leave(owned)
        return true
    }

    /// Delivers something: in place, or behind what is queued.
    func enterOrQueue(_ body: @escaping () -> Void) {
        if !enter(body) { enqueue(WorkNode(body), .atOnce) }
    }
}
