public import BenchmarkKit

/// The traffic of a log as text.
public enum TrafficText {
    /// What there is, and how much of it.
    static func facts(of traffic: TrafficSummary) -> [[String]] {
        var facts = [
            ["lines", Figures.grouped(traffic.lines)], ["malformed", Figures.grouped(traffic.malformed)],
            ["requests", Figures.grouped(traffic.requests)],
            ["minutes with requests", Figures.grouped(traffic.minutes)],
        ]
        if let busiest = traffic.busiestMinute {
            let minute = AccessRecord.stamp(seconds: busiest.minute * 60)
            facts.append(["busiest minute", "\(Figures.grouped(busiest.requests)) at \(minute)"])
        }
        facts.append(["answered with 5xx", "\(Figures.grouped(traffic.serverErrors)) (\(rate(traffic)))"])
        facts.append(["late lines", Figures.grouped(traffic.late)])
        return facts
    }

    public static func text(of traffic: TrafficSummary) -> String {
        let all = facts(of: traffic)
        var facts = Table(all[0])
        for fact in all.dropFirst() { facts.add(fact) }
        guard traffic.requests > 0 else { return facts.text() }
        var clients = Table(["top clients", "bytes"])
        for client in traffic.topClients {
            clients.add([Printable.text(client.name, limit: 60), Figures.grouped(client.bytes)])
        }
        return ([facts.text() + "\n\n" + clients.text()] + traffic.remarks.map(sentence)).joined(separator: "\n\n")
    }

    /// The aggregates, for the JSON.
    ///
    /// - Parameter requestsPerMinute: By minute since 1970.
    public static func json(of traffic: TrafficSummary, requestsPerMinute: [Int: Int]) -> JSONValue {
        let clients = traffic.topClients.map { client in
            JSONValue.object(["client": .text(client.name), "bytes": .integer(client.bytes)])
        }
        let minutes = requestsPerMinute.sorted { $0.key < $1.key }.map { minute, requests in
            JSONValue.object(["time": .integer(60 * minute), "requests": .integer(requests)])
        }
        return .object([
            "lines": .integer(traffic.lines), "malformed": .integer(traffic.malformed),
            "requests": .integer(traffic.requests), "serverErrors": .integer(traffic.serverErrors),
            "serverErrorRate": .number(traffic.serverErrorRate), "late": .integer(traffic.late),
            "requestsPerMinute": .array(minutes), "topClients": .array(clients),
            "remarks": .array(traffic.remarks.map { .text($0) }),
        ])
    }

    /// The first malformed lines, with reasons; nil if there are none.
    public static func malformed(_ log: LogAnalysis) -> String? {
        guard !log.malformedLines.isEmpty else { return nil }
        let shown = log.malformedLines.map { line in
            "  line \(Figures.grouped(line.number)): \(line.reason)\n    \(Printable.text(line.text, limit: 72))"
        }
        return "The first malformed lines:\n" + shown.joined(separator: "\n")
    }

    /// With a capital letter and a full stop.
    static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

    private static func rate(_ traffic: TrafficSummary) -> String {
        guard traffic.requests > 0 else { return "no requests" }
        return "\(Figures.perEvent(traffic.serverErrorRate * 100)) %"
    }
}
