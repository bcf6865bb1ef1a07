import AccessLog
import BenchmarkKit
import Corinth
import CorinthNATS
import Foundation

/// A run: starts the processes, kills some if asked to, starts again what has died, and merges what the workers have stored.
final class DistributedReplay {
    private var job: Job
    private let workerCount: Int
    private let server: LocalServer?
    private let lineCount: Int
    /// How long there may be no progress, in seconds.
    private let stallTimeout: Double
    private let events = ChildEvents()
    private var children: [Int: Child] = [:]
    private var nextID = 0
    private var merge = StateMerge()
    private var stopsDone: Set<Int> = []
    /// The publisher waits before this stop's line.
    private var pendingStop: Int?
    private var duplicates: Int?
    private var unexpectedDeaths = 0
    private var signals: [any DispatchSourceSignal] = []

    /// What was killed.
    private(set) var kills = (workers: 0, publishers: 0, servers: 0)

    /// More deaths than this that nobody asked for end the run.
    static let toleratedDeaths = 10

    /// - Parameters:
    ///   - server: The server to kill, too; nil if it isn't this run's own.
    ///   - log: What is published.
    init(_ job: Job, workers: Int, server: LocalServer?, _ log: AccessLog) {
        self.job = job
        let due = job.schedule(log)?.dueNanoseconds ?? []
        // Nothing comes in the log's own pauses.
        stallTimeout = Double(Deadline.seconds) + Double(zip(due, due.dropFirst()).map { $1 - $0 }.max() ?? 0) / 1e9
        workerCount = workers
        self.server = server
        lineCount = log.lines.count
    }

    struct Outcome {
        var traffic: Traffic
        /// How many lines were published again after a death, and refused.
        var duplicates: Int
        /// From the start of the processes to the last state.
        var seconds: Double
    }

    /// The merged traffic, once every line is a part of it.
    ///
    /// - Parameter jetStream: Where the stream and the bucket are declared.
    func run(_ jetStream: JetStream) throws -> Outcome {
        defer { for child in children.values { child.kill() } }
        // A child that was killed doesn't read any more.
        signal(SIGPIPE, SIG_IGN)
        signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [events] in events.post(.interrupted) }
            source.resume()
            return source
        }
        let begin = ContinuousClock.now
        job.begin = Date()
        for _ in 0..<workerCount { try start(.work) }
        try start(.publish)
        var limit = Date().addingTimeInterval(stallTimeout)
        while duplicates == nil || merge.lines < lineCount {
            guard let event = events.wait(until: limit) else {
                throw RunFailure(
                    description:
                        "no progress for \(Figures.number(stallTimeout)) s: \(merge.lines) of \(lineCount) lines are stored"
                )
            }
            switch event {
            case .interrupted: throw Interrupted()
            case .ended(let child, let status): try replace(child, status)
            case .line(let child, let line):
                try handle(line, of: child)
                limit = Date().addingTimeInterval(stallTimeout)
            }
        }
        let (seconds, attoseconds) = (ContinuousClock.now - begin).components
        let stored = try jetStream.info(ofStream: job.name).finish(within: 10)?.messages ?? 0
        guard stored == lineCount else {
            throw RunFailure(description: "the stream has \(stored) messages for \(lineCount) lines")
        }
        return Outcome(
            traffic: merge.traffic, duplicates: duplicates ?? 0, seconds: Double(seconds) + Double(attoseconds) / 1e18)
    }

    struct Interrupted: Error {}

    private func start(_ role: Child.Role) throws {
        children[nextID] = try Child(role, job, id: nextID, events: events)
        nextID += 1
    }

    private func replace(_ id: Int, _ status: Int32) throws {
        guard let child = children.removeValue(forKey: id) else { return }
        if child.role == .publish, duplicates != nil { return }
        if !child.isKilled {
            unexpectedDeaths += 1
            guard unexpectedDeaths <= Self.toleratedDeaths else {
                throw RunFailure(
                    description: "\(unexpectedDeaths) processes have died, the last one with status \(status)")
            }
        }
        try start(child.role)
    }

    private func handle(_ line: Data, of id: Int) throws {
        guard let child = children[id] else { return }
        switch child.role {
        case .work:
            try merge.add(JSONDecoder().decode(StoredState.self, from: line))
            try stopIfDue(child)
        case .publish:
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else {
                throw RunFailure(description: "the publisher wrote '\(String(decoding: line, as: UTF8.self))'")
            }
            if words[0] == "published" {
                duplicates = number
            } else if stopsDone.contains(number) {
                child.proceed()
            } else {
                pendingStop = number
                if let worker = children.values.first(where: { $0.role == .work }) { try stopIfDue(worker) }
            }
        }
    }

    /// Kills what is to be killed before a line, once half of the lines before it are stored: then there are states to be
    /// restored. What follows the line isn't published yet, so the kill is on the way.
    ///
    /// - Parameter worker: One that has stored a state.
    private func stopIfDue(_ worker: Child) throws {
        guard let index = pendingStop, 2 * merge.lines >= job.stops[index], !worker.isKilled else { return }
        pendingStop = nil
        stopsDone.insert(index)
        worker.kill()
        kills.workers += 1
        if index == job.stops.count - 1, let server {
            server.kill()
            try server.start()
            kills.servers += 1
        }
        guard let publisher = children.values.first(where: { $0.role == .publish }) else { return }
        if index == 0 {
            publisher.kill()
            kills.publishers += 1
        } else {
            publisher.proceed()
        }
    }
}

/// The newest state of each client.
struct StateMerge {
    private var states: [String: StoredState] = [:]
    /// How many lines are in them.
    private(set) var lines = 0

    /// A worker sends each state once it is stored, and the next worker of the partition sends it again, as restored. The one
    /// with the higher sequence is newer.
    mutating func add(_ state: StoredState) {
        let known = states[state.client]
        guard state.sequence >= known?.sequence ?? 0 else { return }
        lines += state.traffic.lines - (known?.traffic.lines ?? 0)
        states[state.client] = state
    }

    var traffic: Traffic {
        var traffic = Traffic()
        for state in states.values { traffic.merge(state.traffic) }
        return traffic
    }
}
