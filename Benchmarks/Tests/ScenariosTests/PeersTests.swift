import BenchmarkKit
import Foundation
import Testing

@testable import Scenarios

/// The scenarios `peers/…`, with drivers of the shell, and with the real ones that `Benchmarks/run` has built.
@Suite(.serialized) struct PeersTests {
    private static func process(_ script: String, stallSeconds: Double = 60) throws -> PeerProcess {
        try PeerProcess("fake", driver: "/bin/sh", ["-c", script], stallSeconds: stallSeconds)
    }

    /// What the driver's failure says, when it is made or after two runs; nil without one.
    private static func failure(_ script: String, stallSeconds: Double = 60) -> String? {
        do {
            let peer = try process(script, stallSeconds: stallSeconds)
            defer { peer.tearDown() }
            for events in [10, 20] { peer.run(events: events) }
            try peer.verify()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private static let right = "echo fake 1.0; while read -r n; do echo $((n * (n + 1) / 2)); done"

    @Test func aRightDriverPasses() throws {
        let peer = try Self.process(Self.right)
        try peer.verify()
        for events in [0, 1, 2, 1_000_000] {
            peer.run(events: events)
            try peer.verify()
        }
        peer.tearDown()
        peer.tearDown()
    }

    @Test(arguments: [
        ("exit 3", "has ended with status 3 before it answered"),
        ("kill -9 $$", "was ended by signal 9 before it answered"),
        ("echo other 1.0; read -r n", "says 'other 1.0' instead of its name and version"),
        ("echo fake 1.0; exit 4", "has ended with status 4 before it answered"),
        ("echo fake 1.0; read -r n; echo 55; exit 5", "has ended with status 5 before it answered"),
        ("echo fake 1.0; read -r n; echo 55; printf 2; kill -9 $$", "was ended by signal 9 before it answered"),
        ("echo fake 1.0; exec >&-; read -r n; exec sleep 60", "was ended by signal 9 before it answered"),
        ("echo fake 1.0; while read -r n; do echo none; done", "answers 'none', which is no sum"),
    ])
    func aDriverFails(script: String, message: String) {
        #expect(Self.failure(script) == "the driver of fake \(message)")
    }

    @Test func aWrongSumIsFound() {
        let script = "echo fake 1.0; while read -r n; do echo $((n * (n + 1) / 2 - n / 20)); done"
        #expect(Self.failure(script) == "the sum of the numbers to 20 from fake: expected 210, got 209")
    }

    @Test func aDriverThatHangsIsEnded() {
        let expected = "the driver of fake hasn't answered for 0.3 s"
        #expect(Self.failure("exec sleep 60", stallSeconds: 0.3) == expected)
        #expect(Self.failure("echo fake 1.0; exec sleep 60", stallSeconds: 0.3) == expected)
        // It answers, but doesn't notice the end of its input.
        let start = Date()
        #expect(Self.failure("echo fake 1.0; read -r n; echo 55; read -r n; echo 210; exec sleep 60") == nil)
        #expect(-start.timeIntervalSinceNow < 30)
    }

    @Test func aMissingDriverIsNamed() {
        #expect {
            try PeerProcess("fake", driver: "/nowhere/fake", [])
        } throws: {
            "\($0)".hasPrefix("the driver of fake can't be started: ")
        }
    }

    @Test func theScenariosAreThoseOfTheDrivers() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(Peers.entries(in: folder.path).isEmpty && Peers.entries(in: "").isEmpty)
        for name in ["boost", "tbb"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent(name).path, withDestinationPath: "/bin/sh")
        }
        let names = Peers.entries(in: folder.path).map(\.name)
        #expect(names == ["peers/1p1c/boost", "peers/1p1c/tbb", "peers/contend-8/tbb"])
        // All are listed, but can't be measured.
        let all = Peers.entries(in: nil)
        #expect(all.count == 7)
        for entry in all {
            let making = try #require(entry.makeDirect)
            #expect(throws: CheckFailure.self) { try making(Settings(spin: .calibrated())) }
        }
    }

    /// Corinth's side is another object in each run.
    @Test(arguments: ["peers/1p1c/tbb", "peers/contend-8/tbb"]) func theLibrarysSideRuns(name: String) throws {
        let entry = try #require(Peers.entries(in: nil).first { $0.name == name })
        try Self.check(try entry.makeLibrary(Settings(spin: .calibrated())))
    }

    private static func check(_ scenario: any Scenario) throws {
        for events in [1, 1000, 20_000].map({ $0 * scenario.granularity }) {
            scenario.prepare(events: events)
            scenario.run(events: events)
            try scenario.verify()
        }
        scenario.tearDown()
    }

    private static let drivers = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/peers").path

    @Test(.enabled(if: !Peers.entries(in: drivers).isEmpty, "Benchmarks/run --filter peers builds the drivers"))
    func theRealDriversPassTheirNumbers() throws {
        for entry in Peers.entries(in: Self.drivers) {
            let making = try #require(entry.makeDirect)
            try Self.check(try making(Settings(spin: .calibrated())))
        }
    }
}
