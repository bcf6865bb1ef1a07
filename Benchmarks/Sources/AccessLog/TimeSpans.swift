/// Requests by time: by minute, or by wider spans if there are too many minutes.
struct TimeSpans: Equatable, Sendable {
    /// How wide a span may be, in minutes. The widest one has a leap year's days in half a day's number of spans.
    private static let widths = [1, 5, 15, 60, 360, 1440, 10_080, 525_600]

    private var level = 0
    private(set) var spans: [Int: LogAnalysis.Group] = [:]

    /// How many minutes a span has.
    var width: Int { Self.widths[level] }

    var count: Int { spans.count }

    mutating func add(_ record: AccessRecord) {
        spans[record.minute / width, default: LogAnalysis.Group()].add(record)
        if spans.count > LogAnalysis.Limits.spans { widen(to: level + 1) }
    }

    mutating func merge(_ other: TimeSpans) {
        if other.level > level { widen(to: other.level) }
        for (span, group) in other.spans {
            spans[span * other.width / width, default: LogAnalysis.Group()].merge(group)
        }
        while spans.count > LogAnalysis.Limits.spans, level + 1 < Self.widths.count { widen(to: level + 1) }
    }

    private mutating func widen(to newLevel: Int) {
        guard newLevel < Self.widths.count else { return }
        let old = (spans: spans, width: width)
        level = newLevel
        spans = [:]
        for (span, group) in old.spans { spans[span * old.width / width, default: LogAnalysis.Group()].merge(group) }
    }

    /// The first span with the most requests, by its first minute since 1970.
    var busiest: (minute: Int, requests: Int)? {
        let busiest = spans.min { ($1.value.requests, $0.key) < ($0.value.requests, $1.key) }
        return busiest.map { ($0.key * width, $0.value.requests) }
    }

    /// The time from the first to the last span, in at most `limit` parts of equal width, with the first minute of each, since 1970.
    func joined(to limit: Int) -> [(minute: Int, group: LogAnalysis.Group)] {
        guard let first = spans.keys.min(), let last = spans.keys.max() else { return [] }
        let step = (last - first) / limit + 1
        var found = (0...(last - first) / step).map {
            (minute: (first + $0 * step) * width, group: LogAnalysis.Group())
        }
        for (span, group) in spans { found[(span - first) / step].group.merge(group) }
        return found
    }
}
