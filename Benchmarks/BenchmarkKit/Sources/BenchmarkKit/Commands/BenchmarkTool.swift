import CBenchmarkSupport
import Foundation

/// Where a checkout of the measured package keeps its files, relative to its root.
public struct CheckoutLayout: Sendable {
    /// The release executable of the main build, which `--against` runs.
    public var executable: String
    /// The folder of the thresholds, which diffs name.
    public var thresholds: String

    public init(executable: String, thresholds: String) {
        self.executable = executable
        self.thresholds = thresholds
    }
}

/// A command-line tool that measures scenarios: the `main` of a benchmark executable.
///
/// ```swift
/// BenchmarkTool(catalogue: [myScenario]).main()
/// ```
public struct BenchmarkTool: Sendable {
    /// A command that an executable adds to the built-in ones.
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
    /// The names of the scenarios that `run` measures if nothing else is said; empty for all.
    let mainScenarios: [String]
    /// Scenarios that lists don't show.
    let hidden: [ScenarioEntry]
    /// The names of the two builds in reports.
    public let builds: BuildNames
    /// The build of this executable.
    let build: Build
    let checkout: CheckoutLayout?
    let extensions: [Extension]
    /// The parameters of `-p`, with their descriptions.
    let parameters: [String: String]
    /// The scenarios with a number of threads; nil if there are none whose number can be chosen.
    let threaded: (@Sendable (Int) -> [ScenarioEntry])?

    /// The executable's name, for completion scripts.
    let name: String

    /// The command that starts the tool: `BENCHMARKKIT_PROGRAM` in the environment, or the process's name.
    public let program: String

    /// The default folder of thresholds and baselines: `BENCHMARKKIT_HOME` in the environment, or the current folder.
    let home: String

    /// - Parameters:
    ///   - catalogue: The scenarios, in the order of measurement.
    ///   - mainScenarios: The names of those that `run` measures without options; empty for all. `--full` measures all.
    ///   - hidden: Scenarios for extensions, which lists don't show.
    ///   - builds: The names of the two builds in reports.
    ///   - isAlternative: Whether this executable is the alternative build.
    ///   - checkout: Where a checkout keeps its executable and its thresholds; nil if `--against` takes executables only.
    ///   - name: The executable's name, for completion scripts; nil for the process's name.
    ///   - extensions: Additional commands.
    ///   - parameters: The names and descriptions of parameters that `-p NAME=VALUE` sets. Scenarios get the values in
    ///     ``Settings/values``. `events` is the tool's own.
    ///   - threaded: The scenarios with a number of threads, which `--threads` gives; nil without that option. It returns none
    ///     for a number that isn't allowed. Their names contain the number. Every process calls it.
    public init(
        catalogue: [ScenarioEntry],
        mainScenarios: [String] = [],
        hidden: [ScenarioEntry] = [],
        builds: BuildNames = BuildNames(),
        isAlternative: Bool = false,
        checkout: CheckoutLayout? = nil,
        name: String? = nil,
        extensions: [Extension] = [],
        parameters: [String: String] = [:],
        threaded: (@Sendable (_ threads: Int) -> [ScenarioEntry])? = nil
    ) {
        self.threaded = threaded
        self.catalogue = catalogue
        self.mainScenarios = mainScenarios
        self.hidden = hidden
        self.builds = builds
        build = isAlternative ? builds.alternative : builds.main
        self.checkout = checkout
        self.extensions = extensions
        self.parameters = parameters.merging(["events": "the number of events of a run"]) { $1 }
        self.name = name ?? ProcessInfo.processInfo.processName
        let environment = ProcessInfo.processInfo.environment
        program = Self.calledBy
        home = environment["BENCHMARKKIT_HOME"] ?? "."
    }

    /// Executes the command line and exits.
    // Not declared as `Never`: the call would be the last instruction of its caller, and the return address, which profilers
    // look up, would be outside of the caller.
    @inline(never)
    public func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // A file that becomes too large is an error of its writer, and doesn't end the process.
        signal(SIGXFSZ, SIG_IGN)
        // A worker ends with the process that started it.
        // A counted process does nothing else meanwhile.
        if arguments.first != "worker", arguments.first != CountingProbe.command { Children.endWhenInterrupted() }
        let status = run(arguments)
        let error = bench_flush_output()
        if error != 0, error != EPIPE {
            Self.complain("can't write the output: \(TextFile.reason(errno: error))")
            exit(2)
        }
        exit(status)
    }

    /// Executes `arguments` and returns the exit status.
    public func run(_ arguments: [String]) -> Int32 {
        do {
            return try perform(arguments)
        } catch {
            Self.complain("\(error)")
            return 2
        }
    }

    var commands: [CommandDescription] {
        let selecting: [OptionDescription] = threaded == nil ? [] : [.threads]
        return [
            .run(builds, parameters: parameters).taking(selecting), .list.taking(selecting), .compare,
            .baseline.taking(selecting), .trend, .table, .report,
        ]
            + extensions.map(\.description)
            + [.profile(builds), .thresholds(builds), .completions, .only]
    }

    private func perform(_ arguments: [String]) throws -> Int32 {
        if arguments == ["worker"] || arguments == ["worker", Worker.counting] {
            try Worker(build: build, isCounting: arguments.count > 1) { name, threads in
                let offered = threads.map(withThreads) ?? catalogue + hidden
                return offered.first { $0.name == name }
            }.serve()
            return 0
        }
        if arguments.first == CountingProbe.command, arguments.count == 3 {
            try CountingProbe.run(try entry(named: arguments[1]), direct: arguments[2] == "direct")
            return 0
        }
        if arguments == ["--version"] {
            print("\(program), BenchmarkKit \(BenchmarkKitVersion.current)")
            return 0
        }
        // As in many tools, `help` is `--help`, and `help COMMAND` is `COMMAND --help`.
        let arguments = arguments.first == "help" ? Array(arguments.dropFirst()) + ["--help"] : arguments
        let (command, parsed) = try parse(arguments)
        if parsed.has("--help") {
            let isGeneral = arguments.first?.hasPrefix("-") ?? true
            let terminal = Terminal(parsed)
            let text =
                isGeneral
                ? HelpText.text(of: commands, program: program, width: terminal.width)
                : HelpText.text(of: command, program: program, width: terminal.width)
            print(terminal.wrapped(text))
            return 0
        }
        switch command.name {
        case "run": return try RunCommand(tool: self, arguments: parsed).run()
        case "list": return try list(parsed)
        case "compare": return try CompareCommand(tool: self, arguments: parsed).run()
        case "baseline": return try BaselineCommand(tool: self, arguments: parsed).run()
        case "trend": return try TrendCommand(tool: self, arguments: parsed).run()
        case "table": return try TableCommand(tool: self, arguments: parsed).run()
        case "report": return try ReportCommand(tool: self, arguments: parsed).run()
        case "profile": return try ProfileCommand(tool: self, arguments: parsed).run()
        case "thresholds": return try ThresholdsCommand(tool: self, arguments: parsed).run()
        case "completions": return completions(parsed)
        case "only": return try OnlyCommand(tool: self, arguments: parsed).run()
        default:
            guard let found = extensions.first(where: { $0.description.name == command.name }) else { return 2 }
            return try found.run(self, parsed)
        }
    }

    /// The command of `arguments`, or `run`, and its arguments.
    func parse(_ arguments: [String]) throws -> (CommandDescription, ParsedArguments) {
        guard let first = arguments.first, !first.hasPrefix("-") else {
            let run = commands[0]
            return (run, try ParsedArguments(arguments, of: run))
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

    /// The entries that `--filter` selects, or all but those on request, without those that `--exclude` names.
    func entries(_ arguments: ParsedArguments) throws -> [ScenarioEntry] {
        let offered = try offered(arguments)
        let usual = offered.filter { !$0.isOnRequest }
        let selected =
            try arguments.has("--filter") ? Catalogue.filter(offered, by: arguments.all("--filter")) : usual
        guard arguments.has("--exclude") else { return selected }
        let excluded = Set(
            try Catalogue.filter(offered, by: arguments.all("--exclude"), option: "--exclude").map(\.name))
        let rest = selected.filter { !excluded.contains($0.name) }
        guard !rest.isEmpty else { throw UsageError("--exclude leaves no scenario") }
        return rest
    }

    /// What `run` measures: without a word about it, the main scenarios.
    func entriesToRun(_ arguments: ParsedArguments) throws -> [ScenarioEntry] {
        let all = try entries(arguments)
        let isChosen =
            ["--full", "--filter", "--exclude", "--threads", "--against", "--list"].contains { arguments.has($0) }
        let main = all.filter { mainScenarios.contains($0.name) }
        if isChosen || arguments["--mode"] == "counts" || main.isEmpty { return all }
        Self.complain("\(main.count) of \(all.count) scenarios; --full measures all, --filter some")
        return main
    }

    /// The catalogue, or with `--threads` the scenarios with that number of threads.
    private func offered(_ arguments: ParsedArguments) throws -> [ScenarioEntry] {
        guard let threads = try arguments.count("--threads", "a number of threads") else { return catalogue }
        let entries = withThreads(threads)
        guard !entries.isEmpty else { throw UsageError("no scenario has --threads \(threads)") }
        return entries
    }

    /// The scenarios with a number of threads. Those that the catalogue has are as they are there.
    private func withThreads(_ threads: Int) -> [ScenarioEntry] {
        (threaded?(threads) ?? []).map { entry in catalogue.first { $0.name == entry.name } ?? entry }
    }

    /// The parameters of `-p NAME=VALUE`, by name.
    func parameters(_ arguments: ParsedArguments) throws -> [String: String] {
        var values: [String: String] = [:]
        for text in arguments.all("-p") {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError("-p takes NAME=VALUE, not '\(text)'") }
            guard parameters[parts[0]] != nil else {
                let known = parameters.keys.sorted()
                let choice = known.count > 1 ? "one of " : ""
                throw ParsedArguments.unknown(
                    "-p takes \(choice)\(known.joined(separator: ", "))", parts[0], among: known)
            }
            values[parts[0]] = parts[1]
        }
        return values
    }

    /// Prints the names. Standard error names those that a run without a filter leaves out.
    func list(_ arguments: ParsedArguments) throws -> Int32 {
        let isFiltered = arguments.has("--filter") || arguments.has("--exclude")
        let shown = try isFiltered ? entries(arguments) : offered(arguments)
        for entry in shown { print(entry.name) }
        if !isFiltered, let note = Self.noteOnRequests(shown) { Self.complain(note) }
        return 0
    }

    /// Names the entries on request: a whole family by the family's name, others one by one.
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
        print(
            CompletionScript.text(
                for: shell, program: program, executable: name, commands: commands, scenarios: scenarios))
        return 0
    }

    /// The executable of the alternative build, if there is one.
    func alternative(_ arguments: ParsedArguments) throws -> String? {
        let given = arguments["--alternative"] ?? ProcessInfo.processInfo.environment["BENCHMARKKIT_ALTERNATIVE"]
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

    /// The command that starts the tool.
    static var calledBy: String {
        ProcessInfo.processInfo.environment["BENCHMARKKIT_PROGRAM"] ?? ProcessInfo.processInfo.processName
    }

    /// Writes a line to standard error.
    public static func complain(_ text: String) {
        // In the order of the lines, also if both go to the same file.
        _ = bench_flush_output()
        FileHandle.standardError.write(Data("\(calledBy): \(text)\n".utf8))
    }
}
