#if NATS
/// What a worker of a group knows: a value, and one function for everything that happens. Times are the uptime in nanoseconds.
struct GroupState<Run: Sendable>: Sendable {
    private enum Phase: Sendable {
        case working
        /// The connection is to be drained: all partitions are given up, and none is taken over.
        ///
        /// - Parameter done: Called when they are.
        case draining(done: @Sendable () -> Void)
        /// They are, and the others aren't told any more that this worker is there.
        case gone
        case ended
    }

    private struct Member: Sendable {
        var lastHeard: UInt64
        var partitions: Set<Int>
    }

    private let id: String
    private let count: Int
    private let heartbeat: UInt64
    private var phase = Phase.working
    /// The others.
    private var members: [String: Member] = [:]
    /// Who is to have each partition; nil if members have come or gone since.
    private var owners: [String]?
    private var running: [Int: Run] = [:]
    /// When a partition may be taken over again that another worker has taken over, or that has failed.
    private var pauses: [Int: UInt64] = [:]
    /// How often the handler of a partition didn't return in time.
    private var stuck: [Int: Int] = [:]
    /// How often this worker has told that it is there. The first time asks the others to tell what they have.
    private var beats = 0

    /// - Parameters:
    ///   - id: The name of this worker.
    ///   - count: How many partitions there are.
    ///   - heartbeat: In nanoseconds.
    init(id: String, count: Int, heartbeat: UInt64) {
        self.id = id
        self.count = count
        self.heartbeat = heartbeat
    }

    // MARK: The others

    /// Which partitions this worker has; nil if the others aren't told any more.
    var announced: [Int]? {
        switch phase {
        case .working, .draining: running.keys.sorted()
        case .gone, .ended: nil
        }
    }

    /// A heartbeat: who was silent for too long is gone.
    mutating func beat(at now: UInt64, isConnected: Bool) {
        if isConnected { beats += 1 }
        let count = members.count
        members = members.filter { (now - $0.value.lastHeard) / UInt64(NATSGroup.silentBeats) < heartbeat }
        if members.count < count { owners = nil }
    }

    /// Another worker says which partitions it has.
    ///
    /// - Returns: Whether it is new, so that it hasn't heard of this one either, and whether it has said that before.
    mutating func hear(_ other: String, _ partitions: Set<Int>, at now: UInt64) -> (isNew: Bool, isKnown: Bool) {
        let before = members.updateValue(Member(lastHeard: now, partitions: partitions), forKey: other)
        if before == nil { owners = nil }
        return (before == nil, before?.partitions == partitions)
    }

    /// Another worker says that it is gone.
    mutating func forget(_ other: String) {
        if members.removeValue(forKey: other) != nil { owners = nil }
    }

    // MARK: The partitions

    /// Who is to have each partition: each worker about as many, and few of them change when a worker comes or goes.
    ///
    /// - Complexity: O(partitions × workers).
    static func assignment(of count: Int, to workers: [String]) -> [String] {
        // Of equal weights, the last name wins.
        let workers = workers.sorted()
        let most = (count + workers.count - 1) / workers.count
        var loads = Array(repeating: 0, count: workers.count)
        return (0..<count).map { partition in
            var (best, heaviest) = (-1, UInt64(0))
            for (index, worker) in workers.enumerated() where loads[index] < most {
                let weight = weight(worker, partition)
                if best < 0 || weight >= heaviest { (best, heaviest) = (index, weight) }
            }
            guard best >= 0 else { preconditionFailure("no worker has a place for partition \(partition)") }
            loads[best] += 1
            return workers[best]
        }
    }

    private static func weight(_ worker: String, _ partition: Int) -> UInt64 {
        // FNV-1a, with its bits mixed.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(partition)
        for byte in worker.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// What this worker has, and isn't to have, and what it is to have, and nobody has.
    mutating func evaluate(at now: UInt64) -> (surplus: [Run], missing: [Int]) {
        guard case .working = phase, beats >= 2 else { return ([], []) }
        let owners = owners ?? Self.assignment(of: count, to: members.keys + [id])
        self.owners = owners
        let taken = members.values.reduce(into: Set<Int>()) { $0.formUnion($1.partitions) }
        let missing = (0..<count).filter { partition in
            owners[partition] == id && running[partition] == nil && !taken.contains(partition)
                && pauses[partition].map { $0 <= now } ?? true
        }
        return (running.filter { owners[$0.key] != id }.map(\.value), missing)
    }

    /// Under which name a partition is taken over. A handler that doesn't return counts as a worker of its own that has died.
    func owner(of partition: Int) -> String { stuck[partition].map { "\(id).\($0)" } ?? id }

    /// A partition was taken over. Returns whether its run is kept.
    mutating func add(_ run: Run, for partition: Int) -> Bool {
        guard case .working = phase else { return false }
        running[partition] = run
        return true
    }

    /// The handler of a partition doesn't return.
    mutating func noteStuck(_ partition: Int) { stuck[partition, default: 0] += 1 }

    /// A run has ended.
    ///
    /// - Parameter pauses: Whether the partition isn't taken over again before the next heartbeat.
    /// - Returns: The run, to be released.
    mutating func remove(_ partition: Int, pauses: Bool, at now: UInt64) -> Run? {
        if pauses { self.pauses[partition] = now + heartbeat }
        return running.removeValue(forKey: partition)
    }

    // MARK: The end

    var hasRuns: Bool { !running.isEmpty }

    /// The partitions that this worker has.
    var runs: [(partition: Int, run: Run)] { running.map { ($0.key, $0.value) } }

    /// All partitions are to be given up.
    ///
    /// - Parameter done: Called when they are.
    /// - Returns: Their runs. nil if this has ended, so that there is nothing to wait for.
    mutating func drain(_ done: @escaping @Sendable () -> Void) -> [Run]? {
        guard case .working = phase else { return nil }
        phase = .draining(done: done)
        return Array(running.values)
    }

    /// What is to be called if the partitions were to be given up, and the last one is.
    mutating func hasDrained() -> (@Sendable () -> Void)? {
        guard case .draining(let done) = phase, running.isEmpty else { return nil }
        phase = .gone
        return done
    }

    /// Everything ends.
    ///
    /// - Returns: The runs, and what waits for them to be given up. nil if this has ended before.
    mutating func end() -> (running: [Run], done: (@Sendable () -> Void)?)? {
        let done: (@Sendable () -> Void)?
        switch phase {
        case .ended: return nil
        case .draining(let waits): done = waits
        case .working, .gone: done = nil
        }
        phase = .ended
        defer { running = [:] }
        return (Array(running.values), done)
    }
}
#endif
