import AccessLog
import BenchmarkKit

/// The traffic of a log as text.
enum TrafficText {
    static func text(of traffic: Traffic) -> String {
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
        for (client, bytes) in traffic.topClients() { clients.add([client, Figures.grouped(bytes)]) }
        return facts.text() + "\n\n" + clients.text()
    }

    private static func rate(_ traffic: Traffic) -> String {
        guard traffic.requests > 0 else { return "no requests" }
        return "\(Figures.perEvent(traffic.serverErrorRate * 100)) %"
    }
}
