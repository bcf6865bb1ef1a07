import CBenchmarkSupport
import Foundation
import Testing

@testable import BenchmarkKit

@Suite struct InterruptionTests {
    /// The processes whose command line begins with this program.
    private func processes(of program: String) throws -> [String] {
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
        return numbers.filter { number in
            guard let data = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") else { return false }
            return String(decoding: data, as: UTF8.self).hasPrefix(program)
        }
    }

    /// Measures with the example on a terminal, and presses Ctrl-C when it shows `progress`. All processes have ended then.
    ///
    /// - Parameter check: Gets the output, and the path of the file of `--json`.
    private func interrupted(
        at progress: String, _ options: [String], _ check: (_ output: String, _ json: String) throws -> Void
    ) throws {
        guard PseudoTerminal.python != nil, let example = PseudoTerminal.example else {
            return Tools.notice("Python isn't installed: nothing is interrupted on a terminal")
        }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        // A name of its own, by which its processes are found.
        let program = folder.appendingPathComponent("interrupted-bench").path
        try FileManager.default.copyItem(atPath: example, toPath: program)
        let file = folder.appendingPathComponent("run.json").path
        let ended = try PseudoTerminal.run(
            [program, "--samples", "400", "--json", file] + options, columns: 80, interruptAfter: progress)
        // 128 and the number of the signal.
        #expect(ended.status == 130)
        #expect(try processes(of: program) == [])
        try check(ended.output, file)
    }

    /// Ctrl-C ends the workers, says so in one line, and leaves a clean prompt.
    @Test(.timeLimit(.minutes(2))) func anInterruptionEndsEverything() throws {
        try interrupted(at: "sample 1", []) { output, json in
            #expect(output.hasSuffix("\r\u{1B}[Kinterrupted-bench: interrupted; nothing was saved\n"))
            #expect(!FileManager.default.fileExists(atPath: json))
        }
    }

    /// After the first pass, Ctrl-C ends the measurement, and what is done is shown and saved.
    @Test(.timeLimit(.minutes(2))) func whatIsDoneIsReported() throws {
        try interrupted(at: "pass 3/100", ["--time", "1"]) { output, json in
            #expect(output.contains("interrupted-bench: interrupted; these are the figures of 2 of 100 passes"))
            #expect(output.contains("count/10") && output.contains("the run ended after 2 of 100 passes"))
            let saved = try Report(readingFrom: json)
            #expect(saved.incomplete == "2 of 100 passes" && saved.failures == nil)
            #expect(saved.scenarios.count == 2)
            #expect(saved.scenarios.allSatisfy { $0.builds["library"]?.passes?.map(\.count) == [4, 4] })
        }
    }

    @Test func aSecondRunIsNoticed() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("lock").path
        #expect(unsafe bench_lock_file(path) == 0)
        // The lock belongs to an open file, so the same process is refused, too.
        #expect(unsafe bench_lock_file(path) == getpid())
        #expect(unsafe bench_lock_file(folder.path + "/no/lock") == -1)
    }

    @Test func aFullDiskGivesOneLineAndNoFile() throws {
        func problem(_ path: String) -> String {
            do { try TextFile.write("text", to: path) } catch { return "\(error)" }
            return ""
        }
        #expect(problem("/dev/full") == "can't write '/dev/full': no space is left")
        #expect(problem("/dev/null") == "" && FileManager.default.fileExists(atPath: "/dev/null"))
        #expect(problem("/proc/a.json").hasPrefix("can't write '/proc/a.json': "))
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.json").path
        #expect(problem(file) == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.json"])
        try TextFile.check(file)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "text")
        #expect(throws: UsageError.self) { try TextFile.check(folder.path) }
    }

    /// A file system that becomes full while a file is written: one line, and the file that was there before.
    @Test func aFileSystemThatBecomesFullKeepsWhatItHas() throws {
        guard let example = PseudoTerminal.example, let shell = Tools.find("sh"), let unshare = Tools.find("unshare"),
            try Tools.run(unshare, ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status == 0
        else { return Tools.notice("no file system can be mounted: a full one isn't tested") }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("run.json").path
        let report = SampleReports.run(seed: 3, scenarios: 200, .quiet)
        try report.write(to: file)
        let script = """
            mount -t tmpfs -o size=64k tmpfs /mnt && cd /mnt && echo before >there.json
            for name in there.json new.json; do '\(example)' report '\(file)' --format json -o $name; echo $?; done
            '\(example)' report '\(file)'  -o page.html; echo $?
            echo; ls; cat there.json
            """
        let ran = try Tools.run(unshare, ["-m", shell, "-c", script])
        #expect(ran.output == "2\n2\n2\n\nthere.json\nbefore\n")
        let names = ["there.json", "new.json", "page.html"]
        #expect(
            ran.errors == names.map { "example-bench: can't write '\($0)': no space is left\n" }.joined())
    }

    /// A limit of the size of files is like a full disk.
    @Test func aLimitOfTheSizeOfFilesGivesOneLine() throws {
        guard let example = PseudoTerminal.example, let shell = Tools.find("sh") else { return }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("run.json").path
        try SampleReports.run(seed: 3, scenarios: 200, .quiet).write(to: file)
        let script = "cd '\(folder.path)'; ulimit -f 8; '\(example)' report run.json --format json -o new.json"
        let ran = try Tools.run(shell, ["-c", script])
        #expect(ran.status == 2 && ran.errors.hasPrefix("example-bench: can't write 'new.json': "))
        #expect(ran.errors.split(separator: "\n").count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["run.json"])
    }

    /// Standard output on a full disk.
    @Test func anOutputThatIsLostIsReported() throws {
        guard let example = PseudoTerminal.example, let shell = Tools.find("sh") else { return }
        let ran = try Tools.run(shell, ["-c", "'\(example)' list >/dev/full"])
        #expect(ran.status == 2 && ran.errors == "example-bench: can't write the output: no space is left\n")
        // A reader that has enough is no error.
        let read = try Tools.run(shell, ["-c", "'\(example)' list | head -n 1"])
        #expect(read.status == 0 && read.output == "count/10\n" && read.errors == "")
    }
}
