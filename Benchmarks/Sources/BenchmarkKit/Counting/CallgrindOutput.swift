/// Reads the sums in a file that Callgrind wrote.
enum CallgrindOutput {
    struct Totals: Equatable {
        var instructions: Int
        /// nil where they weren't collected.
        var systemCalls: Int?
    }

    /// The sums of `text`, or nil if it has none.
    static func totals(in text: String) -> Totals? {
        var events: [Substring] = []
        var sums: [Int] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("events:") { events = line.split(separator: " ").dropFirst().map { $0 } }
            if line.hasPrefix("totals:") { sums = line.split(separator: " ").dropFirst().compactMap { Int($0) } }
        }
        guard let place = events.firstIndex(of: "Ir"), sums.indices.contains(place) else { return nil }
        // Columns at the end that are 0 aren't written.
        let calls = events.firstIndex(of: "sysCount").map { sums.indices.contains($0) ? sums[$0] : 0 }
        return Totals(instructions: sums[place], systemCalls: calls)
    }
}
