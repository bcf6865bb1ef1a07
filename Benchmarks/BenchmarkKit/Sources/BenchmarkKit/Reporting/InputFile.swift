import Foundation

/// A file that several processes read: a plain one, or a copy of what is in a pipe, in standard input or compressed.
public final class InputFile {
    /// The plain file.
    public let path: String
    private let folder: URL?

    /// - Parameter path: A file, a pipe, or `-` for standard input. What gzip has compressed is expanded.
    /// - Throws: ``UsageError`` with one line that says why it can't be read.
    public init(_ path: String) throws {
        let name = path == "-" ? "standard input" : "'\(Printable.text(path))'"
        if path != "-", !FileManager.default.fileExists(atPath: path) { throw UsageError("there is no file \(name)") }
        guard !TextFile.isFolder(path) else { throw UsageError("\(name) is a folder") }
        let type =
            try? FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)[.type] as? FileAttributeType
        let isPlain = path != "-" && type == .typeRegular
        let source = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let source else { throw UsageError("can't read \(name)") }
        let start = isPlain ? try? source.read(upToCount: 2) : nil
        if isPlain, start.map({ Array($0) }) != Self.magic {
            self.path = path
            folder = nil
            return
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("benchmark-input-" + UUID().uuidString.prefix(8), isDirectory: true)
        try TextFile.makeFolder(folder.path)
        Children.removeWhenInterrupted(folder)
        do {
            self.path = try Self.copy(isPlain ? nil : source, from: path, to: folder, name)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        self.folder = folder
    }

    deinit {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    /// The first bytes of what gzip has compressed.
    private static let magic: [UInt8] = [0x1F, 0x8B]

    /// Copies `source`, if it can be read only once, and expands it if it is compressed.
    private static func copy(_ source: FileHandle?, from path: String, to folder: URL, _ name: String) throws -> String
    {
        var path = path
        if let source {
            path = folder.appendingPathComponent("copy").path
            let copy = try created(path)
            do {
                while let chunk = try source.read(upToCount: 1 << 20), !chunk.isEmpty {
                    try copy.write(contentsOf: chunk)
                }
                try copy.close()
            } catch {
                throw UsageError("can't copy \(name): \(error.localizedDescription)")
            }
            let start = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 2)
            guard start.map({ Array($0) }) == magic else { return path }
        }
        guard let gzip = CountingTools.find("gzip") else {
            throw UsageError("\(name) is compressed; gzip isn't on the PATH")
        }
        let expanded = folder.appendingPathComponent("expanded").path
        guard try Children.run(gzip, ["-dc", "--", path], output: created(expanded)) == 0 else {
            throw UsageError("can't expand \(name): it is damaged, or no space is left")
        }
        return expanded
    }

    private static func created(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw UsageError("can't write '\(path)'") }
        return file
    }
}
