import Foundation
import Testing

@testable import BenchmarkKit

/// Runs the completion scripts in their shells.
@Suite struct CompletionTests {
    private static let names = ["pipe/1", "pipe/10", "map/10"]

    private static let commands = BenchmarkTool(catalogue: []).commands

    private func script(_ shell: CompletionScript.Shell) -> String {
        CompletionScript.text(
            for: shell, program: "bench", executable: "example-bench", commands: Self.commands, scenarios: Self.names)
    }

    /// Loads the script into bash and returns its completions of `words`.
    private func completions(_ words: String...) throws -> [String] {
        let bash = try #require(Tools.find("bash"))
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let asking = """
            \(script(.bash))
            COMP_WORDS=(bench \(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _example_bench
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let answer = try Tools.run(bash, ["-c", asking])
        #expect(answer.errors == "")
        return answer.output.split(separator: "\n").map(String.init)
    }

    @Test func bashCompletes() throws {
        #expect(try completions("comp") == ["compare", "completions"])
        #expect(try completions("--filter", "pipe") == ["pipe/1", "pipe/10"])
        #expect(try completions("--filter", "map/10,pi") == ["map/10,pipe/1", "map/10,pipe/10"])
        #expect(try completions("--exclude", "ma") == ["map/10"])
        #expect(try completions("run", "--mode", "") == ["time", "counts"])
        #expect(try completions("baseline", "s") == ["save"])
        #expect(try completions("profile", "ma") == ["map/10"])
        #expect(try completions("compare", "--thr") == ["--threshold"])
    }

    /// Calls `ask` with the shell, a folder that has a program, and the file of the script.
    private func inAShell(
        _ shell: CompletionScript.Shell,
        _ ask: (_ shell: String, _ folder: URL, _ script: String) throws -> Void
    ) throws {
        guard let program = Tools.find(shell.rawValue) else {
            return Tools.notice(
                "\(shell.rawValue) isn't installed: its completion script isn't tested")
        }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = CompletionScript.text(
            for: shell, program: "Tools/run", executable: "example-bench", commands: Self.commands,
            scenarios: Self.names)
        let file = folder.appendingPathComponent("script")
        try Data(text.utf8).write(to: file)
        let read = try Tools.run(program, ["-n", file.path])
        #expect(read.status == 0 && read.errors == "", "\(read.errors)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Tools"), withIntermediateDirectories: true)
        let tool = folder.appendingPathComponent("Tools/run").path
        #expect(
            FileManager.default.createFile(
                atPath: tool, contents: Data("#!/bin/sh\n".utf8), attributes: [.posixPermissions: 0o755]))
        try ask(program, folder, file.path)
    }

    @Test(arguments: [
        ("example-bench comp", ["compare", "completions"]),
        ("Tools/run ru", ["run"]),
        ("./Tools/run --filter pi", ["pipe/1", "pipe/10"]),
        ("./Tools/run --filter map/10,pi", ["map/10,pipe/1", "map/10,pipe/10"]),
        ("example-bench run --mode ", ["counts", "time"]),
        ("example-bench baseline s", ["save"]),
        ("example-bench profile ma", ["map/10"]),
        ("example-bench compare --thr", ["--threshold"]),
        ("example-bench compare scr", ["script"]),
    ])
    func fishCompletes(line: String, completions: [String]) throws {
        try inAShell(.fish) { fish, folder, script in
            let asking = "cd \(folder.path); source \(script); complete -C'\(line)'"
            let answer = try Tools.run(fish, ["--no-config", "-c", asking])
            #expect(answer.errors == "")
            let words = answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
            #expect(words.sorted() == completions)
        }
    }

    /// The arguments of zsh's own functions, which do the completion.
    @Test(arguments: [
        (["comp"], "described"),
        (["--filter", "pi"], "run: bench --filter pi, 3"),
        (["run", "--mode", ""], "run: run --mode , 3"),
        (["baseline", "s"], "baseline: baseline s, 2"),
        (["profile", "ma"], "profile: profile ma, 2"),
    ])
    func zshGetsTheCompletions(words: [String], told: String) throws {
        try inAShell(.zsh) { zsh, _, script in
            let list = (["bench"] + words).map { "'\($0)'" }.joined(separator: " ")
            let asking = """
                compdef() { :; }
                _describe() { print described; print -rl -- $commands }
                _arguments() { print -r -- "$command: $words, $CURRENT"; print -rl -- "$@" }
                source \(script)
                words=(\(list)); CURRENT=$#words; _example_bench
                """
            let answer = try Tools.run(zsh, ["-f", "-c", asking])
            #expect(answer.errors == "")
            #expect(answer.output.hasPrefix(told + "\n"), "\(answer.output)")
            let names = told == "described" ? "compare:show what changed" : "pipe/1 pipe/10 map/10"
            if told != "baseline: baseline s, 2" { #expect(answer.output.contains(names)) }
        }
    }
}
