/// Suggests known names for an unknown one.
public enum NearMiss {
    /// The number of characters to insert, remove, replace or swap with their neighbour to turn one name into the
    /// other.
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
    /// A filter is a prefix of names. So the distance to a name is that to its nearest prefix of about the same length.
    /// The distance to a name that contains `unknown` is 0.
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
