import Foundation

/// Reads a log from its file, some megabytes at a time, each with whole lines.
public final class LogStream {
    private let file: FileHandle
    private let path: String

    /// What has been read, and not passed on: the beginning of a line.
    private var rest: [UInt8] = []
    private var isAtEnd = false

    /// The first lines, for the format.
    public let start: [UInt8]

    /// How much is read at a time, in bytes. A line may be longer.
    private let size: Int

    /// The mark of UTF-8 that some programs write at the beginning of a file. It isn't a part of the first line.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How long a line may be, in bytes. What has no line feed for so long is no log.
    static let longestLine = 64 << 20

    /// - Parameter size: How much is read at a time, in bytes; at least 1.
    /// - Throws: ``LogError`` with a one-line description.
    public init(path: String, size: Int = 4 << 20) throws {
        precondition(size > 0, "size is \(size), but must be at least 1")
        self.size = size
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else {
            throw LogError(description: "no log at '\(path)'")
        }
        // Each build reads the log, and a pipe can be read only once.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw LogError(description: "can't read the log '\(path)': it isn't a plain file")
        }
        do {
            file = try FileHandle(forReadingFrom: url)
            rest = [UInt8](try file.read(upToCount: max(size, Self.mark.count)) ?? Data())
            if rest.starts(with: Self.mark) { rest.removeFirst(Self.mark.count) }
        } catch {
            throw LogError(description: "can't read the log '\(path)': \(error.localizedDescription)")
        }
        self.path = path
        start = Array(rest.prefix(1 << 20))
    }

    deinit { try? file.close() }

    /// The next lines; nil at the end.
    ///
    /// - Throws: ``LogError`` with a one-line description.
    /// - Complexity: O(bytes). The memory is that of some megabytes, or of a longer line.
    public func next() throws -> [UInt8]? {
        while true {
            if let last = rest.lastIndex(of: UInt8(ascii: "\n")) {
                let lines = Array(rest[...last])
                rest.removeSubrange(...last)
                return lines
            }
            guard rest.count <= Self.longestLine else {
                throw LogError(description: "the log '\(path)' has a line of more than \(Self.longestLine >> 20) MiB")
            }
            guard !isAtEnd else {
                defer { rest = [] }
                return rest.isEmpty ? nil : rest
            }
            do {
                let more = try file.read(upToCount: size) ?? Data()
                isAtEnd = more.isEmpty
                rest += more
            } catch {
                throw LogError(description: "can't read the log '\(path)': \(error.localizedDescription)")
            }
        }
    }
}
