/// Finds the source whose oldest value is the smallest, for `merge(ordered:)`. Owned by the strand's owner.
///
/// The sources are the leaves of a binary tree, in their order. An inner node holds the winner of the two below it: the source with
/// the smaller value, or the left one of equals. A source without a value loses. When the oldest value of a source changes, the
/// matches on its way to the root are repeated.
@usableFromInline
final class Tournament<Value> {
    @usableFromInline let cells: AggregateCells<Value, OrderedMergeStrategy>
    @usableFromInline let areInIncreasingOrder: (Value, Value) -> Bool

    /// The winners at the inner nodes, from index 1, the root. The nodes below `n` are `2 * n` and `2 * n + 1`. Those from the
    /// count on, a power of 2, are the sources.
    @safe @exclusivity(unchecked)
    @usableFromInline var winners: [Int]

    /// The source whose value was sent last. Only its oldest value may be another one than at its last match.
    @safe @exclusivity(unchecked)
    @usableFromInline var last: Int?

    @export(implementation)
    init(
        _ cells: AggregateCells<Value, OrderedMergeStrategy>, by areInIncreasingOrder: @escaping (Value, Value) -> Bool
    ) {
        self.cells = cells
        self.areInIncreasingOrder = areInIncreasingOrder
        var leaves = 1
        while leaves < cells.count { leaves *= 2 }
        winners = Array(repeating: 0, count: leaves)
    }

    /// Removes and returns the smallest value. nil if there is none.
    @export(implementation)
    func popFirst() -> Value? {
        if let last {
            replay(last)
        } else {
            for node in (1..<winners.count).reversed() { play(node) }
        }
        let winner = winner(at: 1)
        guard unsafe cells.cell(winner).pointee.first != nil else { return nil }
        last = winner
        cells.state.statistics?.countDelivered()
        return cells.take(winner)
    }

    /// Repeats the matches of a source whose oldest value has changed.
    @export(implementation)
    func replay(_ source: Int) {
        var node = (winners.count + source) / 2
        while node > 0 {
            play(node)
            node /= 2
        }
    }

    @export(implementation)
    func play(_ node: Int) {
        let (left, right) = (winner(at: 2 * node), winner(at: 2 * node + 1))
        winners[node] = isSmaller(right, than: left) ? right : left
    }

    @export(implementation)
    func winner(at node: Int) -> Int { node < winners.count ? winners[node] : node - winners.count }

    @export(implementation)
    func isSmaller(_ right: Int, than left: Int) -> Bool {
        // There may be more leaves than sources.
        guard right < cells.count, let value = unsafe cells.cell(right).pointee.first else { return false }
        guard let other = unsafe cells.cell(left).pointee.first else { return true }
        return areInIncreasingOrder(value, other)
    }
}
