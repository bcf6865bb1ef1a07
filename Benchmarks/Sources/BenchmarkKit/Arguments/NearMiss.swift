/// Finds what was meant when a name isn't known.
public enum NearMiss {
    /// How many characters must be inserted, removed, replaced or swapped with their neighbour to make one name
    /// into the other.
    ///
    /// - Complexity: O(`first.count * second.count`).
    public static func distance(_ first: String, _ second: String) -> Int {
        let from = Array(first.unicodeScalars)
        let to = Array(second.unicodeScalars)
        var beforeLast: [Int] = []
        var last = Array(0...to.count)
        for row in 0..<from.count {
            var current = [row + 1]
            for column in 0..<to.count {
                let replaced = last[column] + (from[row] == to[column] ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                let isSwapped =
                    row > 0 && column > 0 && from[row] == to[column - 1] && from[row - 1] == to[column]
                if isSwapped { best = min(best, beforeLast[column - 1] + 1) }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[to.count]
    }

    /// The names nearest to `unknown`, in their order, at most `limit`; none if none is near.
    ///
    /// Since names are asked for by their beginning, a name is as near as its nearest beginning of about that
    /// length. Nothing is nearer than a name that holds what was asked for.
    public static func suggestions(for unknown: String, among names: [String], limit: Int = 4) -> [String] {
        let asked = unknown.lowercased()
        let tolerated = (asked.count + 2) / 3
        var found: [(name: String, distance: Int)] = []
        for name in names {
            let known = name.lowercased()
            let lengths = max(1, asked.count - 1)...max(1, asked.count + 1)
            let beginnings = lengths.map { String(known.prefix($0)) } + [known]
            let isWithin = asked.count > 2 && known.contains(asked)
            let nearest = isWithin ? 0 : beginnings.map { distance(asked, $0) }.min() ?? .max
            if nearest <= tolerated { found.append((name, nearest)) }
        }
        let nearest = found.map(\.distance).min()
        return found.filter { $0.distance == nearest }.prefix(limit).map(\.name)
    }
}
