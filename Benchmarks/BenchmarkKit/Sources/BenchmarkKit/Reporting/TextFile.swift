import Foundation

/// Writes files, and reports in one line why that failed. The unsafe calls take strings, which live as long as the calls.
public enum TextFile {
    /// Writes a file as a whole. If that fails, an existing file is as before, and no empty one is left.
    ///
    /// - Throws: ``UsageError`` with one line that says why.
    public static func write(_ text: String, to path: String) throws {
        guard isReplaceable(path) else { return try overwrite(text, path) }
        let temporary = path + ".\(ProcessInfo.processInfo.processIdentifier).part"
        do {
            try overwrite(text, temporary, as: path)
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        guard unsafe rename(temporary, path) == 0 else {
            let number = errno
            unsafe unlink(temporary)
            throw failure(path, number)
        }
    }

    /// Throws a ``UsageError`` if a file can't be written, before the work whose result goes there.
    public static func check(_ path: String) throws {
        let existed = FileManager.default.fileExists(atPath: path)
        let file = unsafe open(path, O_WRONLY | O_CREAT, 0o666)
        guard file >= 0 else { throw failure(path, errno) }
        close(file)
        if !existed { unsafe unlink(path) }
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

    /// Whether the path is a file, or nothing yet, and not a device or a pipe.
    private static func isReplaceable(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        return type == nil || type == .typeRegular
    }

    private static func overwrite(_ text: String, _ path: String, as name: String? = nil) throws {
        let name = name ?? path
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
        guard descriptor >= 0 else { throw failure(name, errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(text.utf8))
            // A full disk may be noticed only now.
            if fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { throw failure(name, errno) }
            try file.close()
        } catch let error as UsageError {
            throw error
        } catch {
            throw failure(name, (error as? POSIXError)?.code.rawValue ?? underlying(error) ?? EIO)
        }
    }

    private static func underlying(_ error: any Error) -> Int32? {
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        if error.code == CocoaError.fileWriteOutOfSpace.rawValue { return ENOSPC }
        return (error.userInfo[NSUnderlyingErrorKey] as? NSError).map { Int32($0.code) }
    }

    private static func failure(_ path: String, _ number: Int32) -> UsageError {
        UsageError("can't write '\(path)': \(place(path) ?? reason(errno: number))")
    }

    /// An error number in words.
    static func reason(errno number: Int32) -> String {
        switch number {
        case ENOSPC: "no space is left"
        case EROFS: "it is on a read-only file system"
        case EACCES, EPERM: "it isn't permitted"
        case EDQUOT: "the quota is used up"
        default: POSIXErrorCode(rawValue: number).map { "\(POSIXError($0).localizedDescription)" } ?? "error \(number)"
        }
    }

    private static func reason(_ path: String, _ error: any Error) -> String {
        place(path) ?? underlying(error).map { reason(errno: $0) } ?? error.localizedDescription
    }

    /// What is wrong with the path; nil if that isn't the problem.
    private static func place(_ path: String) -> String? {
        if isFolder(path) { return "it is a folder" }
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: parent) else { return "there is no folder '\(parent)'" }
        return isFolder(parent) ? nil : "'\(parent)' isn't a folder"
    }
}
