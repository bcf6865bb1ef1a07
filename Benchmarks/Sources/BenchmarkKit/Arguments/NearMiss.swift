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
                let swapped = row > 0 && column > 0 && from[row] == to[column - 1] && from[row - 1] == to[column]
                if swapped { best = min(best, beforeLast[column - 1] + 1) }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[to.count]
    }

    /// The names nearest to `unknown`, nearest first, at most `limit`; none if none is near.
    ///
    /// Since names are asked for by their beginning, a name is as near as its nearest beginning of about that
    /// length.
    public static func suggestions(for unknown: String, among names: [String], limit: Int = 4) -> [String] {
        let asked = unknown.lowercased()
        let tolerated = max(1, asked.count / 3)
        var found: [(name: String, distance: Int, place: Int)] = []
        for (place, name) in names.enumerated() {
            let known = name.lowercased()
            let lengths = max(1, asked.count - 1)...max(1, asked.count + 1)
            let beginnings = lengths.map { String(known.prefix($0)) } + [known]
            let nearest = beginnings.map { distance(asked, $0) }.min() ?? .max
            if nearest <= tolerated { found.append((name, nearest, place)) }
        }
        found.sort { ($0.distance, $0.place) < ($1.distance, $1.place) }
        return found.prefix(limit).map(\.name)
    }
}
