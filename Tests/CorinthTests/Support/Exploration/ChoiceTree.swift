#if Exploration
    /// The tree of all choices that executions meet, in depth-first order. Each execution repeats the choices of the previous
    /// one up to the last choice that has an alternative left, and takes that alternative.
    struct ChoiceTree {
        private var path: [(taken: Int, count: Int)] = []
        private var depth = 0

        /// Whether a repeated execution met other choices than the first time. Its findings are then invalid.
        private(set) var isInconsistent = false

        /// Returns which of `count` alternatives to take. A choice that is met for the first time takes alternative 0.
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

        /// Moves to the next path. Returns false after the last.
        mutating func advance() -> Bool {
            if depth < path.count { isInconsistent = true }
            return leaveOut()
        }

        /// Moves to the path after the one to repeat next, which is left out. Returns false after the last.
        mutating func leaveOut() -> Bool {
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
