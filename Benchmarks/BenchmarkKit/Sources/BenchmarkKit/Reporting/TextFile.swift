import Foundation

/// Writes files, and reports in one line why that failed.
enum TextFile {
    static func write(_ text: String, to path: String) throws {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw UsageError("can't write '\(path)': \(reason(path, error))")
        }
    }

    static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw UsageError("can't create '\(path)': \(reason(path, error))")
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func reason(_ path: String, _ error: any Error) -> String {
        if isFolder(path) { return "it is a folder" }
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: parent) else { return "there is no folder '\(parent)'" }
        guard isFolder(parent) else { return "'\(parent)' isn't a folder" }
        return FileManager.default.isWritableFile(atPath: parent)
            ? error.localizedDescription : "'\(parent)' can't be written to"
    }
}
