import Foundation

/// The machine and the toolchain of the figures.
public struct Host: Codable, Equatable, Sendable {
    public var cpu: String
    public var cores: Int
    public var swift: String
    public var commit: String
    /// The processor's architecture. Instruction counts hold for one architecture.
    public var architecture: String?
    public var system: String?
    /// The release of the kernel.
    public var kernel: String?
    /// The maker of the virtual machine, or `yes` if it doesn't say; nil without one.
    public var hypervisor: String?
    /// How the kernel chooses the processor's frequency; nil if it doesn't.
    public var governor: String?
    /// The load of the machine before the run: the average number of processes that could run, over a minute.
    public var load: Double?

    public init(cpu: String, cores: Int, swift: String, commit: String) {
        self.cpu = cpu
        self.cores = cores
        self.swift = swift
        self.commit = commit
    }

    /// This machine. A script that starts the tool may pass the rest in the environment, as `BENCHMARKKIT_SWIFT` and
    /// `BENCHMARKKIT_COMMIT`. Otherwise they are those of the `swift` on the path, and of the working directory.
    public static func current() -> Host {
        let environment = ProcessInfo.processInfo.environment
        func known(_ name: String, orElse find: () -> String?) -> String {
            let value = environment[name] ?? ""
            return value.isEmpty ? find() ?? "unknown" : value
        }
        let description = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        var host = Host(
            cpu: cpuModel(in: description) ?? "unknown",
            cores: ProcessInfo.processInfo.activeProcessorCount,
            swift: known("BENCHMARKKIT_SWIFT") {
                firstLine(of: "swift", "--version")?.firstMatch(of: /Swift version ([^ ]+)/).map { String($0.1) }
            },
            commit: known("BENCHMARKKIT_COMMIT") { firstLine(of: "git", "rev-parse", "--short=12", "HEAD") })
        host.architecture = architecture
        func text(_ path: String) -> String? {
            let text = try? String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(
                in: .whitespacesAndNewlines)
            return text?.isEmpty == true ? nil : text
        }
        host.kernel = text("/proc/sys/kernel/osrelease")
        host.hypervisor = hypervisor(in: description, vendor: text("/sys/class/dmi/id/sys_vendor"))
        host.governor = text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
        host.load = text("/proc/loadavg").flatMap(load)
        host.system = ProcessInfo.processInfo.operatingSystemVersionString
        return host
    }

    /// The versions that are known, each with its name.
    var versions: [String] {
        [("Swift", swift), ("commit", commit)].filter { $0.1 != "unknown" }.map { "\($0.0) \($0.1)" }
    }

    /// The first line that a program prints; nil if it prints none, or fails.
    private static func firstLine(of program: String...) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = program
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = text.split(separator: "\n").first.map(String.init)
        return process.terminationStatus == 0 ? line : nil
    }

    /// The architecture of this executable.
    public static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "aarch64"
        #else
            "other"
        #endif
    }

    /// The flag that processors of virtual machines have, with the machine's maker.
    static func hypervisor(in description: String, vendor: String?) -> String? {
        let flags = description.split(separator: "\n").first { $0.hasPrefix("flags") }
        guard flags?.split(separator: " ").contains("hypervisor") == true else { return nil }
        return vendor ?? "yes"
    }

    /// The average over a minute, the first figure of `/proc/loadavg`.
    static func load(in text: String) -> Double? {
        text.split(separator: " ").first.flatMap { Double($0) }
    }

    /// The first model name in `/proc/cpuinfo`.
    static func cpuModel(in description: String) -> String? {
        for line in description.split(separator: "\n") where line.hasPrefix("model name") {
            let model = line.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
            if !model.isEmpty { return model }
        }
        return nil
    }
}
