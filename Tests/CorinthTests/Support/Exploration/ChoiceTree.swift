#if Exploration
    /// The tree of all choices that an execution can meet, walked depth first: each execution replays the choices of the
    /// one before, but for the last that has an alternative left.
    struct ChoiceTree {
        private var path: [(taken: Int, count: Int)] = []
        private var depth = 0

        /// Whether a replayed execution met other choices than the first time: then nothing that it finds counts.
        private(set) var isInconsistent = false

        /// The alternative to take, of `count`: 0 at a choice that was never met.
        mutating func choose(of count: Int) -> Int {
            if count == 1 { return 0 }
            defer { depth += 1 }
            guard depth < path.count else {
                path.append((0, count))
                return 0
            }
            if path[depth].count != count { isInconsistent = true }
            return min(path[depth].taken, count - 1)
        }

        /// Moves on to the next path; false after the last.
        mutating func advance() -> Bool {
            if depth < path.count { isInconsistent = true }
            depth = 0
            while let last = path.popLast() {
                if last.taken + 1 < last.count {
                    path.append((last.taken + 1, last.count))
                    return true
                }
            }
            return false
        }
    }
#endif
