/// Virtual time.
final class ModelClock {
    private struct Action {
        let date: Double
        let number: Int
        let owner: ModelRun
        let body: () -> Void
    }

    private(set) var now = 0.0
    private var count = 0
    private var actions: [Action] = []

    /// Whether two operators had actions due at the same time. The laws don't define their order.
    private(set) var isAmbiguous = false

    /// Runs an action later, unless its owner has ended by then.
    func schedule(after interval: Double, for owner: ModelRun, _ body: @escaping () -> Void) {
        count += 1
        actions.append(Action(date: now + interval, number: count, owner: owner, body: body))
    }

    func advance(by seconds: Double) {
        let limit = now + seconds
        while let next = actions.min(by: { ($0.date, $0.number) < ($1.date, $1.number) }), next.date <= limit {
            actions.removeAll { $0.number == next.number }
            if next.owner.isOver { continue }
            if actions.contains(where: { $0.date == next.date && $0.owner !== next.owner && !$0.owner.isOver }) {
                isAmbiguous = true
            }
            now = max(now, next.date)
            next.body()
        }
        now = limit
    }

    /// Drops the actions that are still scheduled.
    func release() { actions = [] }
}
