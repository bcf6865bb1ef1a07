import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct InputFileTests {
    @Test func aPlainFileIsReadWhereItIs() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a.log").path
        for text in ["", "a", "some lines\n"] {
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            #expect(try InputFile(path).path == path)
        }
    }

    @Test func whatIsCompressedIsExpanded() throws {
        guard let gzip = Tools.find("gzip") else { return }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a.log").path
        try "some lines\n".write(toFile: path, atomically: false, encoding: .utf8)
        _ = try Tools.run(gzip, [path])
        let expanded: String
        do {
            let file = try InputFile(path + ".gz")
            expanded = file.path
            #expect(try String(contentsOfFile: expanded, encoding: .utf8) == "some lines\n")
        }
        #expect(!FileManager.default.fileExists(atPath: expanded))
        try Data([0x1F, 0x8B, 1, 2, 3]).write(to: URL(fileURLWithPath: path))
        #expect(throws: UsageError("can't expand '\(path)': it is damaged, or no space is left")) {
            try InputFile(path)
        }
    }

    @Test func otherInputsAreNamed() {
        #expect(throws: UsageError("there is no file '/no/such\\u{1b}'")) { try InputFile("/no/such\u{1B}") }
        #expect(throws: UsageError("'/' is a folder")) { try InputFile("/") }
    }

    @Test func controlCharactersAreShownAndNotSent() {
        #expect(Printable.text("plain é 😀") == "plain é 😀")
        #expect(Printable.text("a\u{1B}[2Jb\r\n\u{7F}\u{9B}") == "a\\u{1b}[2Jb\\u{d}\\u{a}\\u{7f}\\u{9b}")
        // It would reverse the rest of the line.
        #expect(Printable.text("a\u{202E}b") == "a\\u{202e}b")
        #expect(Printable.text("abcdef", limit: 3) == "abc…")
    }

    @Test func anyJSONIsReadBack() throws {
        let value = JSONValue.object([
            "a": .array([.integer(1), .number(1.5), .text("x"), .bool(true)]), "b": .integer(.max),
        ])
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
    }
}
