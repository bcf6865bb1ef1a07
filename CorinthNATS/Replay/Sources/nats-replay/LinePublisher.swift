import AccessLog
import Corinth
import CorinthNATS
import Foundation

/// The process that publishes the lines. A process that replaces it publishes all of them again, and the stream refuses what it has.
enum LinePublisher {
    static func run(_ job: Job) throws {
        let connection = job.connect(isPatient: true)
        let duplicates = Atomic(0)
        let log = try job.log()
        let lines = LogLines(log, stops: job.stops, job.schedule(log), from: job.begin)
        let codec = LogLineCodec(format: log.format)
        let published = SignalProducer<LogLine, NATSError>(lines)
            // Its thread waits while too many messages are on their way.
            .start(on: QueueScheduler(name: "corinth-replay.lines"))
            .partitioned(over: job.partitions, as: codec, by: { $0.client }, id: { "\($0.number)" })
            .published(to: connection.jetStream())
            .on(value: { if $0.isDuplicate { duplicates.modify { $0 += 1 } } })
        // The parent watches for progress, so a message's own deadline ends this.
        try published.finish(within: nil)
        Output.write("published \(duplicates.value)")
        connection.close()
    }
}

/// The lines of a log in order, with the newest time so far.
struct LogLines: Sequence, IteratorProtocol, Sendable {
    private let log: AccessLog
    private let stops: [Int]
    private let schedule: LogSchedule?
    private let begin: Date
    private var line = 0
    private var newest = Int.min

    init(_ log: AccessLog, stops: [Int] = [], _ schedule: LogSchedule? = nil, from begin: Date = Date()) {
        self.log = log
        self.stops = stops
        self.schedule = schedule
        self.begin = begin
    }

    mutating func next() -> LogLine? {
        guard line < log.lines.count else { return nil }
        for (index, stop) in stops.enumerated() where stop == line {
            Output.write("at \(index)")
            // Without an answer, the parent has ended.
            guard readLine() != nil else { exit(1) }
        }
        if let schedule {
            Thread.sleep(until: begin.addingTimeInterval(Double(schedule.dueNanoseconds[line]) / 1e9))
        }
        let record = log.record(ofLine: line)
        defer {
            line += 1
            newest = Swift.max(newest, record?.time ?? newest)
        }
        return LogLine(number: line, newest: newest, text: Array(log.bytes[log.lines[line]]), record: record)
    }
}

enum Output {
    /// Writes a line to the parent. One write at a time: a pipe takes it whole, or the process dies.
    static func write(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}

extension SignalProducer where Error == NATSError, Value: Sendable {
    /// Waits until it has completed, and returns the last value.
    ///
    /// - Parameter seconds: The deadline; nil if the producer has one itself.
    @discardableResult
    func finish(within seconds: Int?) throws -> Value? {
        let ended = DispatchSemaphore(value: 0)
        let last = Atomic<Value?>(nil)
        let failure = Atomic<NATSError?>(nil)
        let started = start(
            Signal<Value, NATSError>.Observer { event in
                if let value = event.value { last.value = value }
                if event.isTerminating {
                    failure.value = event.error
                    ended.signal()
                }
            })
        let limit = seconds.map { DispatchTime.now() + .seconds($0) } ?? .distantFuture
        guard ended.wait(timeout: limit) == .success else {
            started.dispose()
            throw RunFailure(description: "a request to the server took more than \(seconds ?? 0) s")
        }
        if let error = failure.value { throw RunFailure(description: error.description) }
        return last.value
    }
}
