import Foundation

/// A command-line tool that measures scenarios: what `main` of a benchmark executable is.
///
/// ```swift
/// BenchmarkTool(catalogue: [myScenario]).main()
/// ```
public struct BenchmarkTool: Sendable {
    /// A command that the executable adds to those that every tool has.
    public struct Extension: Sendable {
        var description: CommandDescription
        var run: @Sendable (BenchmarkTool, ParsedArguments) throws -> Int32

        public init(
            _ description: CommandDescription,
            run: @escaping @Sendable (BenchmarkTool, ParsedArguments) throws -> Int32
        ) {
            self.description = description
            self.run = run
        }
    }

    let catalogue: [ScenarioEntry]
    /// Scenarios that workers know and lists don't show.
    let hidden: [ScenarioEntry]
    let build: Build
    let extensions: [Extension]

    /// How a person calls the tool: what the script that started it says, or its own name.
    public let program: String

    /// Where thresholds and baselines are kept unless it is said: a folder that the script names, or the current one.
    let home: String

    /// - Parameters:
    ///   - catalogue: What can be measured, in the order in which it is.
    ///   - hidden: Scenarios that extensions ask for by themselves.
    ///   - build: What this executable was built as.
    ///   - extensions: More commands.
    public init(
        catalogue: [ScenarioEntry],
        hidden: [ScenarioEntry] = [],
        build: Build = .lockfree,
        extensions: [Extension] = []
    ) {
        self.catalogue = catalogue
        self.hidden = hidden
        self.build = build
        self.extensions = extensions
        let environment = ProcessInfo.processInfo.environment
        program = Self.calledBy
        home = environment["CORINTH_BENCH_HOME"] ?? "."
    }

    /// Does what the command line says and ends the process.
    // Not declared as never returning: then the call would be the last thing that its caller does, and profilers, which see
    // an address behind its end, wouldn't know the caller's name.
    @inline(never)
    public func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what `arguments` say; returns the exit status.
    public func run(_ arguments: [String]) -> Int32 {
        do {
            return try perform(arguments)
        } catch {
            Self.complain("\(error)")
            return 2
        }
    }

    var commands: [CommandDescription] {
        [.run, .list, .compare, .baseline, .report] + extensions.map(\.description)
            + [.profile, .thresholds, .completions, .only]
    }

    private func perform(_ arguments: [String]) throws -> Int32 {
        if arguments == ["worker"] || arguments == ["worker", Worker.counting] {
            try Worker(build: build, catalogue: catalogue + hidden, isCounting: arguments.count > 1).serve()
            return 0
        }
        if arguments.first == CountingProbe.command, arguments.count == 3 {
            try CountingProbe.run(try entry(named: arguments[1]), direct: arguments[2] == "direct")
            return 0
        }
        // As many tools have it: `help` is `--help`, and `help COMMAND` is `COMMAND --help`.
        let arguments = arguments.first == "help" ? Array(arguments.dropFirst()) + ["--help"] : arguments
        let (command, parsed) = try parse(arguments)
        if parsed.has("--help") {
            let isGeneral = arguments.first?.hasPrefix("-") ?? true
            print(
                isGeneral
                    ? HelpText.text(of: commands, program: program) : HelpText.text(of: command, program: program))
            return 0
        }
        switch command.name {
        case "run": return try RunCommand(tool: self, arguments: parsed).run()
        case "list": return try list(parsed)
        case "compare": return try CompareCommand(arguments: parsed).run()
        case "baseline": return try BaselineCommand(tool: self, arguments: parsed).run()
        case "report": return try ReportCommand(arguments: parsed).run()
        case "profile": return try ProfileCommand(tool: self, arguments: parsed).run()
        case "thresholds": return try ThresholdsCommand(tool: self, arguments: parsed).run()
        case "completions": return completions(parsed)
        case "only": return try OnlyCommand(tool: self, arguments: parsed).run()
        default:
            guard let found = extensions.first(where: { $0.description.name == command.name }) else { return 2 }
            return try found.run(self, parsed)
        }
    }

    /// The command that `arguments` name, or `run`, and what they say to it.
    func parse(_ arguments: [String]) throws -> (CommandDescription, ParsedArguments) {
        guard let first = arguments.first, !first.hasPrefix("-") else {
            return (.run, try ParsedArguments(arguments, of: .run))
        }
        guard let command = commands.first(where: { $0.name == first }) else {
            let near = NearMiss.suggestions(for: first, among: commands.filter { !$0.isHidden }.map(\.name))
            let hint = near.isEmpty ? "see --help" : "did you mean \(near.joined(separator: " or "))?"
            throw UsageError("unknown command '\(first)'; \(hint)")
        }
        return (command, try ParsedArguments(Array(arguments.dropFirst()), of: command))
    }

    func entry(named name: String) throws -> ScenarioEntry {
        if let entry = (catalogue + hidden).first(where: { $0.name == name }) { return entry }
        let near = NearMiss.suggestions(for: name, among: catalogue.map(\.name))
        throw UsageError(
            "no scenario '\(name)'; \(near.isEmpty ? "see list" : "near: \(near.joined(separator: ", "))")")
    }

    /// The entries that `--filter` names, or all but those that are measured on request only.
    func entries(_ arguments: ParsedArguments) throws -> [ScenarioEntry] {
        guard arguments.has("--filter") else { return catalogue.filter { !$0.isOnRequest } }
        let prefixes = arguments.all("--filter").flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return try Catalogue.filter(catalogue, by: prefixes)
    }

    /// Prints the names, and on standard error which of them a run without a filter leaves out.
    func list(_ arguments: ParsedArguments) throws -> Int32 {
        let isFiltered = arguments.has("--filter")
        for entry in isFiltered ? try entries(arguments) : catalogue { print(entry.name) }
        if !isFiltered, let note = Self.noteOnRequests(catalogue) { Self.complain(note) }
        return 0
    }

    /// Says which entries are measured on request only: families by their names, and what else is of a family that isn't.
    static func noteOnRequests(_ catalogue: [ScenarioEntry]) -> String? {
        func family(_ entry: ScenarioEntry) -> Substring { entry.name.prefix { $0 != "/" } }
        let usual = Set(catalogue.filter { !$0.isOnRequest }.map(family))
        var names: [String] = []
        for entry in catalogue where entry.isOnRequest {
            let name = usual.contains(family(entry)) ? entry.name : "\(family(entry))/*"
            if names.last != name { names.append(name) }
        }
        return names.isEmpty ? nil : "measured only if --filter names them: \(names.joined(separator: ", "))"
    }

    private func completions(_ arguments: ParsedArguments) -> Int32 {
        guard let shell = arguments.words.first.flatMap(CompletionScript.Shell.init) else { return 2 }
        let scenarios = catalogue.map(\.name)
        print(CompletionScript.text(for: shell, program: program, commands: commands, scenarios: scenarios))
        return 0
    }

    /// The executable of the naive build, where there is one.
    func naive(_ arguments: ParsedArguments) throws -> String? {
        let given = arguments["--naive"] ?? ProcessInfo.processInfo.environment["CORINTH_BENCH_NAIVE"]
        guard let given, !given.isEmpty else { return nil }
        guard FileManager.default.isExecutableFile(atPath: given) else {
            throw UsageError("no executable at '\(given)'")
        }
        return given
    }

    /// This executable.
    static func ownPath() throws -> String {
        guard let path = Bundle.main.executablePath else { throw UsageError("can't find this executable") }
        return path
    }

    /// What the script that started this process says it is called, or its own name.
    private static var calledBy: String {
        ProcessInfo.processInfo.environment["CORINTH_BENCH_PROGRAM"] ?? ProcessInfo.processInfo.processName
    }

    /// Says something on standard error.
    public static func complain(_ text: String) {
        FileHandle.standardError.write(Data("\(calledBy): \(text)\n".utf8))
    }
}
