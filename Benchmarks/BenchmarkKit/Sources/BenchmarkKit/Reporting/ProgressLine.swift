import Foundation

/// One line on standard error that shows the progress. It is overwritten, or, if standard error isn't a terminal, written anew
/// every ten seconds.
public struct ProgressLine {
    private let isShown: Bool
    private let start = Clock.now()
    private var written = Clock.now()
    private var width = 0

    /// How often a line is written that isn't overwritten, in nanoseconds.
    static let interval: UInt64 = 10_000_000_000

    public init() {
        isShown = isatty(STDERR_FILENO) == 1
    }

    /// Shows `text` after the elapsed seconds and, once there is an estimate, the remaining ones.
    ///
    /// - Parameter done: The completed part of the work, 0 to 1.
    public mutating func show(_ text: String, done: Double = 0) {
        let now = Clock.now()
        if !isShown, now - written < Self.interval { return }
        written = now
        let whole = "[\(Self.times(elapsed: Double(now - start) / 1e9, done: done))] \(text)"
        guard isShown else { return write(whole + "\n") }
        let line = Self.cut(whole, to: Terminal.columns(of: STDERR_FILENO) ?? Terminal.defaultWidth)
        // Erases the rest of the line, also if the terminal has become narrower.
        write("\r\(line)\u{1B}[K")
        width = line.count
    }

    /// The part of a line that leaves the last column free: with a character there, some terminals begin a new line.
    static func cut(_ line: String, to columns: Int) -> String {
        line.count < columns ? line : line.prefix(max(0, columns - 2)) + "…"
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
        write("\r\u{1B}[K")
        width = 0
    }

    private func write(_ text: String) {
        Children.unlessEnding { FileHandle.standardError.write(Data(text.utf8)) }
    }
}
