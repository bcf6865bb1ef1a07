import Foundation

/// Runs the programs that counting needs, so that counts are the same on every machine.
struct CountingTools {
    /// nil if Valgrind isn't installed. Then instructions are unavailable.
    let valgrind: String?
    let directory: URL

    init() throws {
        valgrind = Self.find("valgrind")
        let name = "benchmark-counts-" + UUID().uuidString.prefix(8)
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(name, isDirectory: true)
        try TextFile.makeFolder(directory.path)
        Children.removeWhenInterrupted(directory)
    }

    func removeFiles() {
        try? FileManager.default.removeItem(at: directory)
    }

    static func find(_ program: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let places = path.split(separator: ":").map { "\($0)/\(program)" }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// A copy of `executable` without debugging information, which Valgrind can't always read; the path is relative to
    /// ``directory``. Returns `executable` if there is no tool for that.
    func withoutDebugging(_ executable: String, as name: String) -> String {
        let copy = directory.appendingPathComponent(name).path
        for program in ["objcopy", "llvm-objcopy"] {
            guard let objcopy = Self.find(program) else { continue }
            let stripped = try? run(objcopy, ["--strip-debug", executable, copy], environment: nil)
            if stripped?.status == 0 { return "./" + name }
        }
        return executable
    }

    /// Whether counted processes have a variable without being told.
    static func keeps(_ name: String) -> Bool { ["LD_LIBRARY_PATH", BurdenedScenario.variable].contains(name) }

    /// An environment that fixes what otherwise depends on the machine: libc's copying routines and their limits, the number
    /// of arenas, when memory is returned to the kernel, seeds of hash tables.
    static func environment(_ more: [String: String] = [:]) -> [String: String] {
        var environment = [
            "SWIFT_DETERMINISTIC_HASHING": "1",
            "MALLOC_CONF": "narenas:1,dirty_decay_ms:-1,muzzy_decay_ms:-1",
            "GLIBC_TUNABLES": [
                "glibc.cpu.hwcaps=-AVX_Fast_Unaligned_Load,-AVX2,-AVX,-AVX512F,-AVX512VL,-ERMS,-FSRM,-RTM",
                "glibc.cpu.x86_data_cache_size=32768", "glibc.cpu.x86_shared_cache_size=1048576",
                "glibc.cpu.x86_non_temporal_threshold=786432", "glibc.cpu.x86_rep_movsb_threshold=2048",
                "glibc.cpu.x86_rep_stosb_threshold=2048",
            ].joined(separator: ":"),
        ]
        // Nothing else: the size of the environment moves the stack, which changes some counts.
        let own = ProcessInfo.processInfo.environment
        for name in own.keys where keeps(name) { environment[name] = own[name] }
        return Jemalloc.with(environment.merging(more) { $1 })
    }

    struct Output {
        var status: Int32
        var text: String
        var errors: String
    }

    /// Runs a program until it exits.
    ///
    /// - Parameter environment: nil for the driver's own.
    func run(_ program: String, _ arguments: [String], environment: [String: String]?) throws -> Output {
        // Files and not pipes, so that the output needs no reader while the program runs.
        let name = UUID().uuidString
        let outputFile = directory.appendingPathComponent("\(name).out")
        let errorFile = directory.appendingPathComponent("\(name).err")
        for file in [outputFile, errorFile] { try Data().write(to: file) }
        defer {
            for file in [outputFile, errorFile] { try? FileManager.default.removeItem(at: file) }
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program, relativeTo: directory)
        process.arguments = arguments
        if let environment { process.environment = environment }
        // Paths are relative to it, because the length of a path moves the stack, too.
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try Children.run(process)
        process.waitUntilExit()
        Children.forget(process)
        return Output(
            status: process.terminationStatus,
            text: (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "",
            errors: (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "")
    }
}
