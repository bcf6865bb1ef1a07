/// The help of a tool and of its commands.
enum HelpText {
    /// What `--help` alone prints.
    static func text(of commands: [CommandDescription], program: String) -> String {
        let shown = commands.filter { !$0.isHidden }
        var lines = ["usage: \(program) [command] [options]; \(program) COMMAND --help describes a command", ""]
        let width = shown.map(\.name.count).max() ?? 0
        lines += shown.map { "  \(padded($0.name, width))  \($0.summary)" }
        if let run = shown.first(where: { $0.name == "run" }) {
            lines += ["", "The default command is run. Its options:", ""] + optionLines(run)
        }
        lines += [
            "", "Exit status: 0; 1 if a check failed or there is a regression; 2 if the arguments are wrong; 3 if",
            "--require-conclusive is given and a figure is inconclusive.",
        ]
        return lines.joined(separator: "\n")
    }

    /// What `COMMAND --help` prints.
    static func text(of command: CommandDescription, program: String) -> String {
        let words = command.words.isEmpty ? "" : " \(command.words)"
        var lines = ["usage: \(program) \(command.name)\(words) [options]", "", command.summary]
        if !command.details.isEmpty { lines += ["", command.details] }
        lines += [""] + optionLines(command)
        return lines.joined(separator: "\n")
    }

    private static func optionLines(_ command: CommandDescription) -> [String] {
        let shown = command.options.filter { !$0.isHidden }
        let titles = shown.map { option in option.value.map { "\(option.name) \($0)" } ?? option.name }
        let width = titles.map(\.count).max() ?? 0
        return zip(titles, shown).map { "  \(padded($0, width))  \($1.help)" }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
