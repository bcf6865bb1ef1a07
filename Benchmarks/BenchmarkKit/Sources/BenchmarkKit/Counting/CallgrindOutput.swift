/// Reads the totals and the calls in a file of Callgrind.
enum CallgrindOutput {
    struct Totals: Equatable {
        var instructions: Int
        /// nil if they weren't collected.
        var systemCalls: Int?
    }

    /// The totals of `text`; nil if it has none.
    static func totals(in text: String) -> Totals? {
        var events: [Substring] = []
        var sums: [Int] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("events:") { events = line.split(separator: " ").dropFirst().map { $0 } }
            if line.hasPrefix("totals:") { sums = line.split(separator: " ").dropFirst().compactMap { Int($0) } }
        }
        guard let place = events.firstIndex(of: "Ir"), sums.indices.contains(place) else { return nil }
        // Callgrind omits trailing columns of 0.
        let calls = events.firstIndex(of: "sysCount").map { sums.indices.contains($0) ? sums[$0] : 0 }
        return Totals(instructions: sums[place], systemCalls: calls)
    }

    /// The number of retains and releases of strong references.
    ///
    /// They are calls of Swift's runtime by any caller. One that retains several times is one call.
    struct References: Equatable {
        var retains = 0
        var releases = 0
    }

    private static let retaining: Set<Substring> = [
        "swift_retain", "swift_retain_n", "swift_tryRetain", "swift_nonatomic_retain", "swift_nonatomic_retain_n",
    ]

    private static let releasing: Set<Substring> = [
        "swift_release", "swift_release_n", "swift_nonatomic_release", "swift_nonatomic_release_n",
    ]

    /// The retains and releases of `text`.
    ///
    /// The first mention of a function has its number and its name, later ones only the number: `cfn=(12) swift_retain`, then
    /// `cfn=(12)`. It names the callee of the next `calls=3 …`.
    static func references(in text: String) -> References {
        var isRetaining: [Substring: Bool] = [:]
        var called: Substring = ""
        var references = References()
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
            if line.hasPrefix("calls=") {
                guard let isRetain = isRetaining[called] else { continue }
                let count = line.dropFirst(6).prefix { $0.isNumber }
                if isRetain { references.retains += Int(count) ?? 0 } else { references.releases += Int(count) ?? 0 }
            } else if line.hasPrefix("fn=(") || line.hasPrefix("cfn=("), let end = line.firstIndex(of: ")") {
                let number = line[..<end].drop { $0 != "(" }
                // The name of a recursive call has a suffix: `swift_release'2`.
                let name = line[end...].dropFirst(2).prefix { $0 != "'" }
                if retaining.contains(name) { isRetaining[number] = true }
                if releasing.contains(name) { isRetaining[number] = false }
                if line.hasPrefix("c") { called = number }
            }
        }
        return references
    }
}
