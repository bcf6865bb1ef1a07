import Foundation

/// A log in memory, with the ranges of its lines.
public struct AccessLog: Sendable {
    public let bytes: [UInt8]
    /// The range of each line, without its line feed (and the carriage return before it).
    public let lines: [Range<Int>]
    /// The format of the lines; nil for the combined format, which is read faster.
    public let pattern: LogPattern?

    public init(bytes: [UInt8], pattern: LogPattern? = nil) {
        self.bytes = bytes
        self.pattern = pattern
        var lines: [Range<Int>] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let hasReturn = end > start && bytes[end - 1] == UInt8(ascii: "\r")
            lines.append(start..<(hasReturn ? end - 1 : end))
            start = end + 1
        }
        self.lines = lines
    }

    /// Reads the log at `path`.
    ///
    /// - Throws: ``LogError`` with a one-line description.
    public init(path: String, pattern: LogPattern? = nil) throws {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else {
            throw LogError(description: "no log at '\(path)'")
        }
        // Each build reads the log, and a pipe can be read only once.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw LogError(description: "can't read the log '\(path)': it isn't a plain file")
        }
        do {
            self.init(bytes: [UInt8](try Data(contentsOf: file)), pattern: pattern)
        } catch {
            throw LogError(description: "can't read the log '\(path)': \(error.localizedDescription)")
        }
    }

    /// The name of the format that most of the first lines have, `combined` or `common`. A line in the combined format has
    /// the common one, too.
    public func likelyFormat() throws -> String {
        let common = try LogPattern(LogPattern.common)
        let some = lines.prefix(1000)
        let isCombined = some.count { AccessRecord(bytes, $0) != nil }
        let isCommon = some.count { if case .record = common.read(bytes, $0) { true } else { false } }
        return isCommon > 2 * isCombined ? "common" : "combined"
    }

    /// The record of line `index`, or nil if the line is malformed.
    public func record(ofLine index: Int) -> AccessRecord? {
        Self.record(bytes, lines[index], pattern)
    }

    /// The record of the line in `range` of `bytes`, without its line feed; nil if it is malformed.
    ///
    /// - Parameter pattern: The format; nil for the combined format.
    @inline(__always)
    public static func record(_ bytes: [UInt8], _ range: Range<Int>, _ pattern: LogPattern?) -> AccessRecord? {
        guard let pattern else { return AccessRecord(bytes, range) }
        guard case .record(let record) = pattern.read(bytes, range) else { return nil }
        return record
    }

    /// The format string of the log at `path`; nil for the combined format.
    ///
    /// - Parameter given: `combined`, `common` or a format string; nil for what the lines have.
    /// - Throws: ``LogError`` with a one-line description.
    public static func format(_ given: String?, ofLogAt path: String) throws -> String? {
        let given = try given ?? AccessLog(path: path).likelyFormat()
        if given == "combined" { return nil }
        let format = given == "common" ? LogPattern.common : given
        _ = try LogPattern(format)
        return format
    }

    /// The first malformed lines, with their numbers from 1, and why they are malformed.
    public func malformedLines(_ limit: Int = 5) throws -> [(number: Int, reason: String, text: String)] {
        let pattern = try self.pattern ?? LogPattern(LogPattern.combined)
        var found: [(number: Int, reason: String, text: String)] = []
        for index in lines.indices where found.count < limit && record(ofLine: index) == nil {
            let reason = pattern.problem(bytes, lines[index]) ?? "it doesn't have the format"
            found.append((index + 1, reason, String(decoding: bytes[lines[index].prefix(200)], as: UTF8.self)))
        }
        return found
    }
}

/// The reason why a log can't be read.
public struct LogError: Error, Equatable, CustomStringConvertible {
    public var description: String

    public init(description: String) {
        self.description = description
    }
}
