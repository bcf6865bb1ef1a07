import BenchmarkKit
import Foundation

/// `peers/…`: queues of other libraries, each in a process of its own, do the same as Corinth.
enum Peers {
    /// The folder of the drivers, which `Benchmarks/run` builds.
    private static let variable = "CORINTH_PEERS"

    static let entries = entries(in: ProcessInfo.processInfo.environment[variable])

    /// - Parameter folder: The scenarios are those whose drivers are there; all with nil, so that they can be listed.
    static func entries(in folder: String?) -> [ScenarioEntry] {
        let oneToOne = { restingBetweenRuns(Disruptor.oneToOne.makeLibrary) }
        return ["boost", "tbb", "moodycamel", "disruptor"].compactMap {
            entry("1p1c", $0, ["1p1c"], in: folder, library: oneToOne())
        }
            + ["tbb", "moodycamel", "disruptor"].compactMap {
                entry(
                    "contend-8", $0, ["contend", "8"], threads: 8, in: folder,
                    library: Contend.entry(threads: 8).makeLibrary)
            }
    }

    /// nil if the folder doesn't have the driver.
    private static func entry(
        _ job: String, _ peer: String, _ arguments: [String], threads: Int = 1, in folder: String?,
        library: @escaping ScenarioEntry.Making
    ) -> ScenarioEntry? {
        let driver = folder.map { "\($0)/\(peer)" }
        if let driver, !FileManager.default.isExecutableFile(atPath: driver) { return nil }
        return ScenarioEntry(
            "peers/\(job)/\(peer)", sampleMilliseconds: 50, isThreaded: true, threads: threads,
            direct: { _ in
                guard let driver else { throw CheckFailure("\(variable) names no folder; Benchmarks/run builds it") }
                return try PeerProcess(peer, driver: driver, arguments, granularity: threads)
            },
            library: library)
    }

    private static func restingBetweenRuns(_ making: @escaping ScenarioEntry.Making) -> ScenarioEntry.Making {
        { settings in RestingBetweenRuns { try making(settings) } }
    }
}

/// A scenario that is made for each run and ends after it, because its threads would spin while another side is measured. A peer's
/// threads sleep then.
private final class RestingBetweenRuns: Scenario {
    /// As many events as may be in flight, so that all memory has been used before the run.
    private static let warmUp = 32_768

    private let make: () throws -> any Scenario
    private var made: Result<any Scenario, any Error>?

    init(_ make: @escaping () throws -> any Scenario) {
        self.make = make
    }

    func prepare(events: Int) {
        made = Result(catching: make)
        try? made?.get().run(events: Self.warmUp)
    }

    func run(events: Int) { try? made?.get().run(events: events) }

    func verify() throws {
        defer { tearDown() }
        try made?.get().verify()
    }

    func tearDown() {
        try? made?.get().tearDown()
        made = nil
    }
}
