import Foundation

/// One line on standard error that is written over, so that a person sees that something happens.
///
/// Written only where a person looks: nothing when standard error isn't a terminal.
public struct ProgressLine {
    private let isShown: Bool
    private let start = Clock.now()
    private var width = 0

    public init() {
        isShown = isatty(STDERR_FILENO) == 1
    }

    /// Shows `text` after the seconds elapsed.
    public mutating func show(_ text: String) {
        guard isShown else { return }
        let elapsed = Figures.grouped(Int((Clock.now() - start) / 1_000_000_000))
        let line = "[\(elapsed) s] \(text)"
        let blanks = String(repeating: " ", count: max(0, width - line.count))
        write("\r\(line)\(blanks)")
        width = line.count
    }

    /// Takes the line away.
    public mutating func clear() {
        guard isShown, width > 0 else { return }
        write("\r" + String(repeating: " ", count: width) + "\r")
        width = 0
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
