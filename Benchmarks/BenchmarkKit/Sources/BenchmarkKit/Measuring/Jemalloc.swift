import CBenchmarkSupport
import Foundation

/// The allocator that counts. A program is linked to it, or the processes that count are started with it, if it is installed.
/// Otherwise allocations aren't counted, and reports say so.
enum Jemalloc {
    private static let folders = [
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
    ]

    /// The variable that has the library's path, if it isn't in one of the usual folders; empty for none.
    static let variable = "BENCHMARKKIT_JEMALLOC"

    /// The library, if this process doesn't have it already and the system does.
    static let preloaded: String? = {
        if bench_has_jemalloc() { return nil }
        let given = ProcessInfo.processInfo.environment[variable]
        let places = given.map { [$0] } ?? folders.map { $0 + "/libjemalloc.so.2" }
        return places.first { FileManager.default.fileExists(atPath: $0) }
    }()

    /// An environment in which a process of this program has jemalloc.
    static func with(_ environment: [String: String]) -> [String: String] {
        guard let preloaded else { return environment }
        let others = environment["LD_PRELOAD"].map { [$0] } ?? []
        return environment.merging(["LD_PRELOAD": ([preloaded] + others).joined(separator: ":")]) { $1 }
    }
}
