extension OptionDescription {
    static let filter = OptionDescription(
        "--filter", "PREFIX[,PREFIX…]",
        "only scenarios whose names begin with it; includes those on request: see list. NAME$ is exactly that name, and "
            + "/EXPRESSION/ a regular expression",
        completion: .scenario)
    static let threads = OptionDescription(
        "--threads", "N", "the scenarios with N threads, also those that list doesn't have")
    static let exclude = OptionDescription(
        "--exclude", "PREFIX[,PREFIX…]", "without these scenarios; the same as in --filter", completion: .scenario)
    static let format = OptionDescription(
        "--format", "FORMAT",
        "table (default), markdown, csv, json, compact (JSON without samples) or jmh (JMH's JSON)",
        completion: .words(OutputFormat.allCases.map(\.rawValue)))
    static let comparisonFormat = OptionDescription(
        "--format", "FORMAT", "table (default), markdown, csv or json",
        completion: .words(["table", "markdown", "csv", "json"]))
    static let threshold = OptionDescription(
        "--threshold", "PERCENT[,PREFIX=PERCENT…]",
        "the smallest change that matters (default 10 for times, 1 for counts), also for scenarios whose names begin with "
            + "PREFIX")
    static let details = OptionDescription(
        "--details", "show latencies, threads and counters also if there are many scenarios")
    public static let color = OptionDescription(
        "--color", "WHEN", "auto (default: on a terminal, unless NO_COLOR is set), always or never",
        completion: .words(["auto", "always", "never"]))
    static let requireConclusive = OptionDescription(
        "--require-conclusive", "exit with status 3 if a figure is inconclusive and there is no regression")
    static let allowMissing = OptionDescription(
        "--allow-missing", "the second run needn't have all figures of the first one; what is missing is named")
    static let alternative = OptionDescription(
        "--alternative", "FILE", "the alternative build's executable", isHidden: true)

    /// What every command that times scenarios takes.
    public static let measuring: [OptionDescription] = [
        OptionDescription("--quick", "6 samples of each side"),
        OptionDescription("--samples", "N", "how often each side is measured (default 40; quick 6)"),
        OptionDescription("--processes", "N", "how many processes share the samples (default 10; quick 6)"),
        OptionDescription("--warmup", "SECONDS", "how long each process runs before its first sample, at least"),
        OptionDescription("--time", "MILLISECONDS", "how long a sample takes, about (default: the scenario's own)"),
        OptionDescription("--json", "FILE", "also write the figures to FILE", completion: .file),
        alternative,
    ]

    static let mode = OptionDescription(
        "--mode", "MODE", "time (default), or counts: instructions, allocations and system calls, which repeat exactly",
        completion: .words(["time", "counts"]))
    static let env = OptionDescription(
        "--env", "NAME[,NAME…]", "with --mode counts: variables of the environment that the scenarios read")
    static let hgrm = OptionDescription(
        "--hgrm", "DIRECTORY", "write each latency distribution there, for HdrHistogram's plotters",
        completion: .directory)
    static let hlog = OptionDescription(
        "--hlog", "FILE", "write the latencies of each pass there, for HdrHistogram's log processors", completion: .file
    )
}

extension CommandDescription {
    private static let against = OptionDescription(
        "--against", "CHECKOUT", "alternate with another checkout's main build, or with another executable",
        completion: .file)

    static func run(_ builds: BuildNames, parameters: [String: String] = [:]) -> CommandDescription {
        let known = parameters.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        let parameter = OptionDescription(
            "-p", "NAME=VALUE", "sets a parameter: \(known.joined(separator: ", "))")
        return CommandDescription(
            "run",
            "measure scenarios on their sides in turn: direct (no library), \(builds.main), \(builds.alternative)",
            options: [
                .filter, .exclude, OptionDescription("--full", "all scenarios except those on request"),
            ] + OptionDescription.measuring + [
                parameter, .mode, .env, .format,
                OptionDescription("--output", "FILE", "write the output to FILE; also -o", completion: .file), .details,
                .color, .hgrm, .hlog, against, .threshold, .requireConclusive,
                OptionDescription("--list", "list the scenarios and exit"),
            ])
    }

    static let list = CommandDescription(
        "list", "list the scenarios", options: [.filter, .exclude, .alternative])

    static let compare = CommandDescription(
        "compare",
        words: "A.json B.json",
        "show what changed from one run to another",
        details: """
            Times are compared as multiples of direct, which the same run measured, or as they are if there is no direct; then
            the intervals are wider by what the machine's speed differs. A figure is the same if its interval
            lies within the threshold, and has changed if its interval excludes no change. Otherwise it is inconclusive.
            The exit status is 1 if a figure increased by more than the threshold, if one of A.json is missing in B.json or has
            another unit there, or if a scenario failed in one of them; 2 if nothing was compared.
            """,
        options: [
            .filter, .exclude, .threshold, .requireConclusive, .allowMissing, .comparisonFormat, .color, .alternative,
        ],
        completion: .file,
        wordCount: 2...2)

    static let baseline = CommandDescription(
        "baseline",
        words: "save|list|check|delete [NAME] [FILE.json…]",
        "save a run under a name and compare with it later",
        details: """
            save NAME [FILE.json…]  saves the run in FILE, or measures now; of several runs, the median and their spread
            list                    lists the saved runs
            check NAME [FILE.json]  compares the run in FILE, or a new one, with the saved run
            delete NAME             deletes the saved run
            """,
        options: [.filter, .exclude] + OptionDescription.measuring + [
            .mode, .env, .threshold, .requireConclusive, .allowMissing, .comparisonFormat, .color,
            OptionDescription("--directory", "DIRECTORY", "the folder of the saved runs", completion: .directory),
        ],
        completion: .words(["save", "list", "check", "delete"]),
        wordCount: 1...100)

    static let trend = CommandDescription(
        "trend",
        words: "[FILE.json…]",
        "show the figures of several runs side by side, the oldest first",
        details: """
            Takes runs in the order of the files, or all baselines in the order in which they were saved. Times are multiples
            of direct, which cancels most of what differs between days and machines, or, without direct, as they are.
            """,
        options: [
            .color,
            OptionDescription(
                "--format", "FORMAT", "table (default), markdown or csv",
                completion: .words(["table", "markdown", "csv"])),
            OptionDescription(
                "--html", "FILE", "also write a page there: the intervals, and the runs from which figures differ",
                completion: .file),
            OptionDescription("--directory", "DIRECTORY", "the folder of the baselines", completion: .directory),
            .alternative,
        ],
        completion: .file,
        wordCount: 0...100)

    static let table = CommandDescription(
        "table",
        words: "FILE.json…",
        "make one table of several runs: medians, intervals of the ratios, and counts",
        details: """
            Takes runs of several days or machines, for a README. Below the table is a line for each run. run --format compact
            -o FILE writes a run without its samples, which is enough for this.

            The first line of --rows has titles: scenario, that of the first column, that of each build. The others have the
            names of scenarios and what an event of each is. Tabs separate them.
            """,
        options: [
            OptionDescription(
                "--counts", "FILE", "a run of --mode counts, whose counts are shown with the times", completion: .file),
            OptionDescription("--rows", "FILE", "the rows and their descriptions (default: all)", completion: .file),
            OptionDescription(
                "--format", "FORMAT", "markdown (default), table or csv",
                completion: .words(["markdown", "table", "csv"])),
            OptionDescription("--output", "FILE", "write the output to FILE; also -o", completion: .file),
            OptionDescription(
                "--into", "FILE",
                "write the table into a document, between the lines '\(TableCommand.marks.begin)' and "
                    + "'\(TableCommand.marks.end)'",
                completion: .file), .color,
            .alternative,
        ],
        completion: .file,
        wordCount: 1...100)

    static let report = CommandDescription(
        "report",
        words: "IN.json",
        "write a run as one HTML file with tables and charts, or in another format",
        options: [
            OptionDescription("--output", "FILE", "the file to write; also -o (default: IN.html)", completion: .file),
            OptionDescription(
                "--format", "FORMAT", "html (default), table, markdown, csv, json, compact or jmh",
                completion: .words(["html"] + OutputFormat.allCases.map(\.rawValue))),
            OptionDescription(
                "--before", "FILE", "an earlier run; the page begins with the changes from it", completion: .file),
            OptionDescription(
                "--counts", "FILE", "a run of --mode counts, whose counts are shown with the times", completion: .file),
            .details, .color, .alternative,
        ],
        completion: .file,
        wordCount: 1...1)

    static func profile(_ builds: BuildNames) -> CommandDescription {
        CommandDescription(
            "profile",
            words: "SCENARIO",
            "show which functions execute a scenario's instructions (needs Valgrind)",
            options: [
                OptionDescription(
                    "--build", "BUILD", "\(builds.main) (default), \(builds.alternative) or direct",
                    completion: .words(builds.all.map(\.rawValue))),
                OptionDescription("--lines", "N", "how many functions (default 25)"),
                .alternative,
            ],
            completion: .scenario,
            wordCount: 1...1)
    }

    static func thresholds(_ builds: BuildNames) -> CommandDescription {
        CommandDescription(
            "thresholds",
            words: "check|update [COUNTS.json]",
            "compare the counts of the \(builds.main) build with the known counts of this toolchain",
            details: """
                check    fails if a count differs, in either direction, and prints the diff to commit
                update   writes the new counts

                Counts the scenarios unless a file of --mode counts is given. Thresholds hold for one version of Swift
                on one architecture. If this toolchain has none, check says so and succeeds.
                """,
            options: [
                .filter, .env,
                OptionDescription("--directory", "DIRECTORY", "the folder of the files", completion: .directory),
                OptionDescription("--json", "FILE", "also write the counts to FILE", completion: .file),
                .alternative,
            ],
            completion: .words(["check", "update"]),
            wordCount: 1...2)
    }

    static let completions = CommandDescription(
        "completions",
        words: "bash|zsh|fish",
        "print a completion script",
        options: [.alternative],
        completion: .words(CompletionScript.Shell.allCases.map(\.rawValue)),
        wordCount: 1...1)

    static let only = CommandDescription(
        "only",
        words: "SCENARIO",
        "run one side of one scenario in this process, for profilers",
        options: [
            OptionDescription("--direct", "the same work without the library"),
            OptionDescription("--seconds", "N", "how long (default 5)"),
            OptionDescription("--events", "N", "how many events, in one run, instead of a time"),
            .alternative,
        ],
        completion: .scenario,
        wordCount: 1...1,
        isHidden: true)
}
