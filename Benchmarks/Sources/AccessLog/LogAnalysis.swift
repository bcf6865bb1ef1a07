public import BenchmarkKit

/// The traffic and the logged latencies of a log, computed from its parts in the order of the log.
///
/// Its memory is bounded, whatever the log has: see ``Limits``. What a limit has left out is said in ``TrafficSummary/remarks``.
public struct LogAnalysis: Sendable {
    /// How much is kept.
    enum Limits {
        /// Spans of time, each a minute wide, or wider if there are more.
        static let spans = 10_000
        /// Routes. Requests to others are counted together.
        static let routes = 2000
        /// The length of a route in bytes. Requests to longer ones are counted with those.
        static let routeLength = 1000
        /// Clients. If there are twice as many, those with the fewest bytes are left out.
        static let clients = 100_000
        static let slowest = 10
        static let malformed = 5
    }

    /// Some requests.
    struct Group: Equatable, Sendable {
        var requests = 0
        var serverErrors = 0
        var latencies = LatencyCounts()

        mutating func add(_ record: AccessRecord) {
            requests += 1
            if record.status >= 500 { serverErrors += 1 }
            if let latency = record.latency { latencies.record(latency) }
        }

        mutating func merge(_ other: Group) {
            requests += other.requests
            serverErrors += other.serverErrors
            latencies.merge(other.latencies)
        }
    }

    /// A request that took long.
    struct SlowRequest: Equatable, Sendable {
        var latency: Int
        /// Its line, from 1.
        var line: Int
        var time: Int
        var status: Int
        var client: String
        var request: String
    }

    struct MalformedLine: Equatable, Sendable {
        /// From 1.
        var number: Int
        var reason: String
        /// Its beginning.
        var text: String
    }

    /// Of requests whose latency is logged, in nanoseconds; nil without any.
    public private(set) var latencies: Histogram?
    private(set) var malformedLines: [MalformedLine] = []
    private(set) var slowest: [SlowRequest] = []
    private(set) var routes: [[UInt8]: Group] = [:]
    /// Requests to routes beyond the limits.
    private(set) var otherRoutes = Group()
    /// How many of these went to routes that are too long.
    private var tooLongRoutes = 0
    private(set) var spans = TimeSpans()

    public private(set) var malformed = 0
    public private(set) var requests = 0
    private var directives = 0
    private var serverErrors = 0
    private var unanswered = 0
    private var late = 0
    private var clients = ClientBytes(limit: Limits.clients)

    /// How many latencies are longer than a ``Histogram`` can have.
    private var tooLong = 0

    /// The times of the requests of this part that aren't later than the ones before them, ascending, for the part before this one.
    private var newest: [Int] = []

    /// Whether the lines have other fields from some place on, so that they can't be read.
    private var hasOtherFields = false

    /// - Throws: ``LogError`` if lines have been read as if they had other fields.
    public func checkFields() throws {
        if hasOtherFields { throw LogError.otherFields }
    }

    public init() {}

    /// Analyses whole lines.
    public init(of bytes: [UInt8], _ format: LogFormat) {
        var route: [UInt8] = []
        LineRanges.forEach(in: bytes) { line in
            if format.isDirective(bytes[line]) {
                directives += 1
                if format.changesFields(bytes[line]) { hasOtherFields = true }
            } else if let record = format.record(bytes, line) {
                Route.write(record, in: bytes, to: &route)
                add(record, route, bytes)
            } else {
                addMalformed(line, bytes, format)
            }
        }
    }

    /// How many lines there are, without those about the log.
    public var lines: Int { requests + malformed }

    private mutating func add(_ record: AccessRecord, _ route: [UInt8], _ bytes: [UInt8]) {
        requests += 1
        if record.status >= 500 { serverErrors += 1 }
        if record.status == 0 { unanswered += 1 }
        if let last = newest.last, record.time < last { late += 1 } else { newest.append(record.time) }
        clients.add(record.bytes, of: record.client)
        spans.add(record)
        if route.count > Limits.routeLength {
            tooLongRoutes += 1
            otherRoutes.add(record)
        } else if routes[route] != nil || routes.count < Limits.routes {
            routes[route, default: Group()].add(record)
        } else {
            otherRoutes.add(record)
        }
        guard let latency = record.latency else { return }
        if UInt64(latency) > Histogram.highest { tooLong += 1 }
        if latencies == nil { latencies = Histogram() }
        latencies?.record(UInt64(latency))
        if slowest.count < Limits.slowest || latency > slowest[slowest.count - 1].latency {
            keep(
                SlowRequest(
                    latency: latency, line: requests + malformed + directives, time: record.time, status: record.status,
                    client: record.client, request: Self.request(record, bytes)))
        }
    }

    private static func request(_ record: AccessRecord, _ bytes: [UInt8]) -> String {
        let method = record.method.isEmpty ? "" : text(bytes, record.method) + " "
        return method + text(bytes, record.target)
    }

    private mutating func addMalformed(_ line: Range<Int>, _ bytes: [UInt8], _ format: LogFormat) {
        malformed += 1
        guard malformedLines.count < Limits.malformed else { return }
        malformedLines.append(
            MalformedLine(
                number: requests + malformed + directives,
                reason: format.problem(bytes, line) ?? "it doesn't have the format", text: Self.text(bytes, line)))
    }

    private static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        String(decoding: bytes[range.prefix(200)], as: UTF8.self)
    }

    private mutating func keep(_ request: SlowRequest) {
        let place = slowest.firstIndex { $0.latency < request.latency } ?? slowest.count
        slowest.insert(request, at: place)
        if slowest.count > Limits.slowest { slowest.removeLast() }
    }

    /// Adds the part of the log that follows this one.
    ///
    /// - Complexity: O(minutes, routes and clients of the part).
    public mutating func append(_ next: LogAnalysis) {
        let before = requests + malformed + directives
        for line in next.malformedLines where malformedLines.count < Limits.malformed {
            malformedLines.append(MalformedLine(number: before + line.number, reason: line.reason, text: line.text))
        }
        for var request in next.slowest {
            request.line += before
            if slowest.count < Limits.slowest || request.latency > slowest[slowest.count - 1].latency { keep(request) }
        }
        if let more = next.latencies {
            if latencies == nil { latencies = more } else { latencies?.merge(more) }
        }
        appendRoutes(of: next)
        spans.merge(next.spans)
        clients.merge(next.clients)
        malformed += next.malformed
        requests += next.requests
        directives += next.directives
        serverErrors += next.serverErrors
        unanswered += next.unanswered
        tooLong += next.tooLong
        if next.hasOtherFields { hasOtherFields = true }
        late += next.late
        if let last = newest.last {
            late += next.newest.partitioningIndex { $0 >= last }
        }
        if let last = [newest.last, next.newest.last].compactMap({ $0 }).max() { newest = [last] }
    }

    private mutating func appendRoutes(of next: LogAnalysis) {
        // In an order that doesn't depend on the hash, so that the same log has the same result.
        let new = next.routes.keys.filter { routes[$0] == nil }.sorted { $0.lexicographicallyPrecedes($1) }
        for route in new.prefix(max(0, Limits.routes - routes.count)) { routes[route] = Group() }
        for (route, group) in next.routes {
            if routes[route] != nil { routes[route]?.merge(group) } else { otherRoutes.merge(group) }
        }
        otherRoutes.merge(next.otherRoutes)
        tooLongRoutes += next.tooLongRoutes
    }

    // MARK: What is shown

    public var summary: TrafficSummary {
        TrafficSummary(
            lines: lines, malformed: malformed, requests: requests, minutes: spans.count,
            busiestMinute: spans.busiest.map { TrafficSummary.Minute(minute: $0.minute, requests: $0.requests) },
            serverErrors: serverErrors, late: late, topClients: clients.top, remarks: remarks)
    }

    private var remarks: [String] {
        var found: [String] = []
        if unanswered > 0 {
            let requests = unanswered == 1 ? "1 request has" : "\(Figures.grouped(unanswered)) requests have"
            found.append("\(requests) no status: there was no answer")
        }
        if spans.width > 1 {
            found.append(
                "there are more than \(Figures.grouped(Limits.spans)) minutes: spans of \(spans.width) minutes are counted as one"
            )
        }
        if clients.lost > 0 {
            found.append(
                "there are more than \(Figures.grouped(Limits.clients)) clients: the bytes of one may lack up to "
                    + "\(Figures.grouped(clients.lost))")
        }
        let tooMany = otherRoutes.requests - tooLongRoutes
        if tooMany > 0 {
            found.append(
                "there are more than \(Figures.grouped(Limits.routes)) routes: \(Figures.grouped(tooMany)) "
                    + "requests to others are counted together")
        }
        if tooLongRoutes > 0 {
            let requests = tooLongRoutes == 1 ? "1 request" : "\(Figures.grouped(tooLongRoutes)) requests"
            found.append(
                "\(requests) to routes of more than \(Figures.grouped(Limits.routeLength)) bytes are counted together")
        }
        if tooLong > 0 {
            found.append("\(Figures.grouped(tooLong)) latencies of more than an hour count as an hour in percentiles")
        }
        if clients.hasOverflowed { found.append(TrafficSummary.overflow) }
        return found
    }
}

extension Array {
    /// The first index whose element fulfils a condition that all after it fulfil, too; the end if none does.
    fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
