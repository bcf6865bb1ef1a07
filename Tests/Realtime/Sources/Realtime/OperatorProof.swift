import Foundation

/// The proof for every operator of the laws' registry. Each use has a process of its own, which the sanitizer ends if a value
/// allocates, locks or calls the system.
enum OperatorProof {
    /// Tries every use, and prints what was found.
    ///
    /// - Returns: Whether exactly those uses were reported that have a reason.
    static func succeeds() -> Bool {
        var proven = 0
        var holding = 0
        var faults = 0
        var designed = 0
        var explained: [String: Set<String>] = [:]
        for (index, use) in OperatorUse.all.enumerated() {
            let child = run(index)
            switch (OperatorUse.Outcome(rawValue: child.status), use.reason) {
            case (.values, nil): proven += 1
            case (.noValue, nil) where use.entry.facts.contains(.mayWait): holding += 1
            case (nil, let reason?) where child.output.contains("RealtimeSanitizer: "):
                designed += 1
                explained[reason.text, default: []].insert(use.entry.testDescription)
            case (let outcome?, _):
                faults += 1
                say("\(use.name): \(outcome), but \(use.reason.map { "“\($0.text)”" } ?? "values") were expected")
            case (nil, _):
                faults += 1
                say("\(use.name): status \(child.status)\n\(run(index, symbols: true).output)")
            }
        }
        print("\(proven) uses of operators: 1000 values without an allocation, a lock or a system call")
        print("\(holding) uses of operators that pass no value on before the end: the same")
        print("\(designed) uses of operators allocate, lock or call the system by design, each for a known reason")
        for (reason, names) in explained.sorted(by: { $0.key < $1.key }) {
            print("by design, \(reason): \(names.sorted().joined(separator: "; "))")
        }
        return faults == 0 && proven > 0
    }

    private static func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

    /// Runs a use in a process of its own.
    private static func run(_ index: Int, symbols: Bool = false) -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Foundation.Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["use", String(index)]
        var environment = ProcessInfo.processInfo.environment
        environment["RTSAN_OPTIONS"] = symbols ? "symbolize=1" : "symbolize=0"
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        process.standardError = pipe
        do { try process.run() } catch { return (-1, "can't start itself: \(error)") }
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
