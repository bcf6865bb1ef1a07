public import BenchmarkKit

/// What a log says about latencies, as text, JSON and a page.
public struct AnalysisText {
    private let log: LogAnalysis
    private let format: LogFormat

    /// The traffic of the log.
    public let summary: TrafficSummary

    public init(_ log: LogAnalysis, _ format: LogFormat) {
        self.log = log
        self.format = format
        summary = log.summary
    }

    /// Whose figures are shown, and the largest one.
    private static let percentiles: [Double] = [50, 90, 99, 99.9]

    // MARK: Tables

    /// A table of texts, for a terminal and for a page.
    private struct Rows {
        var titles: [String]
        var rows: [[String]] = []
    }

    private static let titles = ["p50", "p90", "p99", "p99.9", "max"]

    /// All requests, and those of some spans of time.
    private func overview(_ latencies: Histogram, spans: Int) -> Rows {
        var table = Rows(titles: ["logged latencies", "requests"] + Self.titles)
        let all = Self.percentiles.map { latencies.percentile($0) } + [latencies.maximum]
        table.rows.append(
            ["all", Figures.grouped(Int(latencies.count))] + all.map { duration($0.map(Int.init(clamping:))) })
        for (minute, group) in log.spans.joined(to: spans) where group.requests > 0 {
            table.rows.append([Self.stamp(minute), Figures.grouped(group.requests)] + figures(group.latencies))
        }
        return table
    }

    /// The routes that took most of the time, and all others.
    private func routes() -> Rows {
        let (top, rest) = topRoutes()
        var table = Rows(titles: ["routes that took most time", "requests", "5xx"] + Self.titles)
        for (name, group) in top + (rest.requests > 0 ? [("all others", rest)] : []) {
            table.rows.append(
                [Printable.text(name), Figures.grouped(group.requests), Figures.grouped(group.serverErrors)]
                    + figures(group.latencies))
        }
        return table
    }

    private func topRoutes() -> (top: [(name: String, group: LogAnalysis.Group)], rest: LogAnalysis.Group) {
        let sorted = log.routes.sorted { first, second in
            let (one, other) = (first.value.latencies.sum, second.value.latencies.sum)
            return one == other ? first.key.lexicographicallyPrecedes(second.key) : one > other
        }
        var rest = log.otherRoutes
        for (_, group) in sorted.dropFirst(10) { rest.merge(group) }
        let top = sorted.prefix(10).map {
            ($0.key.isEmpty ? "(none)" : String(decoding: $0.key, as: UTF8.self), $0.value)
        }
        return (top, rest)
    }

    private func slowest() -> Rows {
        Rows(
            titles: ["slowest", "line", "status", "request"],
            rows: log.slowest.map { request in
                [
                    duration(request.latency), Figures.grouped(request.line),
                    request.status == 0 ? "–" : String(request.status), Printable.text(request.request),
                ]
            })
    }

    private func figures(_ latencies: LatencyCounts) -> [String] {
        (Self.percentiles + [100]).map { duration(latencies.percentile($0)) }
    }

    private func duration(_ nanoseconds: Int?) -> String {
        nanoseconds.map { Figures.duration(nanoseconds: Double($0)) } ?? "–"
    }

    private static func stamp(_ minute: Int) -> String {
        String(AccessRecord.stamp(seconds: minute * 60).prefix(17))
    }

    // MARK: Text

    /// How the lines are read.
    public var formatText: String {
        let guessed =
            switch format.guess {
            case nil: ""
            case let guess? where guess.lines == 0: ""
            case let guess? where guess.count == 0: ", though none of the first lines has a known format"
            case let guess?:
                ", which \(Figures.grouped(guess.count)) of the first \(Figures.grouped(guess.lines)) lines have"
            }
        let latency = format.latencyField.map { "latencies: \($0)" } ?? "no latencies"
        let remarks = format.remarks.map { "; \($0)" }.joined()
        return "format: \(Printable.text(format.name + guessed)); \(latency)\(remarks)"
    }

    /// - Returns: nil if no latency is logged.
    public func latencies(_ terminal: Terminal) -> String? {
        guard let latencies = log.latencies else { return nil }
        return [
            text(overview(latencies, spans: 12), terminal, ["p90"]), heatMap(terminal),
            text(routes(), terminal, ["p90", "5xx", "p99.9"]),
            text(slowest(), terminal, []),
        ].joined(separator: "\n\n")
    }

    private func text(_ rows: Rows, _ terminal: Terminal, _ expendable: [String]) -> String {
        // A long name makes no table that is too wide.
        let others = rows.rows.map { row in row.dropFirst().reduce(0) { $0 + max(7, $1.count) + 2 } }.max() ?? 0
        let isLast = rows.titles.last == "request"
        var table = Table(rows.titles, alignments: isLast ? [.right, .right, .right, .left] : nil)
        for row in rows.rows {
            var row = row
            if isLast {
                row[3] = Printable.text(row[3], limit: max(20, terminal.width - 34))
            } else {
                row[0] = Printable.text(row[0], limit: max(24, terminal.width - others))
            }
            table.add(row)
        }
        return table.fitted(to: terminal.width, expendable: expendable).table.text()
    }

    /// A row for each band of latencies, a column for each span of time.
    private func heatMap(_ terminal: Terminal) -> String {
        let map = LatencyBands(log.spans.joined(to: max(1, min(60, terminal.width - 12))))
        let shades: [Character] = [" ", "░", "▒", "▓", "█"]
        let most = map.counts.flatMap { $0 }.max() ?? 0
        var lines = [
            "requests by time and latency, \(Self.stamp(map.minutes.first ?? 0)) to \(Self.stamp(map.minutes.last ?? 0))"
        ]
        for row in map.rows.indices.reversed() {
            let name = map.rows[row]
            let cells = map.counts.map { column in shades[Self.shade(column[row], most)] }
            lines.append(String(repeating: " ", count: max(0, 10 - name.count)) + name + " " + String(cells))
        }
        return lines.joined(separator: "\n")
    }

    /// From 0 for none to 4 for the most, by the logarithm.
    private static func shade(_ count: UInt64, _ most: UInt64) -> Int {
        guard count > 0 else { return 0 }
        var (shade, limit) = (4, most)
        while shade > 1, count * 4 <= limit {
            limit /= 4
            shade -= 1
        }
        return shade
    }

    // MARK: Page

    /// The same as a page, with heat maps by time and by route.
    public func html() -> String {
        var body =
            [HTMLPage.paragraph(formatText)] + summary.remarks.map { HTMLPage.paragraph(TrafficText.sentence($0)) }
        let facts = TrafficText.facts(of: summary)
        body.append(HTMLPage.table(caption: "Traffic", head: ["", ""], rows: facts))
        guard let latencies = log.latencies else { return HTMLPage.page(title: "Access log", body: body) }
        let times = LatencyBands(log.spans.joined(to: 120))
        body += [
            HTMLPage.heading("Latency over time"),
            HeatMap(
                title: "Requests by time and latency", xLabel: "time (UTC)", yLabel: "latency",
                columns: times.minutes.map(Self.stamp), rows: times.rows, counts: times.counts
            ).svg,
            table(overview(latencies, spans: 48), "Latencies by time"), HTMLPage.heading("Latency by route"),
        ]
        let (top, _) = topRoutes()
        let byRoute = LatencyBands(top.map(\.group))
        body += [
            HeatMap(
                title: "Requests by route and latency", xLabel: "route", yLabel: "latency",
                columns: top.map { Printable.text($0.name, limit: 40) }, rows: byRoute.rows, counts: byRoute.counts
            ).svg,
            table(routes(), "Latencies by route"), HTMLPage.heading("The slowest requests"),
            table(slowest(), "The slowest requests"),
        ]
        return HTMLPage.page(title: "Access log", body: body)
    }

    private func table(_ rows: Rows, _ caption: String) -> String {
        HTMLPage.table(caption: caption, head: rows.titles, rows: rows.rows)
    }

    // MARK: JSON

    /// What the log says, for the JSON: traffic, latencies, spans of time, routes, and the slowest requests. Times are in seconds,
    /// latencies in nanoseconds.
    public func json() -> JSONValue {
        let width = log.spans.width
        let perMinute = Dictionary(
            uniqueKeysWithValues: log.spans.spans.map { ($0.key * width, $0.value.requests) })
        guard case .object(var results) = TrafficText.json(of: summary, requestsPerMinute: perMinute) else {
            return .object([:])
        }
        results["format"] = .text(format.name)
        guard let latencies = log.latencies else { return .object(results) }
        results["latencies"] = .object([
            "count": .integer(Int(latencies.count)),
            "percentiles": .object(
                Dictionary(
                    uniqueKeysWithValues: (Self.percentiles + [100]).map { percent in
                        (Figures.number(percent), .integer(Int(clamping: latencies.percentile(percent) ?? 0)))
                    })),
        ])
        results["spans"] = .array(
            log.spans.spans.sorted { $0.key < $1.key }.map { span, group in
                json(group, ["time": .integer(span * width * 60), "seconds": .integer(width * 60)])
            })
        results["routes"] = .array(
            log.routes.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { route, group in
                json(group, ["route": .text(String(decoding: route, as: UTF8.self))])
            })
        results["slowest"] = .array(
            log.slowest.map { request in
                .object([
                    "latency": .integer(request.latency), "line": .integer(request.line),
                    "time": .number(Double(request.time) / 1e6), "status": .integer(request.status),
                    "client": .text(request.client), "request": .text(request.request),
                ])
            })
        return .object(results)
    }

    private func json(_ group: LogAnalysis.Group, _ key: [String: JSONValue]) -> JSONValue {
        var members = key
        members["requests"] = .integer(group.requests)
        members["serverErrors"] = .integer(group.serverErrors)
        for (percent, name) in zip(Self.percentiles + [100], Self.titles) {
            members[name] = group.latencies.percentile(percent).map { .integer($0) }
        }
        return .object(members)
    }
}
