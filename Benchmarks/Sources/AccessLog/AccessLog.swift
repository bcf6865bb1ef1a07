import Foundation

/// A log in memory, with the ranges of its lines.
public struct AccessLog: Sendable {
    public let bytes: [UInt8]
    /// The range of each line, without its line feed (and the carriage return before it). Lines about the log are left out.
    public let lines: [Range<Int>]
    public let format: LogFormat

    public init(bytes: [UInt8], format: LogFormat = .combined) {
        self.bytes = bytes
        self.format = format
        var lines: [Range<Int>] = []
        LineRanges.forEach(in: bytes) { if !format.isDirective(bytes[$0]) { lines.append($0) } }
        self.lines = lines
    }

    /// Reads the log at `path`.
    ///
    /// - Parameters:
    ///   - format: The name of a format or a format string; nil for what the lines have.
    ///   - limit: So many lines, at most, are read.
    /// - Throws: ``LogError`` with a one-line description.
    public init(path: String, format: String? = nil, limit: Int = .max) throws {
        let stream = try LogStream(path: path)
        let format = try LogFormat(format, start: stream.start)
        var (bytes, left) = ([UInt8](), limit)
        var hasOtherFields = false
        while left > 0, let chunk = try stream.next() {
            // As they are: a line may end in several carriage returns.
            var end = chunk.count
            LineRanges.forEach(in: chunk) { line in
                if left == 0 { end = min(end, line.lowerBound) }
                if !format.isDirective(chunk[line]) {
                    left = max(0, left - 1)
                } else if format.changesFields(chunk[line]) {
                    hasOtherFields = true
                }
            }
            bytes += chunk[..<end]
        }
        guard !hasOtherFields else { throw LogError.otherFields }
        self.init(bytes: bytes, format: format)
    }

    /// The record of line `index`, or nil if the line is malformed.
    public func record(ofLine index: Int) -> AccessRecord? {
        format.record(bytes, lines[index])
    }
}

/// The reason why a log can't be read.
public struct LogError: Error, Equatable, CustomStringConvertible {
    public var description: String

    public init(description: String) {
        self.description = description
    }

    /// What follows a second line `#Fields:` would be read wrongly.
    static let otherFields = LogError(
        description: "the log has a second line #Fields: with other fields; split the log there")
}
