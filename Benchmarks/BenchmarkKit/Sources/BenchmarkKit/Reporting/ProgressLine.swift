import Foundation

/// One line on standard error that shows the progress. It is overwritten.
///
/// Nothing is written if standard error isn't a terminal.
public struct ProgressLine {
    private let isShown: Bool
    private let start = Clock.now()
    private var width = 0

    public init() {
        isShown = isatty(STDERR_FILENO) == 1
    }

    /// Shows `text` after the elapsed seconds and, once there is an estimate, the remaining ones.
    ///
    /// - Parameter done: The completed part of the work, 0 to 1.
    public mutating func show(_ text: String, done: Double = 0) {
        guard isShown else { return }
        let line = "[\(Self.times(elapsed: Double(Clock.now() - start) / 1e9, done: done))] \(text)"
        let blanks = String(repeating: " ", count: max(0, width - line.count))
        write("\r\(line)\(blanks)")
        width = line.count
    }

    static func times(elapsed: Double, done: Double) -> String {
        let text = "\(Figures.grouped(Int(elapsed))) s"
        // The first seconds give no estimate.
        guard done > 0.02, elapsed > 2 else { return text }
        return text + ", about \(Figures.grouped(Int((elapsed / done - elapsed).rounded(.up)))) s left"
    }

    /// Removes the line.
    public mutating func clear() {
        guard isShown, width > 0 else { return }
        write("\r" + String(repeating: " ", count: width) + "\r")
        width = 0
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
