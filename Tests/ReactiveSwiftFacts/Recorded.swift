import Foundation

/// The files beside these sources.
enum Recorded {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    static func lines(of file: String) throws -> [String] {
        lines(in: try Data(contentsOf: folder.appendingPathComponent("Facts/\(file)")))
    }

    /// The large files are compressed, so that a clone stays small.
    static func lines(ofCompressed file: String) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", folder.appendingPathComponent("Facts/\(file)").path]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
        return lines(in: data)
    }

    private static func lines(in data: Data) -> [String] {
        String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
