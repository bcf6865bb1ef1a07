internal import CorinthEssentials

extension Inspector {
    /// The streams of the process at a moment.
    public struct Snapshot: Sendable {
        /// A stream or a hop.
        public struct Node: Sendable, Identifiable {
            /// What it is.
            public enum Kind: String, Sendable {
                /// A signal, with those that derive from it on the same thread: `map`, `filter` and such.
                case stream
                /// The queue of an `observe(on:)`.
                case hop
            }

            /// An address. Another node may have it later.
            public let id: UInt
            public let kind: Kind

            /// As ``Signal/named(_:)`` says; of a hop, the name of its scheduler.
            public internal(set) var name: String?

            /// The type of a stream's first signal; nil for others.
            public internal(set) var type: String?

            /// When it was made: nanoseconds of the monotonic clock; 0 for what was made before the inspector was on.
            public let since: UInt64

            /// The return addresses of its maker, innermost first. Those of the library are among them.
            public let frames: [UInt]

            /// How many observers a stream has, without other streams.
            public internal(set) var observers = 0

            /// How many values are queued, and how many permits senders have taken for the next ones: 31 each at most.
            public internal(set) var depth = 0

            /// The bound of the queue, in values; nil if there is none.
            public internal(set) var capacity: Int?

            /// How many threads, tasks and hops wait for room.
            public internal(set) var waiting = 0

            /// How often the bound was raised because nothing was delivered for the stall timeout.
            public internal(set) var stalls = 0

            /// How many values went beyond the bound because their sender would have waited for itself.
            public internal(set) var beyond = 0

            /// How often a stream was biased to a thread that sends to it alone, and another thread came, which takes microseconds. After
            /// the eighth time, it isn't biased any more.
            public internal(set) var biasesTaken = 0

            /// How many values a hop has received, delivered, and dropped; nil if that isn't counted. An end counts as a value.
            public internal(set) var posted: UInt64?
            public internal(set) var delivered: UInt64?
            public internal(set) var dropped: UInt64?

            /// How often a hop has asked its scheduler for a turn: if it is about as often as values were delivered, each value wakes a
            /// thread. nil if that isn't counted.
            public internal(set) var wakes: UInt64?

            /// Whether a hop drops values when it is full.
            public internal(set) var drops = false

            /// Whether a hop has stopped until another one has room.
            public internal(set) var isStopped = false

            /// Of a hop, the one of ``Snapshot/schedulers`` on which it delivers; nil if it is none of the library's.
            public internal(set) var scheduler: UInt?

            /// Identifies the frames.
            let stack: UInt64

            /// ``BufferFigures/id``.
            var queue: UInt64 = 0

            /// A stream that was made before the inspector was on: nothing is known of it but who observes it.
            init(olderStream id: UInt) {
                self.id = id
                kind = .stream
                since = 0
                stack = 0
                frames = []
            }

            init(_ entry: Registry.Entry, _ kind: Kind, id: UInt, frames: [UInt]) {
                self.id = id
                self.kind = kind
                name = entry.name
                since = entry.since
                stack = entry.stack
                self.frames = frames
            }
        }

        /// A scheduler of the library: one that was made while the inspector was on, or on which a hop delivers.
        public struct Scheduler: Sendable, Identifiable {
            /// An address. Another one may have it later.
            public let id: UInt

            /// As its maker calls it. Of a queue's, its label.
            public let name: String

            /// Such as `ThreadScheduler`.
            public let type: String

            /// When it was made: nanoseconds of the monotonic clock; 0 for what was made before the inspector was on.
            public let since: UInt64

            /// The return addresses of its maker, innermost first; empty for what was made before. Those of the library are among them.
            public let frames: [UInt]

            /// How many actions are queued; of a pool, with the running ones, and of a thread, without those beyond its bound. A hop is
            /// one action, whatever the number of its values. nil if that isn't counted, as for queues.
            public let queued: Int?

            /// How many may be; nil if there is no bound.
            public let capacity: Int?

            /// How many actions have run; nil if that isn't counted: pools do.
            public let executed: UInt64?

            /// The same for those of a pool, and nil for others.
            public let pool: UInt?

            /// Identifies the frames.
            let stack: UInt64
        }

        /// Starts of producers, or observations, that were made by the same calls.
        public struct Group: Sendable {
            /// The return addresses of their maker, innermost first. Those of the library are among them.
            public let frames: [UInt]

            /// How many there are.
            public internal(set) var count = 0

            /// When the oldest was made: nanoseconds of the monotonic clock.
            public internal(set) var since = UInt64.max

            /// The streams that observations observe, for the first hundred of them.
            public internal(set) var observed: [UInt] = []

            /// Identifies the frames.
            let stack: UInt64

            init(_ entry: Registry.Entry) {
                frames = entry.frames
                stack = entry.stack
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

        /// Streams and hops.
        public private(set) var nodes: [Node] = []

        /// What runs the hops, and what could.
        public private(set) var schedulers: [Scheduler] = []

        /// The starts of producers, by where they were made.
        public private(set) var starts: [Group] = []

        /// The observers of streams, except for what other streams observe, by where they were made.
        public private(set) var observations: [Group] = []

        /// How values flow, as far as that is known. What runs inside the start of a producer has no edges.
        public private(set) var edges: Set<Edge> = []

        /// Which hops have stopped, and what they wait for.
        public private(set) var waits: Set<Edge> = []

        /// Deliveries that took long, or still go on, as far as threads were watched: see ``Inspector/watch()``.
        public private(set) var deliveries: [Delivery]

        /// How many objects don't appear, because there was no memory to note them.
        public let missed: Int

        /// How often a bound was given up since the process began, in all buffers that there were, and whether or not the inspector
        /// was on: as ``Node/stalls`` and ``Node/beyond`` count it.
        public let stalls: Int
        public let beyond: Int

        /// What there is now.
        init() {
            time = MonotonicTime.now
            (stalls, beyond) = BrokenBounds.counts
            missed = Registry.missed
            deliveries = Delivery.all
            Registry.withEntries { entries in
                var streams = Streams(capacity: entries.count)
                for entry in entries { streams.add(entry) }
                streams.connectHops()
                var groups = Groups()
                for entry in entries { groups.add(entry, to: &streams) }
                (starts, observations) = (Array(groups.starts.values), Array(groups.observations.values))
                (edges, waits) = (streams.edges, streams.waits)
                nodes = streams.nodes
                schedulers = streams.schedulers.all
                for index in deliveries.indices {
                    guard let end = deliveries[index].ended else { continue }
                    deliveries[index].streams.removeAll { streams.isNewer($0, than: end) }
                }
            }
        }
    }
}

extension Inspector.Snapshot {
    /// The streams and the hops.
    private struct Streams {
        private(set) var nodes: [Node] = []
        private(set) var edges: Set<Edge> = []

        /// Where each stream is.
        private var indices: [UInt: Int] = [:]

        /// The streams that get their values by an observation.
        private var targets: [UInt: UInt] = [:]

        /// The hops into each stream.
        private var hops: [UInt: [UInt]] = [:]

        /// The nodes by their queues, and the queues for which they wait.
        private var nodeOfQueue: [UInt64: UInt] = [:]
        private var blockers: [(node: UInt, queue: UInt64)] = []

        /// What a type is called: finding out takes long.
        private var types: [ObjectIdentifier: String] = [:]

        /// The frames of each stack.
        private var frames: [UInt64: [UInt]] = [:]

        private(set) var schedulers = Schedulers()

        init(capacity: Int) {
            nodes.reserveCapacity(capacity)
            indices.reserveCapacity(capacity)
        }

        private mutating func makeNode(_ entry: Registry.Entry, _ kind: Node.Kind, id: UInt) -> Node {
            if let known = frames[entry.stack] { return Node(entry, kind, id: id, frames: known) }
            let new = entry.frames
            frames[entry.stack] = new
            return Node(entry, kind, id: id, frames: new)
        }

        /// Adds a signal or a hop.
        mutating func add(_ entry: Registry.Entry) {
            switch entry.kind {
            case .signal:
                if let object = entry.object { add(unsafe unsafeDowncast(object, to: SignalState.self), entry) }
            case .hop, .droppingHop: if let hop = entry.object as? any InspectedHop { add(hop, entry) }
            case .scheduler:
                if let scheduler = entry.object as? any InspectedScheduler { schedulers.add(scheduler, entry) }
            case .start, .observation, nil: break
            }
        }

        private mutating func add(_ signal: SignalState, _ entry: Registry.Entry) {
            let stream = signal.stream
            for observation in signal.observations { targets[observation] = stream }
            var node = makeNode(entry, .stream, id: stream)
            node.type = name(of: signal.signalType)
            node.biasesTaken = signal.strand.biasesTaken
            note(signal.strand.figures, in: &node)
            indices[stream] = nodes.count
            nodes.append(node)
        }

        private mutating func name(of type: Any.Type) -> String {
            if let known = types[ObjectIdentifier(type)] { return known }
            let new = "\(type)"
            types[ObjectIdentifier(type)] = new
            return new
        }

        private mutating func add(_ hop: any InspectedHop, _ entry: Registry.Entry) {
            var node = makeNode(entry, .hop, id: entry.address)
            // The one in the entry may be cut.
            node.name = hop.scheduler.label
            node.drops = hop.drops
            node.scheduler = schedulers.add(runnerOf: hop)
            note(hop.figures, in: &node)
            let stream = unsafe UInt(bitPattern: Unmanaged.passUnretained(hop.strand).toOpaque())
            hops[stream, default: []].append(node.id)
            nodes.append(node)
        }

        private mutating func note(_ figures: BufferFigures, in node: inout Node) {
            guard figures.id != 0 else { return }
            node.depth = Int(clamping: figures.depth)
            node.capacity = figures.capacity.map { Int(clamping: $0) }
            node.waiting = figures.waiting
            node.stalls = Int(clamping: figures.stalls)
            node.beyond = Int(clamping: figures.excesses)
            node.posted = figures.posted
            node.delivered = figures.delivered
            node.dropped = figures.dropped
            node.wakes = figures.wakes
            node.isStopped = figures.blocker != 0
            node.queue = figures.id
            nodeOfQueue[figures.id] = node.id
            if figures.blocker != 0 { blockers.append((node.id, figures.blocker)) }
        }

        /// Adds the edges from hops to streams. The strand of a hop inside a start is no stream's. Called when all streams are there.
        mutating func connectHops() {
            for (stream, hops) in hops where indices[stream] != nil {
                for hop in hops { edges.insert(Edge(from: hop, to: stream)) }
            }
        }

        /// Adds an observation: an edge, if it is another stream's, or else an observer.
        ///
        /// - Returns: Whether it is an observer.
        mutating func addObservation(_ entry: Registry.Entry) -> Bool {
            guard let object = entry.object else { return false }
            let target = targets[entry.address]
            // It keeps its stream until one of them ends. Then another one may lie there.
            guard unsafe !unsafeDowncast(object, to: Observation.self).hasEnded else { return target == nil }
            let source = entry.subject
            let index = index(of: source)
            guard let target else {
                nodes[index].observers += 1
                return true
            }
            // With several hops, nobody knows which source each of them has.
            for hop in hops[target] ?? [target] { edges.insert(Edge(from: source, to: hop)) }
            return false
        }

        private mutating func index(of stream: UInt) -> Int {
            if let index = indices[stream] { return index }
            indices[stream] = nodes.count
            nodes.append(Node(olderStream: stream))
            return nodes.count - 1
        }

        /// Whether a stream was made after a time, where one may have lain before that has ended.
        func isNewer(_ stream: UInt, than time: UInt64) -> Bool {
            indices[stream].map { nodes[$0].since > time } ?? false
        }

        var waits: Set<Edge> {
            Set(blockers.compactMap { node, queue in nodeOfQueue[queue].map { Edge(from: node, to: $0) } })
        }
    }

    /// The schedulers.
    fileprivate struct Schedulers {
        private var known: [Scheduler] = []

        /// Where each is; and those that run the actions of a pool's, which stands for them.
        private var indices: [UInt: Int] = [:]
        private var inner: [UInt: Int] = [:]

        var all: [Scheduler] { known.filter { inner[$0.id] == nil } }

        mutating func add(_ scheduler: any InspectedScheduler, _ entry: Registry.Entry? = nil) {
            let id = Registry.address(of: scheduler)
            let index = indices[id]
            // What a hop has brought knows less.
            guard entry != nil || index == nil else { return }
            let new = Scheduler(
                id: id, name: scheduler.label, type: "\(type(of: scheduler))", since: entry?.since ?? 0,
                frames: entry?.frames ?? [], queued: scheduler.queued.map { Int(clamping: $0) },
                capacity: scheduler.bound.map { Int(clamping: $0) }, executed: scheduler.executed,
                pool: scheduler.pool.map { Registry.address(of: $0) }, stack: entry?.stack ?? 0)
            if let index {
                known[index] = new
            } else {
                indices[id] = known.count
                known.append(new)
            }
            if let one = scheduler.inner { inner[Registry.address(of: one)] = 0 }
        }

        /// Adds the scheduler of a hop.
        ///
        /// - Returns: Which one it is.
        mutating func add(runnerOf hop: any InspectedHop) -> UInt? {
            let runner = (hop.scheduler as? any Corinth.Scheduler)?.runner ?? hop.scheduler
            guard let scheduler = runner as? any InspectedScheduler else { return nil }
            add(scheduler)
            return Registry.address(of: scheduler)
        }
    }

    /// Starts and observations by their stacks.
    private struct Groups {
        private(set) var starts: [UInt64: Group] = [:]
        private(set) var observations: [UInt64: Group] = [:]

        /// Adds a start or an observation. The streams are complete.
        mutating func add(_ entry: Registry.Entry, to streams: inout Streams) {
            switch entry.kind {
            case .start: starts[entry.stack, default: Group(entry)].add(entry)
            case .observation:
                guard streams.addObservation(entry) else { return }
                observations[entry.stack, default: Group(entry)].add(entry)
            case .signal, .hop, .droppingHop, .scheduler, nil: break
            }
        }
    }
}

extension Inspector.Snapshot.Group {
    fileprivate mutating func add(_ entry: Registry.Entry) {
        count += 1
        since = min(since, entry.since)
        if entry.subject != 0, observed.count < 100 { observed.append(entry.subject) }
    }
}
