import Foundation

extension Report {
    /// The report as JSON with sorted keys.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The report as JSON on one line, without curves and latencies by pass, and with the median of each pass instead of its samples,
    /// which is what `compare` needs. For runs that are kept: about 1.5 kB for a scenario.
    func compactJSON() throws -> String {
        var report = self
        for index in report.scenarios.indices {
            report.scenarios[index].builds = report.scenarios[index].builds.mapValues { figures in
                var figures = figures
                figures.passes = figures.passes?.map { [Statistics.median($0)].compactMap(\.self) }
                figures.curve = nil
                figures.passLatencies = nil
                return figures
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }

    /// Reads the report of a run.
    ///
    /// - Parameter builds: The names of the two builds in the file.
    /// - Throws: ``UsageError`` with one line that describes the problem.
    public init(readingFrom path: String, builds: BuildNames = BuildNames()) throws {
        guard let data = FileManager.default.contents(atPath: path) else { throw UsageError("can't read '\(path)'") }
        try self.init(data, from: path, builds: builds)
    }

    /// Reads the content of the file at `path`.
    init(_ data: Data, from path: String, builds: BuildNames = BuildNames()) throws {
        struct Version: Decodable { var schema: Int }
        guard let version = try? JSONDecoder().decode(Version.self, from: data) else {
            throw UsageError("'\(path)' isn't a report of --json")
        }
        guard version.schema == Self.currentSchema else {
            throw UsageError("'\(path)' has schema \(version.schema); this version reads schema \(Self.currentSchema)")
        }
        do {
            self = try JSONDecoder().decode(Report.self, from: data)
            self.builds = builds
        } catch let error as DecodingError {
            throw UsageError("'\(path)' isn't a complete report: \(error.brief)")
        }
        if let problem { throw UsageError("'\(path)' isn't the report of a run: \(problem)") }
    }

    /// Writes the report as JSON.
    public func write(to path: String) throws {
        try TextFile.write(json() + "\n", to: path)
    }
}

extension DecodingError {
    /// The place and the kind of the error, in a few words.
    var brief: String {
        func place(_ context: Context, _ last: (any CodingKey)? = nil) -> String {
            (context.codingPath + [last].compactMap(\.self)).map(\.stringValue).joined(separator: ".")
        }
        return switch self {
        case .keyNotFound(let key, let context): "there is no \(place(context, key))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(place(context)) has the wrong type"
        case .dataCorrupted(let context): context.codingPath.isEmpty ? "it isn't JSON" : "\(place(context)) is corrupt"
        @unknown default: "it can't be read"
        }
    }
}
