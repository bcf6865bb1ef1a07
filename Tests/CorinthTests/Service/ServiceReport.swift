import Foundation

/// A page about a run of a service, without anything from elsewhere.
struct ServiceReport {
    private let result: ServiceResult

    init(_ result: ServiceResult) { self.result = result }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Corinth: a service for \(Self.duration(result.run.seconds))</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <main>
        <h1>A service for \(Self.duration(result.run.seconds))</h1>
        <p class="verdict \(result.isLawful ? "good" : "bad")">\(result.isLawful ? "Every law was kept." : "A law was broken.")</p>
        <p>\(figures)</p>
        <h2>Latency</h2>
        <p>From the moment at which a client was to send a request until its answer is in the journal. The scale is logarithmic.
        The bars show how many faults there were. \(overall)</p>
        \(latencyChart.svg)
        <h2>Objects that are alive</h2>
        <p>Connections and branches of the service that are alive.</p>
        \(chart(of: samples { Double($0.objects) }, "connections and branches", unit: ""))
        <h2>Requests in flight</h2>
        <p>Requests that are alive: they wait in a buffer, or are handled. Bursts and stalls raise their number.</p>
        \(chart(of: samples { Double($0.requests) }, "requests", unit: ""))
        <h2>Resident memory</h2>
        \(memory)
        <h2>Growth</h2>
        <p>Of the lowest values in each of six parts of the time, after a warm-up of a quarter.</p>
        <div class="wide"><table><thead><tr><th>What</th><th>Typical</th><th>Growth</th><th>Allowed</th></tr></thead><tbody>
        \(growths)
        </tbody></table></div>
        <h2>Laws</h2>
        <div class="wide"><table><thead><tr><th>Law</th><th>Checks</th><th>Broken</th></tr></thead><tbody>
        \(laws)
        </tbody></table></div>
        \(violations)
        <h2>Faults</h2>
        <div class="wide"><table><thead><tr><th>What</th><th>How often</th></tr></thead><tbody>
        \(troubles)
        </tbody></table></div>
        <p class="note">Seed \(result.run.seed). Clients also lose their connections, and close them, with every thousand requests or so.
        \(Self.build)</p>
        </main>
        </body>
        </html>

        """
    }

    // MARK: The parts

    private var figures: String {
        let rate = Int(Double(result.requests) / max(1, result.run.seconds))
        return
            "\(result.requests.formatted(Self.grouped)) requests of \(result.connections.formatted(Self.grouped)) connections, "
            + "about \(rate.formatted(Self.grouped)) per second."
    }

    private static let grouped = IntegerFormatStyle<Int>(locale: Locale(identifier: "en_US"))

    private var overall: String {
        let parts = ServiceSample.shares.map { name, share in
            "\(name) \(ServiceResult.milliseconds(result.latencies.percentile(share)))"
        }
        return "Over all: \(parts.joined(separator: ", "))."
    }

    private func samples(_ value: (ServiceSample) -> Double?) -> [(x: Double, y: Double)] {
        result.samples.compactMap { sample in value(sample).map { (sample.time, $0) } }
    }

    private var latencyChart: LineChart {
        let lines = ServiceSample.shares.enumerated().map { index, item in
            LineChart.Line(
                name: item.0, style: index,
                points: samples { $0.percentiles.isEmpty ? nil : $0.percentiles[index] / 1e6 })
        }
        return LineChart(
            title: "Latency over time", unit: "ms", isLogarithmic: true, lines: lines,
            bars: samples { Double($0.troubles) })
    }

    private func chart(of points: [(x: Double, y: Double)], _ name: String, unit: String) -> String {
        LineChart(title: name, unit: unit, lines: [LineChart.Line(name: name, style: 0, points: points)]).svg
    }

    private var memory: String {
        let points = samples { $0.residentBytes.map { Double($0) / 1048576 } }
        return points.isEmpty ? "<p>Unavailable on this system.</p>" : chart(of: points, "resident memory", unit: "MiB")
    }

    private var growths: String {
        let number = { (value: Double) in String(format: "%.1f", value) }
        let rows = result.growths.map { growth in
            let mark = !growth.isJudged ? "" : growth.isFlat ? " class=\"good\"" : " class=\"bad\""
            return "<tr><td>\(Self.escaped(growth.name))</td><td>\(number(growth.typical))</td>"
                + "<td\(mark)>\(String(format: "%+.1f", growth.growth))</td>"
                + "<td>\(growth.isJudged ? number(growth.allowed) : "not judged")</td></tr>"
        }
        return rows.isEmpty ? "<tr><td colspan=\"4\">The run is too short.</td></tr>" : rows.joined(separator: "\n")
    }

    private var laws: String {
        ServiceLaws.Law.allCases.map { law in
            let counts = result.laws.counts(of: law)
            return "<tr><td>\(Self.escaped(law.rawValue))</td><td>\(counts.checks.formatted(Self.grouped))</td>"
                + "<td class=\"\(counts.broken == 0 ? "good" : "bad")\">\(counts.broken.formatted(Self.grouped))</td></tr>"
        }.joined(separator: "\n")
    }

    private var violations: String {
        if result.isLawful { return "" }
        let items = result.laws.violations.map { "<li>\(Self.escaped($0.description))</li>" }
        return "<ul class=\"bad\">\(items.joined(separator: "\n"))</ul>"
    }

    private var troubles: String {
        Service.Trouble.allCases.map { trouble in
            "<tr><td>\(Self.escaped(trouble.rawValue))</td><td>\(result.troubles[trouble, default: 0])</td></tr>"
        }.joined(separator: "\n")
    }

    // MARK: Text

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private static func duration(_ seconds: Double) -> String {
        seconds < 120 ? "\(Int(seconds)) seconds" : "\(Int((seconds / 60).rounded())) minutes"
    }

    private static var build: String {
        #if NaiveLocks
            let engine = "lock-based"
        #else
            let engine = "lock-free"
        #endif
        #if DEBUG
            return "A debug build of the \(engine) engine."
        #else
            return "A release build of the \(engine) engine."
        #endif
    }

    private static let style = """
        :root {
          color-scheme: light dark;
          --paper: #fbfbfa; --ink: #1d1f22; --faint: #666c75; --rule: #d9dce0; --bar: #d9dce0;
          --good: #1a7f37; --bad: #c1272d;
          --line0: #1f6fb4; --line1: #b45f06; --line2: #7a3fa0; --line3: #8a8f98;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #16181b; --ink: #e7e9ec; --faint: #9aa1ab; --rule: #383c42; --bar: #33373d;
            --good: #57c271; --bad: #ff7b78;
            --line0: #6cb4f0; --line1: #f0a65a; --line2: #c79ae6; --line3: #8d949e;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
        main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
        h2 { font-size: 1.1rem; margin: 2rem 0 .25rem; }
        p { margin: .25rem 0 .75rem; max-width: 45rem; }
        .verdict { font-weight: 600; }
        .good { color: var(--good); }
        .bad { color: var(--bad); }
        .note { color: var(--faint); font-size: .9rem; margin-top: 1.5rem; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
        th { color: var(--faint); font-weight: 500; font-size: .9rem; }
        th + th, td + td { text-align: right; padding-right: 0; padding-left: .75rem; }
        svg { display: block; width: 100%; height: auto; overflow: visible; }
        svg text { fill: var(--faint); font-size: 13px; font-family: inherit; }
        @media (max-width: 40rem) { svg text { font-size: 22px; } }
        .grid { stroke: var(--rule); stroke-width: 1; }
        .bar { fill: var(--bar); }
        .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
        .line0 { stroke: var(--line0); } .line1 { stroke: var(--line1); }
        .line2 { stroke: var(--line2); } .line3 { stroke: var(--line3); stroke-width: 1.25; }
        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .9rem; color: var(--faint); margin: 0 0 .5rem; }
        .legend i { display: inline-block; width: 1.1em; height: 3px; vertical-align: middle; margin-right: .4em; }
        .fill0 { background: var(--line0); } .fill1 { background: var(--line1); }
        .fill2 { background: var(--line2); } .fill3 { background: var(--line3); }
        """
}
