/// Completion scripts for shells, generated from the commands' descriptions.
enum CompletionScript {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    /// The script for `shell`. It completes `program`, and `executable` where that is another name.
    static func text(
        for shell: Shell,
        program: String,
        executable: String,
        commands: [CommandDescription],
        scenarios: [String]
    ) -> String {
        let shown = commands.filter { !$0.isHidden }
        switch shell {
        case .bash: return bash(program, executable, shown, scenarios)
        case .zsh: return zsh(program, executable, shown, scenarios)
        case .fish: return fish(program, executable, shown, scenarios)
        }
    }

    /// The program's name as typed, with and without `./`: bash and zsh match the typed word.
    private static func typed(_ program: String) -> String {
        let isRelative = program.contains("/") && !program.hasPrefix("/") && !program.hasPrefix(".")
        return isRelative ? "\(program) ./\(program)" : program
    }

    /// The name of the shell function that completes `executable`.
    static func function(_ executable: String) -> String {
        "_" + String(executable.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func options(_ command: CommandDescription) -> [OptionDescription] {
        command.options.filter { !$0.isHidden }
    }

    /// How bash completes a word of this kind.
    private static func bashAction(_ completion: Completion, _ scenarios: [String]) -> String {
        switch completion {
        case .nothing: "COMPREPLY=()"
        case .file: #"COMPREPLY=($(compgen -f -- "$word"))"#
        case .directory: #"COMPREPLY=($(compgen -d -- "$word"))"#
        // Names may be separated by commas.
        case .scenario:
            "local last=${word##*,}; COMPREPLY=($(compgen -P \"${word%\"$last\"}\" "
                + "-W '\(scenarios.joined(separator: " "))' -- \"$last\"))"
        case .words(let words): "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\"))"
        }
    }

    private static func bash(
        _ program: String, _ executable: String, _ commands: [CommandDescription], _ scenarios: [String]
    ) -> String {
        var cases: [String] = []
        for command in commands {
            let valued = options(command).filter { $0.value != nil }
            var lines = ["        \(command.name))", "            case $previous in"]
            for option in valued {
                lines.append("                \(option.name)) \(bashAction(option.completion, scenarios)); return ;;")
            }
            let names = options(command).map(\.name).joined(separator: " ")
            lines += [
                "            esac",
                "            if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '\(names)' -- \"$word\")); return; fi",
                "            \(bashAction(command.completion, scenarios))",
                "            if [[ ${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- \"$word\")); fi ;;",
            ]
            cases.append(lines.joined(separator: "\n"))
        }
        let names = commands.map(\.name).joined(separator: " ")
        return """
            # bash completion; load it with: source <(\(program) completions bash)
            \(function(executable))() {
                local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=run
                case " \(names) " in *" ${COMP_WORDS[1]} "*) command=${COMP_WORDS[1]} ;; esac
                if [[ $COMP_CWORD -eq 1 && $word != -* ]]; then
                    COMPREPLY=($(compgen -W '\(names)' -- "$word"))
                    return
                fi
                case $command in
            \(cases.joined(separator: "\n"))
                esac
            }
            complete -F \(function(executable)) \(typed(program)) \(executable)
            """
    }

    private static func zshAction(_ completion: Completion, _ scenarios: [String]) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .directory: "_files -/"
        // Names may be separated by commas: up to the last one, the word is kept.
        case .scenario: "{compset -P \"*,\"; compadd -- \(scenarios.joined(separator: " "))}"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// Text within single quotes and brackets.
    private static func zshText(_ text: String) -> String {
        text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing(":", with: "\\:")
    }

    private static func zsh(
        _ program: String, _ executable: String, _ commands: [CommandDescription], _ scenarios: [String]
    ) -> String {
        let descriptions = commands.map { "        '\($0.name):\(zshText($0.summary))'" }
        let cases = commands.map { command in
            let specs = options(command).map { option in
                let value = option.value.map { ":\(zshText($0)):\(zshAction(option.completion, scenarios))" } ?? ""
                return "'*\(option.name)[\(zshText(option.help))]\(value)'"
            }
            let words = ["'1:\(command.name):\(zshAction(command.completion, scenarios))'", "'*:file:_files'"]
            return "        \(command.name)) _arguments \((specs + words).joined(separator: " ")) ;;"
        }
        return """
            #compdef \(executable)
            # zsh completion; load it with: source <(\(program) completions zsh)
            \(function(executable))() {
                local -a commands
                commands=(
            \(descriptions.joined(separator: "\n"))
                )
                local command=run
                if (( ${commands[(I)${words[2]}:*]} )); then command=${words[2]}; fi
                if (( CURRENT == 2 )) && [[ ${words[2]} != -* ]]; then
                    _describe command commands
                    return
                fi
                if [[ ${words[2]} == $command ]]; then shift words; (( CURRENT-- )); fi
                case $command in
            \(cases.joined(separator: "\n"))
                esac
            }
            compdef \(function(executable)) \(typed(program)) \(executable)
            """
    }

    private static func fishText(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    }

    private static func fishAction(_ completion: Completion, _ scenarios: [String]) -> String {
        switch completion {
        case .nothing: " -x"
        case .file: " -r -F"
        case .directory: " -x -a '(__fish_complete_directories)'"
        // Names may be separated by commas: what stands before the last one is put before each name.
        case .scenario:
            " -x -a '(commandline -ct | string replace -r \"[^,]*\\$\" \"\"){\(scenarios.joined(separator: ","))}'"
        case .words(let words): " -x -a '\(words.joined(separator: " "))'"
        }
    }

    private static func fish(
        _ program: String, _ executable: String, _ commands: [CommandDescription], _ scenarios: [String]
    ) -> String {
        let names = commands.map(\.name).joined(separator: " ")
        var lines = ["# fish completion; load it with: \(program) completions fish | source"]
        for command in commands {
            let summary = fishText(command.summary)
            lines.append("complete $prog -n __fish_use_subcommand -f -a \(command.name) -d '\(summary)'")
            // The default command is run.
            let condition =
                command.name == "run"
                ? "not __fish_seen_subcommand_from \(names.replacing("run ", with: ""))"
                : "__fish_seen_subcommand_from \(command.name)"
            for option in options(command) {
                let value = option.value == nil ? "" : fishAction(option.completion, scenarios)
                let isLong = option.name.hasPrefix("--")
                let name = isLong ? "-l \(option.name.dropFirst(2))" : "-s \(option.name.dropFirst())"
                lines.append("complete $prog -n '\(condition)' \(name)\(value) -d '\(fishText(option.help))'")
            }
            if command.completion != .nothing {
                let action = fishAction(command.completion, scenarios)
                lines.append("complete $prog -n '\(condition)'\(action)")
            }
        }
        let body = lines.dropFirst().map { "    \($0)" }.joined(separator: "\n")
        // fish matches a command by its base name, or by its whole path.
        let path = program.contains("/") ? "-p*/\(program)" : "-c\(program)"
        return "\(lines[0])\nfor prog in '\(path)' -c\(executable)\n\(body)\nend"
    }
}
