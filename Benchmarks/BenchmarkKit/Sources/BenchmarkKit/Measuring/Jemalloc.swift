import CBenchmarkSupport
import Foundation

/// The allocator that counts. A program is linked to it, or its processes are started with it, if it is installed. Otherwise
/// allocations aren't counted, and reports leave them out.
enum Jemalloc {
    private static let folders = [
        "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib",
    ]

    /// The library, if this process doesn't have it already and the system does.
    static let preloaded: String? =
        bench_has_jemalloc()
        ? nil : folders.map { $0 + "/libjemalloc.so.2" }.first { FileManager.default.fileExists(atPath: $0) }

    /// An environment in which a process of this program has jemalloc.
    static func with(_ environment: [String: String]) -> [String: String] {
        guard let preloaded else { return environment }
        let others = environment["LD_PRELOAD"].map { [$0] } ?? []
        return environment.merging(["LD_PRELOAD": ([preloaded] + others).joined(separator: ":")]) { $1 }
    }
}
