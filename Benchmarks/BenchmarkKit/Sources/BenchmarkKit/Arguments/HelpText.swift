/// The help of a tool and of its commands.
enum HelpText {
    /// What `--help` alone prints.
    static func text(of commands: [CommandDescription], program: String, width: Int = 1000) -> String {
        let shown = commands.filter { !$0.isHidden }
        var lines = ["usage: \(program) [command] [options]; \(program) COMMAND --help describes a command", ""]
        let names = shown.map(\.name.count).max() ?? 0
        lines += shown.flatMap { entry($0.name, names, $0.summary, width) }
        if let run = shown.first(where: { $0.name == "run" }) {
            lines += ["", "The default command is run. Its options:", ""] + optionLines(run, width)
        }
        lines += [""]
        lines += Terminal.wrap(
            "Exit status: 0; 1 if a check failed or there is a regression; 2 if the arguments are wrong; 3 if "
                + "--require-conclusive is given and a figure is inconclusive.", width)
        return lines.joined(separator: "\n")
    }

    /// What `COMMAND --help` prints.
    static func text(of command: CommandDescription, program: String, width: Int = 1000) -> String {
        let words = command.words.isEmpty ? "" : " \(command.words)"
        var lines = ["usage: \(program) \(command.name)\(words) [options]", ""]
        lines += Terminal.wrap(command.summary, width)
        lines += detailLines(command.details, width)
        lines += [""] + optionLines(command, width)
        return lines.joined(separator: "\n")
    }

    /// Paragraphs, each after an empty line. Lines of a name and a description, with two blanks between them, are a list.
    private static func detailLines(_ details: String, _ width: Int) -> [String] {
        guard !details.isEmpty else { return [] }
        return details.split(separator: "\n\n").flatMap { paragraph -> [String] in
            let lines = paragraph.split(separator: "\n")
            let entries = lines.compactMap { line in
                line.firstRange(of: "  ").map { (line[..<$0.lowerBound], line[$0.upperBound...]) }
            }
            guard entries.count == lines.count else { return [""] + Terminal.wrap(lines.joined(separator: " "), width) }
            let names = entries.map(\.0.count).max() ?? 0
            return [""] + entries.flatMap { entry(String($0), names, String($1.drop { $0 == " " }), width) }
        }
    }

    private static func optionLines(_ command: CommandDescription, _ width: Int) -> [String] {
        let shown = command.options.filter { !$0.isHidden }
        let titles = shown.map { option in option.value.map { "\(option.name) \($0)" } ?? option.name }
        let longest = titles.map(\.count).max() ?? 0
        return zip(titles, shown).flatMap { entry($0, longest, $1.help, width) }
    }

    /// A name and its description, in lines that fit.
    private static func entry(_ name: String, _ names: Int, _ text: String, _ width: Int) -> [String] {
        let lines = Terminal.wrap(text, max(20, width - names - 4))
        let indent = String(repeating: " ", count: names + 4)
        return ["  \(padded(name, names))  \(lines[0])"] + lines.dropFirst().map { indent + $0 }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
