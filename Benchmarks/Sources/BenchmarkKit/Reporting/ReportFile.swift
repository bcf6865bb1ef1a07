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
        } catch let error as DecodingError {
            throw UsageError("'\(path)' isn't a whole report: \(error.brief)")
        }
    }

    /// Writes the report as JSON.
    public func write(to path: String) throws {
        try TextFile.write(json() + "\n", to: path)
    }
}

extension DecodingError {
    /// Where the trouble is, and what it is, in a few words.
    var brief: String {
        func place(_ context: Context, _ last: (any CodingKey)? = nil) -> String {
            (context.codingPath + [last].compactMap(\.self)).map(\.stringValue).joined(separator: ".")
        }
        return switch self {
        case .keyNotFound(let key, let context): "there is no \(place(context, key))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(place(context)) isn't what it should be"
        case .dataCorrupted(let context): context.codingPath.isEmpty ? "it isn't JSON" : "\(place(context)) is corrupt"
        @unknown default: "it can't be read"
        }
    }
}
