/// The difference of two texts, in the format of `patch`.
public enum LineDiff {
    /// A unified diff with `context` lines around each change; empty if the texts are the same.
    ///
    /// - Complexity: O(n · d) for n lines that differ in d places.
    public static func unified(_ before: String, _ after: String, name: String, context: Int = 3) -> String {
        let old = before.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        let new = after.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        let lines = marked(old, new)
        let changes = lines.indices.filter { lines[$0].mark != " " }
        guard !changes.isEmpty else { return "" }
        var text = "--- a/\(name)\n+++ b/\(name)\n"
        var index = 0
        while index < changes.count {
            let first = max(0, changes[index] - context)
            while index + 1 < changes.count, changes[index + 1] - changes[index] <= 2 * context { index += 1 }
            let last = min(lines.count - 1, changes[index] + context)
            text += hunk(lines, first...last)
            index += 1
        }
        return text
    }

    private typealias Line = (mark: Character, text: String)

    /// All lines in order: kept (` `), removed (`-`), added (`+`).
    private static func marked(_ old: [String], _ new: [String]) -> [Line] {
        let difference = new.difference(from: old)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var from = 0
        var to = 0
        while from < old.count || to < new.count {
            if from < old.count, removed.contains(from) {
                lines.append(("-", old[from]))
                from += 1
            } else if to < new.count, added.contains(to) {
                lines.append(("+", new[to]))
                to += 1
            } else {
                lines.append((" ", old[from]))
                from += 1
                to += 1
            }
        }
        return lines
    }

    private static func hunk(_ lines: [Line], _ range: ClosedRange<Int>) -> String {
        let before = lines[..<range.lowerBound]
        let shown = lines[range]
        let oldStart = before.count { $0.mark != "+" } + 1
        let newStart = before.count { $0.mark != "-" } + 1
        let header =
            "@@ -\(oldStart),\(shown.count { $0.mark != "+" }) +\(newStart),\(shown.count { $0.mark != "-" }) @@\n"
        return header + shown.map { "\($0.mark)\($0.text)\n" }.joined()
    }
}
