import Foundation

/// Programs that some tests need and that may be missing.
enum Tools {
    static func find(_ names: String...) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let places = path.split(separator: ":").flatMap { folder in names.map { "\(folder)/\($0)" } }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Chromium or a relative.
    static let browser = find("chromium", "chromium-browser", "google-chrome", "chrome")

    /// A Python with the package `hdrhistogram`: `BENCHMARKKIT_PYTHON`, or the system's.
    static let pythonWithHistogram: String? = {
        let named = ProcessInfo.processInfo.environment["BENCHMARKKIT_PYTHON"]
        guard let python = named ?? find("python3") else { return nil }
        let answer = try? run(python, ["-c", "import hdrh.histogram"])
        return answer?.status == 0 ? python : nil
    }()

    /// Reports on standard error why a test is skipped.
    static func notice(_ text: String) {
        FileHandle.standardError.write(Data("notice: \(text)\n".utf8))
    }

    static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String, errors: String)
    {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["out", "err"].map { folder.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return (process.terminationStatus, texts[0], texts[1])
    }

    static func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("example-bench-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
