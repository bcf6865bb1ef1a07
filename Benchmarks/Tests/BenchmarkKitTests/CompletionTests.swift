import Foundation
import Testing

@testable import BenchmarkKit

/// The completion scripts, asked by the shells that they are for.
@Suite struct CompletionTests {
    private static let names = ["pipe/1", "pipe/10", "map/10"]

    private static let commands = BenchmarkTool(catalogue: []).commands

    private func script(_ shell: CompletionScript.Shell) -> String {
        CompletionScript.text(for: shell, program: "bench", commands: Self.commands, scenarios: Self.names)
    }

    /// Loads the script into a bash and asks it what follows `words`.
    private func completions(_ words: String...) throws -> [String] {
        let bash = try #require(Tools.find("bash"))
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let asking = """
            \(script(.bash))
            COMP_WORDS=(bench \(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _corinth_bench
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let answer = try Tools.run(bash, ["-c", asking])
        #expect(answer.errors == "")
        return answer.output.split(separator: "\n").map(String.init)
    }

    @Test func bashCompletes() throws {
        #expect(try completions("comp") == ["compare", "completions"])
        #expect(try completions("--filter", "pipe") == ["pipe/1", "pipe/10"])
        #expect(try completions("run", "--mode", "") == ["time", "counts"])
        #expect(try completions("baseline", "s") == ["save"])
        #expect(try completions("profile", "ma") == ["map/10"])
        #expect(try completions("compare", "--thr") == ["--threshold"])
    }

    /// A program that is there, and the script in a file.
    private func inAShell(
        _ shell: CompletionScript.Shell,
        _ ask: (_ shell: String, _ folder: URL, _ script: String) throws -> Void
    ) throws {
        guard let program = Tools.find(shell.rawValue) else {
            return Tools.notice(
                "no \(shell.rawValue) here: its completion script wasn't asked; Benchmarks/check installs it")
        }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = CompletionScript.text(
            for: shell, program: "Tools/run", commands: Self.commands, scenarios: Self.names)
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
        ("corinth-bench comp", ["compare", "completions"]),
        ("Tools/run ru", ["run"]),
        ("./Tools/run --filter pi", ["pipe/1", "pipe/10"]),
        ("corinth-bench run --mode ", ["counts", "time"]),
        ("corinth-bench baseline s", ["save"]),
        ("corinth-bench profile ma", ["map/10"]),
        ("corinth-bench compare --thr", ["--threshold"]),
        ("corinth-bench compare scr", ["script"]),
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

    /// What zsh's own functions are told, which then do the completing.
    @Test(arguments: [
        (["comp"], "described"),
        (["--filter", "pi"], "run: bench --filter pi, 3"),
        (["run", "--mode", ""], "run: run --mode , 3"),
        (["baseline", "s"], "baseline: baseline s, 2"),
        (["profile", "ma"], "profile: profile ma, 2"),
    ])
    func zshIsToldWhatToComplete(words: [String], told: String) throws {
        try inAShell(.zsh) { zsh, _, script in
            let list = (["bench"] + words).map { "'\($0)'" }.joined(separator: " ")
            let asking = """
                compdef() { :; }
                _describe() { print described; print -rl -- $commands }
                _arguments() { print -r -- "$command: $words, $CURRENT"; print -rl -- "$@" }
                source \(script)
                words=(\(list)); CURRENT=$#words; _corinth_bench
                """
            let answer = try Tools.run(zsh, ["-f", "-c", asking])
            #expect(answer.errors == "")
            #expect(answer.output.hasPrefix(told + "\n"), "\(answer.output)")
            let names = told == "described" ? "compare:say what changed" : "(pipe/1 pipe/10 map/10)"
            if told != "baseline: baseline s, 2" { #expect(answer.output.contains(names)) }
        }
    }
}
