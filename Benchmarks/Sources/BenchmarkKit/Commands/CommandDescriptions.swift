extension OptionDescription {
    static let filter = OptionDescription(
        "--filter", "PREFIX[,PREFIX…]", "only scenarios whose names begin so; some are measured only then: see list",
        completion: .scenario)
    static let format = OptionDescription(
        "--format", "FORMAT", "table (default), markdown, csv or json",
        completion: .words(OutputFormat.allCases.map(\.rawValue)))
    static let threshold = OptionDescription(
        "--threshold", "PERCENT", "from how much more on it is a regression (default 10 for times, 1 for counts)")
    static let naive = OptionDescription("--naive", "FILE", "the naive build's executable", isHidden: true)

    /// What every command that times scenarios takes.
    public static let measuring: [OptionDescription] = [
        OptionDescription("--quick", "fewer samples: under 90 s in all"),
        OptionDescription("--samples", "N", "how often each side is measured (default 40; quick 6)"),
        OptionDescription("--json", "FILE", "write the figures to FILE, too", completion: .file),
        naive,
    ]

    static let mode = OptionDescription(
        "--mode", "MODE", "time (default), or counts: instructions, allocations and system calls, the same every time",
        completion: .words(["time", "counts"]))
    static let hgrm = OptionDescription(
        "--hgrm", "DIRECTORY", "write each latency distribution there, for HdrHistogram's plotters",
        completion: .directory)
}

extension CommandDescription {
    private static let against = OptionDescription(
        "--against", "CHECKOUT", "measure another checkout's lock-free build, or such an executable, in turn with this",
        completion: .file)

    static let run = CommandDescription(
        "run",
        "measure scenarios on three sides in turn: direct (no library), lockfree, naive",
        options: [.filter] + OptionDescription.measuring + [
            .mode, .format, .hgrm, against, .threshold, OptionDescription("--list", "list the scenarios and leave"),
        ])

    static let list = CommandDescription("list", "list the scenarios", options: [.filter, .naive])

    static let compare = CommandDescription(
        "compare",
        words: "A.json B.json",
        "say what changed from one run to another",
        details: """
            Times are compared as multiples of direct, which was measured beside them. An interval that holds 1 is no
            difference. The exit status is 1 if something got worse by more than the threshold.
            """,
        options: [.threshold, .format, .naive],
        completion: .file,
        wordCount: 2...2)

    static let baseline = CommandDescription(
        "baseline",
        words: "save|list|check [NAME] [FILE.json]",
        "keep a run under a name, and compare with it later",
        details: """
            save NAME [FILE.json]   keeps the run in FILE, or measures now
            list                    lists what is kept
            check NAME [FILE.json]  compares the run in FILE, or one measured now, with what is kept
            """,
        options: [.filter] + OptionDescription.measuring + [
            .mode, .threshold, .format,
            OptionDescription("--directory", "DIRECTORY", "where they are kept", completion: .directory),
        ],
        completion: .words(["save", "list", "check"]),
        wordCount: 1...3)

    static let report = CommandDescription(
        "report",
        words: "IN.json",
        "make a page of a run: one HTML file with tables and charts, or another format",
        options: [
            OptionDescription("--output", "FILE", "where to; also -o (default: IN.html)", completion: .file),
            OptionDescription(
                "--format", "FORMAT", "html (default), table, markdown, csv or json",
                completion: .words(["html"] + OutputFormat.allCases.map(\.rawValue))),
            OptionDescription(
                "--counts", "FILE", "a run of --mode counts, whose counts stand beside the times", completion: .file),
            .naive,
        ],
        completion: .file,
        wordCount: 1...1)

    static let profile = CommandDescription(
        "profile",
        words: "SCENARIO",
        "say which functions a scenario's instructions are in (needs Valgrind)",
        options: [
            OptionDescription(
                "--build", "BUILD", "lockfree (default), naive or direct",
                completion: .words(Build.allCases.map(\.rawValue))),
            OptionDescription("--lines", "N", "how many functions (default 25)"),
            .naive,
        ],
        completion: .scenario,
        wordCount: 1...1)

    static let thresholds = CommandDescription(
        "thresholds",
        words: "check|update [COUNTS.json]",
        "hold the counts of the lock-free build against those that this toolchain is known to give",
        details: """
            check    fails if a count is off, in either direction, and prints the diff to commit
            update   writes what was counted

            Counts now unless a file of --mode counts is given. Thresholds hold for one version of Swift on one
            architecture; if there are none for this one, check says so and succeeds.
            """,
        options: [
            .filter,
            OptionDescription("--directory", "DIRECTORY", "where the files are", completion: .directory),
            OptionDescription("--json", "FILE", "write the counts to FILE, too", completion: .file),
            .naive,
        ],
        completion: .words(["check", "update"]),
        wordCount: 1...2)

    static let completions = CommandDescription(
        "completions",
        words: "bash|zsh|fish",
        "print a completion script",
        options: [.naive],
        completion: .words(CompletionScript.Shell.allCases.map(\.rawValue)),
        wordCount: 1...1)

    static let only = CommandDescription(
        "only",
        words: "SCENARIO",
        "run one side of one scenario in this process, for profilers",
        options: [
            OptionDescription("--direct", "the same work without the library"),
            OptionDescription("--seconds", "N", "how long (default 5)"),
            OptionDescription("--events", "N", "how many events, instead, in one run"),
            .naive,
        ],
        completion: .scenario,
        wordCount: 1...1,
        isHidden: true)
}
