internal import CCorinth
internal import CorinthEssentials

extension Inspector {
    /// The streams of the process at a moment.
    public struct Snapshot: Sendable {
        /// A stream, a hop or a start.
        public struct Node: Sendable, Identifiable {
            /// What it is.
            public enum Kind: String, Sendable {
                /// A signal, with those that derive from it on the same thread: `map`, `filter` and such.
                case stream
                /// The queue of an `observe(on:)`.
                case hop
                /// The start of a producer.
                case start
                /// An observer of a stream that is no other stream.
                case observation
            }

            /// An address. Another node may have it later.
            public let id: UInt
            public let kind: Kind

            /// As ``Signal/named(_:)`` says; of a hop, the name of its scheduler.
            public internal(set) var name: String?

            /// The type of a stream's first signal; nil for others.
            public internal(set) var type: String?

            /// When it was made: nanoseconds of the monotonic clock.
            public let since: UInt64

            /// The return addresses of its maker, innermost first. Those of the library are among them.
            public let frames: [UInt]

            /// How many observers a stream has, without other streams.
            public internal(set) var observers = 0

            /// How many values are queued.
            public internal(set) var depth = 0

            /// The bound of the queue, in values; nil if there is none.
            public internal(set) var capacity: Int?

            /// How many threads, tasks and hops wait for room.
            public internal(set) var waiting = 0

            /// How often the bound was raised because nothing was delivered for the stall timeout.
            public internal(set) var stalls = 0

            /// How many values went beyond the bound because their sender would have waited for itself.
            public internal(set) var beyond = 0

            /// How many values a hop has received and delivered; nil if that isn't counted.
            public internal(set) var posted: UInt64?
            public internal(set) var delivered: UInt64?

            /// Whether a hop drops values when it is full.
            public internal(set) var drops = false

            /// Whether a hop has stopped until another one has room.
            public internal(set) var isStopped = false

            /// The stream that an observation observes.
            public internal(set) var observed: UInt?

            init(_ entry: ccorinth_registry_entry, _ kind: Kind, id: UInt) {
                self.id = id
                self.kind = kind
                name = entry.givenName
                since = entry.since
                frames = entry.addresses
            }
        }

        /// From a node to one that receives its values, or for which it waits.
        public struct Edge: Hashable, Sendable {
            public let from: UInt
            public let to: UInt

            public init(from: UInt, to: UInt) {
                self.from = from
                self.to = to
            }
        }

        /// When it was taken: nanoseconds of the monotonic clock.
        public let time: UInt64

        /// Streams, hops, starts and observations, in the order of their addresses.
        public private(set) var nodes: [Node] = []

        /// How values flow, as far as that is known. What runs inside the start of a producer has no edges.
        public private(set) var edges: Set<Edge> = []

        /// Which hops have stopped, and what they wait for.
        public private(set) var waits: Set<Edge> = []

        /// How many objects don't appear, because there was no memory to note them.
        public let missed: Int

        init(of objects: [(entry: ccorinth_registry_entry, kind: Registry.Kind, object: AnyObject)]) {
            time = MonotonicTime.now
            missed = Registry.missed
            var builder = Builder()
            for (entry, kind, object) in objects { builder.add(entry, kind, object) }
            nodes = builder.finish(edges: &edges, waits: &waits)
        }
    }
}

extension Inspector.Snapshot {
    /// Puts signals together to streams, and finds the edges.
    private struct Builder {
        private var streams: [UInt: Node] = [:]
        private var others: [Node] = []

        /// The streams that observations observe.
        private var observed: [UInt: UInt] = [:]

        /// The observations by which streams get their values.
        private var sources: [(stream: UInt, observation: UInt)] = []

        /// The hops into each stream.
        private var hops: [UInt: [UInt]] = [:]

        /// The nodes by their queues, and the queues for which they wait.
        private var nodeOfQueue: [UInt64: UInt] = [:]
        private var blockers: [(node: UInt, queue: UInt64)] = []

        mutating func add(_ entry: ccorinth_registry_entry, _ kind: Registry.Kind, _ object: AnyObject) {
            switch kind {
            case .signal: if let signal = object as? SignalState { add(signal, entry) }
            case .hop: if let hop = object as? any InspectedHop { add(hop, entry) }
            case .start: others.append(Node(entry, .start, id: entry.object))
            case .observation:
                var node = Node(entry, .observation, id: entry.object)
                node.observed = entry.subject
                observed[entry.object] = entry.subject
                others.append(node)
            }
        }

        private mutating func add(_ signal: SignalState, _ entry: ccorinth_registry_entry) {
            for observation in signal.observations { sources.append((signal.stream, observation)) }
            var node = Node(entry, .stream, id: signal.stream)
            node.type = "\(signal.signalType)"
            note(signal.strand.figures, in: &node)
            streams[node.id] = node
        }

        private mutating func add(_ hop: any InspectedHop, _ entry: ccorinth_registry_entry) {
            var node = Node(entry, .hop, id: entry.object)
            node.name = node.name ?? hop.scheduler.label
            node.drops = hop.drops
            note(hop.figures, in: &node)
            let stream = unsafe UInt(bitPattern: Unmanaged.passUnretained(hop.strand).toOpaque())
            hops[stream, default: []].append(node.id)
            others.append(node)
        }

        private mutating func note(_ figures: BufferFigures, in node: inout Node) {
            node.depth = Int(clamping: figures.depth)
            node.capacity = figures.capacity.map { Int(clamping: $0) }
            node.waiting = figures.waiting
            node.stalls = Int(clamping: figures.stalls)
            node.beyond = Int(clamping: figures.excesses)
            node.posted = figures.posted
            node.delivered = figures.delivered
            node.isStopped = figures.blocker != 0
            if figures.id != 0 { nodeOfQueue[figures.id] = node.id }
            if figures.blocker != 0 { blockers.append((node.id, figures.blocker)) }
        }

        consuming func finish(edges: inout Set<Edge>, waits: inout Set<Edge>) -> [Node] {
            for (stream, observation) in sources {
                guard let source = observed[observation] else { continue }
                // With several hops, nobody knows which source each of them has.
                for target in hops[stream] ?? [stream] { edges.insert(Edge(from: source, to: target)) }
            }
            for (stream, hops) in hops where streams[stream] != nil {
                for hop in hops { edges.insert(Edge(from: hop, to: stream)) }
            }
            for (node, queue) in blockers {
                if let target = nodeOfQueue[queue] { waits.insert(Edge(from: node, to: target)) }
            }
            // What is an edge is no observer besides.
            let inner = Set(sources.map(\.observation))
            others.removeAll { inner.contains($0.id) }
            for (observation, stream) in observed where !inner.contains(observation) {
                streams[stream]?.observers += 1
            }
            return (Array(streams.values) + others).sorted { $0.id < $1.id }
        }
    }
}
