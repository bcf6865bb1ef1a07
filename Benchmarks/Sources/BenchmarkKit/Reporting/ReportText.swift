/// The report as a person reads it.
public enum ReportText {
    /// The tables: throughput for all, then latency and context switches where they were measured.
    public static func text(of report: Report) -> String {
        let pairs = report.scenarios.flatMap { $0.builds.values.map(\.samples) }.max() ?? 0
        let legend =
            "Medians. Ratios are of \(pairs) pairs taken in turn, with their 95 % interval: "
            + "above 1×, what stands first takes longer."
        var parts = [host(report.host), "", throughput(report.scenarios), "", legend]
        let latencies = latencies(report.scenarios)
        if let latencies { parts += ["", "Latency, all samples together:", latencies] }
        let threads = threads(report.scenarios)
        if let threads { parts += ["", "Threads:", threads] }
        return parts.joined(separator: "\n")
    }

    static func host(_ host: Host) -> String {
        "\(host.cpu), \(host.cores) cores, Swift \(host.swift), commit \(host.commit)"
    }

    static func throughput(_ scenarios: [ScenarioReport]) -> String {
        var table = Table(
            [
                "scenario", "unit", "direct", "lockfree", "naive", "naive/lockfree", "lockfree/direct",
                "alloc lockfree", "alloc naive",
            ],
            alignments: [.left, .left, .right, .right, .right, .right, .right, .right, .right])
        for scenario in scenarios {
            func median(_ build: String) -> String {
                scenario.builds[build].map { Figures.number($0.median) } ?? "–"
            }
            table.add([
                scenario.name, scenario.unit, median("direct"), median("lockfree"), median("naive"),
                Figures.ratio(scenario.ratios["naive/lockfree"]),
                Figures.ratio(scenario.ratios["lockfree/direct"]),
                Figures.perEvent(scenario.builds["lockfree"]?.allocationsPerEvent),
                Figures.perEvent(scenario.builds["naive"]?.allocationsPerEvent),
            ])
        }
        return table.text()
    }

    /// A line for each build of each scenario that measured latency, or nil if none did.
    static func latencies(_ scenarios: [ScenarioReport]) -> String? {
        let shown = ["50", "99", "99.9", "100"]
        var table = Table(
            ["scenario", "build", "p50", "p99", "p99.9", "max"],
            alignments: [.left, .left, .right, .right, .right, .right])
        forEachBuild(scenarios) { name, build, figures in
            guard let percentiles = figures.percentiles else { return }
            let cells = shown.map { percent in
                percentiles[percent].map { Figures.duration(nanoseconds: Double($0)) } ?? "–"
            }
            table.add([name, build] + cells)
        }
        return table.isEmpty ? nil : table.text()
    }

    /// What threads cost, a line for each build of each threaded scenario, or nil if there is none.
    static func threads(_ scenarios: [ScenarioReport]) -> String? {
        var table = Table(
            ["scenario", "build", "context switches/event", "counted"],
            alignments: [.left, .left, .right, .left])
        forEachBuild(scenarios) { name, build, figures in
            guard figures.contextSwitchesPerEvent != nil || figures.counts != nil else { return }
            let counts = (figures.counts ?? [:]).sorted { $0.key < $1.key }
            table.add([
                name, build, Figures.perEvent(figures.contextSwitchesPerEvent),
                counts.map { "\($0.key): \(Figures.grouped($0.value))" }.joined(separator: ", "),
            ])
        }
        return table.isEmpty ? nil : table.text()
    }

    private static func forEachBuild(
        _ scenarios: [ScenarioReport],
        _ body: (_ scenario: String, _ build: String, BuildReport) -> Void
    ) {
        for scenario in scenarios {
            for build in ["direct", "lockfree", "naive"] {
                if let figures = scenario.builds[build] { body(scenario.name, build, figures) }
            }
        }
    }
}
