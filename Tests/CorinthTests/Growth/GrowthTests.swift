import CTestSupport
import Foundation
import GrowthProbe
import Testing

/// The cost of what is done n times, or with n of something, counted in instructions, which no other process disturbs: with twice as
/// much, it is at most about twice as high.
///
/// A quadratic part is noticed when it is a tenth of the whole, at the sizes of the operations. An optimised build notices more than
/// others, since the rest takes fewer instructions there, and the sizes are larger.
@Suite(.serialized)
struct GrowthTests {
    /// The most instructions for 4 n, as a multiple of those for 2 n.
    private static func limit(_ growth: GrowthOperation.Growth) -> Double {
        switch growth {
        case .linear: 2.2
        case .logarithmic: 2.35
        }
    }

    @Test(
        .enabled(if: InstructionCounter.isUsable, "Valgrind or objcopy isn't installed, or can't run this build"),
        arguments: GrowthFamily.allCases)
    func instructions(of family: GrowthFamily) async throws {
        let counter = try InstructionCounter()
        defer { counter.removeFiles() }
        let operations = family.operations
        // Threads of the timers and of Dispatch run when they like, and only add instructions.
        var counts = [Int](repeating: .max, count: operations.map(\.sizes.count).reduce(0, +))
        for _ in 0..<3 {
            let seen = try await counter.counts(of: "growth_counted", running: [family.rawValue])
            try #require(seen.count == counts.count)
            counts = zip(counts, seen).map(min)
            if operations.indices.allSatisfy({ Self.ratio(counts, $0) <= Self.limit(operations[$0].growth) }) { break }
        }
        for (index, operation) in operations.enumerated() {
            // What was counted is the operation.
            #expect(counts[3 * index] > operation.sizes[0], "\(operation.name)")
            #expect(
                Self.ratio(counts, index) <= Self.limit(operation.growth),
                "\(operation.name) of \(operation.sizes) takes \(counts[3 * index..<3 * index + 3]) instructions")
        }
    }

    /// How much more the largest size of an operation takes than half of it.
    private static func ratio(_ counts: [Int], _ index: Int) -> Double {
        Double(counts[3 * index + 2]) / Double(counts[3 * index + 1])
    }
}

/// Runs the program `GrowthProbe`, which is built beside the tests, under Callgrind.
private struct InstructionCounter {
    private static let valgrind = find("valgrind")
    private static let objcopy = find("objcopy") ?? find("llvm-objcopy")

    static var isUsable: Bool {
        #if NaiveLocks || DEBUG
            // The lists of the naive build are arrays, whose elements move. An unoptimised build takes two minutes and notices less.
            return false
        #else
            // Valgrind replaces the allocator, as sanitizers do.
            return valgrind != nil && objcopy != nil && test_counts_allocations() && !test_has_thread_sanitizer()
        #endif
    }

    private static func find(_ program: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("growth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func removeFiles() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The instructions of each call of a function, in order.
    func counts(of function: String, running arguments: [String]) async throws -> [Int] {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        let probe = tests.deletingLastPathComponent().appendingPathComponent("GrowthProbe").path
        // Valgrind can't read Swift's debugging information.
        try await run(Self.objcopy, ["--strip-debug", probe, "probe"])
        let options = [
            "--tool=callgrind", "--quiet", "--dump-line=no", "--callgrind-out-file=counts",
            "--zero-before=\(function)", "--dump-after=\(function)", "./probe",
        ]
        try await run(Self.valgrind, options + arguments)
        var counts: [Int] = []
        func text(_ number: Int) -> String? {
            try? String(contentsOf: folder.appendingPathComponent("counts.\(number)"), encoding: .utf8)
        }
        while let text = text(counts.count + 1) {
            let totals = text.split(separator: "\n").first { $0.hasPrefix("totals: ") }
            counts.append(try #require(totals.flatMap { Int($0.dropFirst(8)) }))
        }
        return counts
    }

    private func run(_ program: String?, _ arguments: [String]) async throws {
        let errors = folder.appendingPathComponent("errors")
        try Data().write(to: errors)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(program))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        try #require(process.terminationStatus == 0, "\(arguments.joined(separator: " ")): \(said)")
    }
}
