import CBenchmarkSupport
import Dispatch
import Foundation
import Synchronization

/// The processes that this one has started, and the folders that it has made. An interruption ends and removes them.
///
/// The processes have process groups of their own, so that Ctrl-C on a terminal doesn't reach them.
enum Children {
    private struct State {
        var processes: Set<Int32> = []
        var folders: Set<URL> = []
        var sources: [any DispatchSourceSignal] = []
        var isEnding = false
        /// What the first interruption says, if this process then ends by itself, with what it has.
        var report: String?
        var isInterrupted = false
    }

    private static let state = Mutex(State())

    /// Starts a process that an interruption ends.
    static func run(_ process: Process) throws {
        // The lock is held while the process starts: none starts unseen after an interruption.
        try state.withLock { state in
            guard !state.isEnding, !state.isInterrupted else { throw WorkerFailure(description: "interrupted") }
            try process.run()
            state.processes.insert(process.processIdentifier)
        }
    }

    /// Whether an interruption has ended the processes, and this one has something to report.
    static var isInterrupted: Bool { state.withLock(\.isInterrupted) }

    /// From now on, the first interruption ends the processes and says this; the next one ends this process, too. With nil, the
    /// first one does.
    static func reportWhenInterrupted(_ text: String?) {
        state.withLock { $0.report = text }
    }

    /// Calls `body`, unless this process is ending: then the line about that is the last one. An interruption waits meanwhile.
    static func unlessEnding(_ body: () -> Void) {
        state.withLock { if !$0.isEnding { body() } }
    }

    /// Forgets a process that has ended.
    static func forget(_ process: Process) {
        _ = state.withLock { $0.processes.remove(process.processIdentifier) }
    }

    static func removeWhenInterrupted(_ folder: URL) {
        _ = state.withLock { $0.folders.insert(folder) }
    }

    /// From now on, an interruption ends everything before it ends this process.
    static func endWhenInterrupted() {
        state.withLock { state in
            state.sources = [SIGINT, SIGTERM, SIGHUP].map { number in
                // The source is notified also if the signal has no handler.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
                source.setEventHandler { end(by: number) }
                source.resume()
                return source
            }
        }
    }

    /// Runs a program and writes what it prints to `output`. Returns its status.
    static func run(_ program: String, _ arguments: [String], output: FileHandle) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try run(process)
        process.waitUntilExit()
        forget(process)
        return process.terminationStatus
    }

    private static func end(by number: Int32) {
        let (processes, folders, report) = state.withLock { state in
            let report = state.isInterrupted ? nil : state.report
            state.isInterrupted = report != nil
            state.isEnding = report == nil
            return (state.processes, state.folders, report)
        }
        for process in processes { bench_kill(process) }
        if let report {
            if isatty(STDERR_FILENO) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
            return BenchmarkTool.complain(report)
        }
        for folder in folders { try? FileManager.default.removeItem(at: folder) }
        // Erases the progress line and what the terminal has echoed, and leaves the cursor at the beginning of a line.
        if isatty(STDERR_FILENO) == 1 { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
        BenchmarkTool.complain("interrupted; nothing was saved")
        bench_end_by_signal(number)
    }
}
