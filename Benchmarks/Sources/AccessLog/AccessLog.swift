import Foundation

/// A log in memory, with the ranges of its lines.
public struct AccessLog: Sendable {
    public let bytes: [UInt8]
    /// The range of each line, without its line feed (and the carriage return before it).
    public let lines: [Range<Int>]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
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
    public init(path: String) throws {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else {
            throw LogError(description: "no log at '\(path)'")
        }
        // Each build reads the log, and a pipe can be read only once.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw LogError(description: "can't read the log '\(path)': it isn't a plain file")
        }
        do {
            self.init(bytes: [UInt8](try Data(contentsOf: file)))
        } catch {
            throw LogError(description: "can't read the log '\(path)': \(error.localizedDescription)")
        }
    }

    /// The record of line `index`, or nil if the line is malformed.
    public func record(ofLine index: Int) -> AccessRecord? {
        AccessRecord(bytes, lines[index])
    }
}

/// The reason why a log can't be read.
public struct LogError: Error, Equatable, CustomStringConvertible {
    public var description: String

    public init(description: String) {
        self.description = description
    }
}
