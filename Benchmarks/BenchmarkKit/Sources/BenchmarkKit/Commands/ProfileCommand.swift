import Foundation

/// `profile`: shows which functions execute a scenario's instructions.
struct ProfileCommand {
    let tool: BenchmarkTool
    let arguments: ParsedArguments

    func run() throws -> Int32 {
        let entry = try tool.entry(named: arguments.words[0])
        let lines = try arguments.count("--lines", "a number of functions") ?? 25
        let build = arguments["--build"].map(Build.init) ?? tool.builds.main
        let executable = try build == tool.builds.alternative ? tool.alternative(arguments) : BenchmarkTool.ownPath()
        guard let executable else {
            throw UsageError("--build \(build) needs --alternative with that build's executable")
        }
        let tools = try CountingTools()
        defer { tools.removeFiles() }
        guard let valgrind = tools.valgrind, let annotate = CountingTools.find("callgrind_annotate") else {
            throw UsageError("profile needs Valgrind, which isn't on the PATH; install the package valgrind")
        }
        let file = tools.directory.appendingPathComponent("profile").path
        let options = ["--tool=callgrind", "--quiet", "--instr-atstart=no", "--callgrind-out-file=\(file)"]
        let probe = [CountingProbe.command, entry.name, build == .direct ? "direct" : "library"]
        let stripped = tools.withoutDebugging(executable, as: "profiled")
        let environment = CountingTools.environment()
        let counted = try tools.run(valgrind, options + [stripped] + probe, environment: environment)
        guard counted.status == 0, let points = CountedPoints.parse(counted.text) else {
            throw UsageError("the scenario failed: \(counted.errors)")
        }
        // The larger of the two runs.
        let annotated = try tools.run(
            annotate, ["--threshold=99.9", file + CountingProbe.dumps.large], environment: nil)
        guard annotated.status == 0 else { throw UsageError("callgrind_annotate failed: \(annotated.errors)") }
        let functions = Self.functions(in: annotated.text)
        let names = demangled(functions.map(\.name), tools)
        var table = Table(["instructions/event", "share", "function"], alignments: [.right, .right, .left])
        let total = functions.reduce(0) { $0 + $1.instructions }
        for (function, name) in zip(functions, names).prefix(lines) {
            let perEvent = Double(function.instructions) / Double(points.points.large)
            let share = Double(function.instructions) / Double(max(1, total))
            table.add([Figures.perEvent(perEvent), "\(Figures.number(share * 100)) %", name])
        }
        print("\(entry.name), \(build): \(points.points.large) events\n\n\(table.text())")
        return 0
    }

    struct Function: Equatable {
        var instructions: Int
        var name: String
    }

    /// The functions that `callgrind_annotate` lists: `1,234 (56.7%)  file:name [object]`.
    static func functions(in text: String) -> [Function] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", omittingEmptySubsequences: true)
            guard let first = parts.first, let count = Int(first.filter { $0 != "," }) else { return nil }
            // Totals, options and headings have no file, colon and name.
            guard let place = parts.firstIndex(where: { $0.contains(":") }), place <= 3 else { return nil }
            let name = parts[place...].filter { !$0.hasPrefix("[") }.joined(separator: " ")
            guard let colon = name.firstIndex(of: ":") else { return nil }
            return Function(instructions: count, name: String(name[name.index(after: colon)...]))
        }
    }

    /// Demangled names; the given ones if there is no demangler.
    private func demangled(_ names: [String], _ tools: CountingTools) -> [String] {
        guard let swift = CountingTools.find("swift"), !names.isEmpty else { return names }
        // Callgrind adds an apostrophe and the recursion's depth.
        let parts = names.map { $0.split(separator: "'", maxSplits: 1).map(String.init) }
        let output = try? tools.run(
            swift, ["demangle", "--simplified", "--compact"] + parts.map { $0.first ?? "" }, environment: nil)
        let read = output?.text.split(separator: "\n").map(String.init) ?? []
        guard read.count == names.count else { return names }
        return zip(read, parts).map { name, parts in parts.count == 2 ? "\(name) (recursion \(parts[1]))" : name }
    }
}
