import Foundation

/// Runs programs on a terminal of a given size, by Python's module `pty`.
enum PseudoTerminal {
    static let python = Tools.find("python3")

    /// What a program writes to a terminal, and its status.
    ///
    /// - Parameters:
    ///   - columns: The width of the terminal.
    ///   - interruptAfter: When this text has appeared, Ctrl-C is typed.
    static func run(
        _ command: [String],
        columns: Int,
        environment: [String: String] = [:],
        interruptAfter: String = ""
    ) throws -> (status: Int32, output: String) {
        guard let python else { return (-1, "") }
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let arguments = ["-c", script, "\(columns)", interruptAfter, "\(variables.count)"] + variables + command
        let ran = try Tools.run(python, arguments)
        return (ran.status, ran.output)
    }

    private static let script = """
        import fcntl, os, pty, struct, sys, termios
        columns, interrupt, variables = int(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3])
        child, terminal = pty.fork()
        if child == 0:
            for variable in sys.argv[4:4 + variables]:
                name, value = variable.split("=", 1)
                os.environ[name] = value
            command = sys.argv[4 + variables:]
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
            os.execv(command[0], command)
        output = b""
        while True:
            try:
                chunk = os.read(terminal, 65536)
            except OSError:
                break
            if not chunk: break
            output += chunk
            if interrupt and interrupt in output:
                interrupt = b""
                os.write(terminal, bytes([3]))
        status = os.waitpid(child, 0)[1]
        sys.stdout.buffer.write(output.replace(b"\\r\\n", b"\\n"))
        sys.stdout.flush()
        sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
        """

    /// The built example.
    static let example = built("example-bench")

    /// A built program, which is in the folder of the tests' executable.
    static func built(_ name: String) -> String? {
        let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        return folder?.appendingPathComponent(name).path
    }

    /// The columns that each line of an output takes. A carriage return goes back to the first one.
    static func widths(_ output: String) -> [Int] {
        output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let parts = line.replacing(/\u{1B}\[[0-9;]*[mK]/, with: "").split(separator: "\r")
            return parts.map(\.count).max() ?? 0
        }
    }
}
