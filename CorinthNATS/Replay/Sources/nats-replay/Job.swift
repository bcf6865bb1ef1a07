import AccessLog
import CorinthNATS
import Foundation

/// What the processes of a run share. A process gets it as an argument, in JSON.
struct Job: Codable, Sendable {
    var servers: [String]
    /// The name of this run: that of its stream, its group and its bucket, and what its subjects begin with.
    var name: String
    var partitionCount: Int
    /// The log; nil for a generated one.
    var logPath: String?
    var generatedLines: Int
    /// The name of the format of the log, or a format string; nil for what its lines have.
    var format: String?
    /// The multiple of the log's own speed; nil for as fast as possible.
    var speed: Double?
    /// When the log begins to be played. A publisher that replaces another one is late, and catches up.
    var begin = Date()
    /// Before these lines, from 0, the publisher waits for the parent to go on.
    var stops: [Int] = []

    var partitions: NATSPartitions {
        NATSPartitions(partitionCount, of: name, subjects: "\(name).partition", consumer: name)
    }

    var group: NATSGroup {
        var group = NATSGroup(name, in: name)
        // Short, so that another worker takes over after a second.
        group.heartbeat = .milliseconds(200)
        group.snapshotWithin = .milliseconds(250)
        group.snapshotEvery = 5000
        return group
    }

    func log() throws -> AccessLog {
        guard let logPath else { return LogGenerator.log(lines: generatedLines) }
        return try AccessLog(path: logPath, format: format)
    }

    /// The format of a worker's lines, which come without the beginning of the log.
    func lineFormat() throws -> LogFormat {
        guard let logPath else { return .combined }
        return try LogFormat(format, start: LogStream(path: logPath).start)
    }

    /// When each line of a log is due; nil for as fast as possible.
    func schedule(_ log: AccessLog) -> LogSchedule? { speed.map { LogSchedule(log, speed: $0) } }

    /// - Parameter isPatient: Whether the first connection is tried again, since the server may be starting.
    func connect(isPatient: Bool) -> NATSConnection {
        var options = NATSOptions(servers: servers)
        options.name = name
        options.retriesFirstConnection = isPatient
        options.reconnection.longestPause = .milliseconds(200)
        options.reconnection.giveUpAfter = .seconds(Deadline.seconds)
        return NATSConnection(options)
    }
}

/// The newest state of a client that a worker has stored: a line of its output, in JSON.
struct StoredState: Codable, Equatable, Sendable {
    var client: String
    /// The state contains the lines of its partition up to this number in the stream.
    var sequence: UInt64
    var traffic: Traffic
}

enum Deadline {
    /// How long a run may make no progress, and a connection be lost.
    static let seconds = 60
}

/// A run that has failed, in one line.
struct RunFailure: Error, CustomStringConvertible {
    var description: String
}
