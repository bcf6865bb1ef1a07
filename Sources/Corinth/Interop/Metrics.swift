public import Dispatch

extension Inspector {
    /// A figure for a system of metrics.
    public struct Metric: Hashable, Sendable {
        /// How it may change.
        public enum Kind: String, Sendable {
            /// It rises and falls.
            case gauge
            /// It rises, from 0 at the beginning of the process.
            case counter
        }

        /// Such as `corinth_buffer_depth`: of the letters `a` to `z` and underscores.
        public let name: String

        /// What it counts, in a sentence.
        public let help: String
        public let kind: Kind

        /// Which streams or hops it is about; empty if it is about the process. `kind` is `stream` or `hop`, and `name` is
        /// ``Snapshot/Node/name`` or else ``Snapshot/Node/type``.
        public let labels: [String: String]

        /// In the unit that ``help`` says.
        public let value: Double
    }

    /// What takes figures to a system of metrics: see ``export(to:every:on:)``.
    public protocol MetricsRecorder: Sendable {
        /// Records a figure. Called on the scheduler of the export.
        func record(_ metric: Metric)
    }

    /// Turns the inspector on, and records ``Snapshot/metrics`` from time to time. A gauge that is there no longer, since everything
    /// of its name has ended, is recorded once more as 0.
    ///
    /// - Parameters:
    ///   - recorder: Gets all figures, one after the other.
    ///   - interval: The time until the first record, and then between two of them. More than 0; with `.never`, none comes.
    ///   - scheduler: Where they are taken and recorded.
    /// - Returns: A disposable that ends the export. A record may be in progress when `dispose` returns.
    /// - Complexity: For each interval, that of ``snapshot()`` and of ``Snapshot/metrics``.
    /// ## Concurrency
    /// Any thread. `recorder` is called on `scheduler`, one call at a time, if that runs one action at a time.
    @discardableResult
    public static func export(
        to recorder: any MetricsRecorder, every interval: DispatchTimeInterval, on scheduler: any DateScheduler
    ) -> any Disposable {
        precondition(interval.timeInterval > 0, "interval is \(interval), but must be greater than 0")
        start()
        let before = Atomic<[Metric]>([])
        let timer = scheduler.schedule(after: interval, interval: interval) {
            let now = snapshot().metrics
            let series = Set(now.map(\.series))
            for metric in before.swap(now) where metric.kind == .gauge && !series.contains(metric.series) {
                recorder.record(metric.ended)
            }
            for metric in now { recorder.record(metric) }
        }
        return timer ?? AnyDisposable()
    }
}

extension Inspector.Metric {
    /// What stays the same from one snapshot to the next.
    fileprivate var series: [String] { [name] + sortedLabels.flatMap { [$0.key, $0.value] } }

    fileprivate var sortedLabels: [(key: String, value: String)] {
        let all = Array(labels)
        return sortedIndices(all.count) { all[$0].key < all[$1].key }.map { all[$0] }
    }

    fileprivate static func ofProcess(_ name: String, _ kind: Kind, _ value: Int, _ help: String) -> Inspector.Metric {
        Inspector.Metric(name: name, help: help, kind: kind, labels: [:], value: Double(value))
    }

    /// The same, when nothing of its name is left.
    fileprivate var ended: Inspector.Metric {
        Inspector.Metric(name: name, help: help, kind: kind, labels: labels, value: 0)
    }
}

extension Inspector.Snapshot {
    /// Figures for a system of metrics: those of the process, then those of its streams and hops, in the order of their names.
    ///
    /// Streams and hops of the same kind and name are one, and streams without a name are one for each type. So the number of
    /// figures doesn't depend on how many there are: there are at most 201 names of each kind. Beyond the 200 that have been there
    /// for longest, they are called `others`.
    ///
    /// What is about the process is counted from its beginning. What is about a name is the sum over those that are alive, so it
    /// falls when one ends, and is a gauge.
    ///
    /// - Complexity: O(*n* log *n*) for *n* streams and hops.
    /// ## Concurrency
    /// Any thread.
    public var metrics: [Inspector.Metric] {
        let process: [Inspector.Metric] = [
            .ofProcess(
                "corinth_stalls_total", .counter, stalls,
                "How often a buffer admitted one more capacity, because nothing was delivered for its stall timeout."),
            .ofProcess(
                "corinth_beyond_total", .counter, beyond,
                "How many values went beyond a bound, because their sender would have waited for itself."),
            .ofProcess(
                "corinth_missed_total", .counter, missed,
                "How many objects don't appear here, because there was no memory to note them."),
            .ofProcess(
                "corinth_starts", .gauge, starts.reduce(0) { $0 + $1.count }, "How many starts of producers are alive."),
            .ofProcess(
                "corinth_observations", .gauge, observations.reduce(0) { $0 + $1.count },
                "How many observers streams have."),
        ]
        let names = names
        let named = Figure.all.flatMap { figure in
            names.filter { figure.isOfStreams || $0.kind == .hop }.map { $0.metric(figure) }
        }
        return process + named
    }

    /// The streams and hops by their kinds and names.
    private var names: [NamedNodes] {
        var names: [[String]: NamedNodes] = [:]
        var known: [Node.Kind: Int] = [:]
        for index in sortedIndices(nodes.count, by: { nodes[$0].since < nodes[$1].since }) {
            let node = nodes[index]
            var name = node.name ?? node.type ?? ""
            if names[[node.kind.rawValue, name]] == nil {
                known[node.kind, default: 0] += 1
                if known[node.kind, default: 0] > 200 { name = "others" }
            }
            names[[node.kind.rawValue, name], default: NamedNodes(kind: node.kind, name: name)].add(node)
        }
        let all = Array(names.values)
        let order = sortedIndices(all.count) {
            (all[$0].kind.rawValue, all[$0].name) < (all[$1].kind.rawValue, all[$1].name)
        }
        return order.map { all[$0] }
    }

    /// The figures in the text format of Prometheus, version 0.0.4.
    /// - Complexity: As ``metrics``.
    /// ## Concurrency
    /// Any thread.
    public var prometheusText: String {
        var text = ""
        var last = ""
        for metric in metrics {
            if metric.name != last {
                text += "# HELP \(metric.name) \(metric.help.escaped(quotes: false))\n"
                text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
                last = metric.name
            }
            text += metric.name
            if !metric.labels.isEmpty {
                let labels = metric.sortedLabels.map {
                    "\($0.key)=\"\($0.value.escaped(quotes: true))\""
                }
                text += "{\(labels.joined(separator: ","))}"
            }
            text += " \(metric.value)\n"
        }
        return text
    }
}

/// The numbers below a count in an order. One sort for all: the compiler makes one for each type of elements.
@inline(never)
private func sortedIndices(_ count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: isBefore)
}

/// Streams or hops of the same name.
private struct NamedNodes {
    let kind: Inspector.Snapshot.Node.Kind
    let name: String
    var count = 0
    var depth = 0
    var fill = 0.0
    var waiting = 0
    var stopped = 0
    var stalls = 0
    var beyond = 0
    var delivered: UInt64 = 0
    var dropped: UInt64 = 0
    var wakes: UInt64 = 0

    init(kind: Inspector.Snapshot.Node.Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    mutating func add(_ node: Inspector.Snapshot.Node) {
        count += 1
        depth += node.depth
        if let capacity = node.capacity, capacity > 0 { fill = max(fill, Double(node.depth) / Double(capacity)) }
        waiting += node.waiting
        stopped += node.isStopped ? 1 : 0
        stalls += node.stalls
        beyond += node.beyond
        delivered &+= node.delivered ?? 0
        dropped &+= node.dropped ?? 0
        wakes &+= node.wakes ?? 0
    }

    func metric(_ figure: Figure) -> Inspector.Metric {
        Inspector.Metric(
            name: figure.name, help: figure.help, kind: .gauge, labels: ["kind": kind.rawValue, "name": name],
            value: figure.value(self))
    }
}

/// A figure of streams and hops, or of hops alone.
private struct Figure: Sendable {
    let name: String
    let help: String
    var isOfStreams = true
    let value: @Sendable (NamedNodes) -> Double

    static let all = [
        Figure(name: "corinth_buffers", help: "How many streams or hops have this name.") { Double($0.count) },
        Figure(name: "corinth_buffer_depth", help: "How many values are queued.") { Double($0.depth) },
        Figure(
            name: "corinth_buffer_fill_ratio",
            help: "Depth by capacity, from 0 to 1 and beyond, of the fullest of them."
        ) {
            $0.fill
        },
        Figure(name: "corinth_buffer_waiting", help: "How many threads, tasks and hops wait for room.") {
            Double($0.waiting)
        },
        Figure(
            name: "corinth_buffer_stalls",
            help: "How often those that are alive admitted one more capacity, because nothing was delivered."
        ) { Double($0.stalls) },
        Figure(
            name: "corinth_buffer_beyond",
            help: "How many values went beyond the bound of those that are alive, because of a cycle."
        ) { Double($0.beyond) },
        Figure(
            name: "corinth_hops_stopped", help: "How many hops have stopped until another one has room.",
            isOfStreams: false
        ) { Double($0.stopped) },
        Figure(
            name: "corinth_hop_delivered", help: "How many values the hops that are alive have delivered.",
            isOfStreams: false
        ) { Double($0.delivered) },
        Figure(
            name: "corinth_hop_dropped",
            help: "How many values the hops that are alive have dropped, because they were full.",
            isOfStreams: false
        ) { Double($0.dropped) },
        Figure(
            name: "corinth_hop_wakes",
            help: "How often the hops that are alive have asked their schedulers for a turn.",
            isOfStreams: false
        ) { Double($0.wakes) },
    ]
}

extension String {
    /// As the text format wants it.
    fileprivate func escaped(quotes: Bool) -> String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\"" where quotes: text += "\\\""
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
