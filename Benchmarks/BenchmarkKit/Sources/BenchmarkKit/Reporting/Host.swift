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

    public init(cpu: String, cores: Int, swift: String, commit: String) {
        self.cpu = cpu
        self.cores = cores
        self.swift = swift
        self.commit = commit
    }

    /// This machine. The script that starts the tool passes the rest in the environment: `BENCHMARKKIT_SWIFT` and
    /// `BENCHMARKKIT_COMMIT`.
    public static func current() -> Host {
        let environment = ProcessInfo.processInfo.environment
        func known(_ name: String) -> String {
            let value = environment[name] ?? ""
            return value.isEmpty ? "unknown" : value
        }
        let description = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        var host = Host(
            cpu: cpuModel(in: description) ?? "unknown",
            cores: ProcessInfo.processInfo.activeProcessorCount,
            swift: known("BENCHMARKKIT_SWIFT"),
            commit: known("BENCHMARKKIT_COMMIT"))
        host.architecture = architecture
        host.system = ProcessInfo.processInfo.operatingSystemVersionString
        return host
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

    /// The first model name in `/proc/cpuinfo`.
    static func cpuModel(in description: String) -> String? {
        for line in description.split(separator: "\n") where line.hasPrefix("model name") {
            let model = line.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
            if !model.isEmpty { return model }
        }
        return nil
    }
}
