/// The lines of a log in memory.
enum LineRanges {
    /// Calls `body` with the range of each line, without its line feed and the carriage return before it.
    static func forEach(in bytes: [UInt8], _ body: (Range<Int>) -> Void) {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let hasReturn = end > start && bytes[end - 1] == UInt8(ascii: "\r")
            body(start..<(hasReturn ? end - 1 : end))
            start = end + 1
        }
    }
}
