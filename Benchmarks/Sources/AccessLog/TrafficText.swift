public import BenchmarkKit

/// The traffic of a log as text.
public enum TrafficText {
    public static func text(of traffic: Traffic) -> String {
        var facts = Table(["lines", Figures.grouped(traffic.lines)])
        facts.add(["malformed", Figures.grouped(traffic.malformed)])
        facts.add(["requests", Figures.grouped(traffic.requests)])
        facts.add(["minutes with requests", Figures.grouped(traffic.requestsPerMinute.count)])
        if let busiest = traffic.busiestMinute {
            let minute = AccessRecord.stamp(time: busiest.minute * 60)
            facts.add(["busiest minute", "\(Figures.grouped(busiest.requests)) at \(minute)"])
        }
        facts.add(["answered with 5xx", "\(Figures.grouped(traffic.serverErrors)) (\(rate(traffic)))"])
        facts.add(["late lines", Figures.grouped(traffic.late)])
        guard traffic.requests > 0 else { return facts.text() }
        var clients = Table(["top clients", "bytes"])
        for (client, bytes) in traffic.topClients() {
            clients.add([Printable.text(client, limit: 60), Figures.grouped(bytes)])
        }
        let note =
            traffic.hasOverflowed ? "\n\nA sum of bytes is larger than \(Figures.grouped(.max)): it stays there." : ""
        return facts.text() + "\n\n" + clients.text() + note
    }

    /// The aggregates, for the JSON.
    public static func json(of traffic: Traffic) -> JSONValue {
        let clients = traffic.topClients().map { client, bytes in
            JSONValue.object(["client": .text(client), "bytes": .integer(bytes)])
        }
        let minutes = traffic.requestsPerMinute.sorted { $0.key < $1.key }.map { minute, requests in
            JSONValue.object(["time": .integer(60 * minute), "requests": .integer(requests)])
        }
        return .object([
            "lines": .integer(traffic.lines), "malformed": .integer(traffic.malformed),
            "requests": .integer(traffic.requests), "serverErrors": .integer(traffic.serverErrors),
            "serverErrorRate": .number(traffic.serverErrorRate), "late": .integer(traffic.late),
            "requestsPerMinute": .array(minutes), "topClients": .array(clients),
            "hasOverflowed": .bool(traffic.hasOverflowed),
        ])
    }

    /// The first malformed lines, with reasons; nil if there are none.
    public static func malformed(_ log: AccessLog) throws -> String? {
        let lines = try log.malformedLines()
        guard !lines.isEmpty else { return nil }
        let shown = lines.map { line in
            "  line \(Figures.grouped(line.number)): \(line.reason)\n    \(Printable.text(line.text, limit: 72))"
        }
        return "The first malformed lines:\n" + shown.joined(separator: "\n")
    }

    private static func rate(_ traffic: Traffic) -> String {
        guard traffic.requests > 0 else { return "no requests" }
        return "\(Figures.perEvent(traffic.serverErrorRate * 100)) %"
    }
}
