internal import CCorinth

enum StandardError {
    /// Writes a line, with one call if the system takes it at once.
    static func write(line: String) {
        var text = line + "\n"
        text.withUTF8 { text in unsafe ccorinth_write_error(text.baseAddress, text.count) }
    }
}
