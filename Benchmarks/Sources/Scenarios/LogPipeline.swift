public import AccessLog
import Corinth
import Dispatch
import Synchronization

/// Analyses a log on all processors.
///
///     chunks ─ concatEager on a pool: analyse ─ observer: append
///
/// The results of chunks come in their order, so the same log has the same result. As many chunks are on the way as there are
/// processors, and two: the memory doesn't depend on the log.
public enum LogPipeline {
    /// Analyses the log at `path`.
    ///
    /// - Parameter format: The name of a format or a format string; nil for what the lines have.
    /// - Throws: ``LogError`` with a one-line description.
    public static func analyse(path: String, format: String?) throws -> (LogAnalysis, LogFormat) {
        try analyse(LogStream(path: path), format: format)
    }

    static func analyse(_ stream: LogStream, format: String?) throws -> (LogAnalysis, LogFormat) {
        let format = try LogFormat(format, start: stream.start)
        let pool = QueueSchedulerPool(name: "log")
        let count = QueueSchedulerPool.defaultCount
        // Dispatch stops a program that releases a semaphore below its first value.
        let permits = DispatchSemaphore(value: 0)
        for _ in 0..<count + 2 { permits.signal() }
        let whole = Mutex(LogAnalysis())
        let done = DispatchSemaphore(value: 0)
        let (chunks, input) = Signal<[UInt8], Never>.pipe()
        chunks
            .flatMap(.concatEager(limit: UInt(count)), on: pool) { chunk in
                SignalProducer<LogAnalysis, Never> { LogAnalysis(of: chunk, format) }
            }
            .observe(
                Signal.Observer(
                    value: { part in
                        whole.withLock { $0.append(part) }
                        permits.signal()
                    },
                    completed: { done.signal() }))
        while true {
            permits.wait()
            guard let chunk = try stream.next() else { break }
            input.send(value: chunk)
        }
        input.sendCompleted()
        done.wait()
        let analysis = whole.withLock { $0 }
        try analysis.checkFields()
        return (analysis, format)
    }
}
