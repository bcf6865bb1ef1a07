import Foundation

extension Report {
    /// The report as JSON, keys in order.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Reads a report that a run has written.
    ///
    /// - Throws: ``UsageError`` with one line that says what is wrong with the file.
    public init(readingFrom path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else { throw UsageError("can't read '\(path)'") }
        struct Version: Decodable { var schema: Int }
        guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
            throw UsageError("'\(path)' isn't a report that --json has written")
        }
        guard version.schema == Self.currentSchema else {
            throw UsageError("'\(path)' has schema \(version.schema); this is for schema \(Self.currentSchema)")
        }
        do {
            self = try JSONDecoder().decode(Report.self, from: data)
        } catch {
            throw UsageError("'\(path)' isn't a whole report: \(error)")
        }
    }

    /// Writes the report as JSON.
    public func write(to path: String) throws {
        do {
            try Data((json() + "\n").utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw UsageError("can't write '\(path)': \(error.localizedDescription)")
        }
    }
}
