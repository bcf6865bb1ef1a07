import BenchmarkKit
import CScenarioSupport
import Foundation
import Scenarios
import Testing

/// The processes beside the scenarios `neighbours/…`.
@Suite(.serialized) struct NeighboursTests {
    /// The state of a process in `/proc`: R runs, S sleeps, Z has ended; nil if there is none.
    private static func state(_ process: Int32) -> Character? {
        let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return stat?.split(separator: ")").last?.dropFirst().first
    }

    /// Waits until `condition` holds; false if it doesn't within a minute.
    private static func wait(_ condition: () -> Bool) -> Bool {
        for _ in 0..<60_000 {
            if condition() { return true }
            usleep(1000)
        }
        return false
    }

    @Test func neighboursSpinOnlyWhileTheyAreBusyAndEnd() throws {
        #expect(scenario_neighbours_start(0) == EINVAL && scenario_neighbours_start(17) == EINVAL)
        #expect(scenario_neighbours_start(2) == 0)
        #expect(scenario_neighbours_start(2) == EINVAL)
        let processes = (0..<2).map { scenario_neighbours_process($0) }
        for round in 1...2 {
            // They sleep, and count nothing.
            #expect(Self.wait { processes.allSatisfy { Self.state($0) == "S" } })
            let before = (0..<2).map { scenario_neighbours_rounds($0) }
            scenario_neighbours_set_busy(1)
            #expect(
                Self.wait { (0..<2).allSatisfy { scenario_neighbours_rounds($0) > before[Int($0)] + 1000 } }, "\(round)"
            )
            #expect(processes.allSatisfy { Self.state($0) == "R" })
            scenario_neighbours_set_busy(0)
        }
        scenario_neighbours_end()
        #expect(processes.allSatisfy { kill($0, 0) == -1 && errno == ESRCH })
        scenario_neighbours_end()
    }

    @Test func aScenarioEndsItsNeighbours() throws {
        let entry = try #require(AllScenarios.entries.first { $0.name == "neighbours/2/hop/burst" })
        let makeDirect = try #require(entry.makeDirect)
        let scenario = try makeDirect(Settings(spin: .calibrated()))
        let processes = (0..<2).map { scenario_neighbours_process($0) }
        #expect(processes.allSatisfy { kill($0, 0) == 0 })
        // A second one can't have neighbours of its own, and leaves those of the first one.
        #expect(throws: CheckFailure.self) { try makeDirect(Settings(spin: .calibrated())) }
        #expect(processes.allSatisfy { kill($0, 0) == 0 })
        scenario.run(events: scenario.granularity)
        try scenario.verify()
        scenario.tearDown()
        #expect(processes.allSatisfy { kill($0, 0) == -1 })
    }

    /// Whatever ends the process that has started them.
    @Test(arguments: [SIGKILL, SIGTERM]) func neighboursEndWithTheirParent(signal: Int32) throws {
        let folder = try #require(Bundle.main.executableURL).resolvingSymlinksInPath().deletingLastPathComponent()
        let parent = Process()
        parent.executableURL = folder.appendingPathComponent("corinth-bench")
        parent.arguments = ["only", "neighbours/2/hop/burst", "--direct", "--seconds", "600"]
        parent.standardOutput = FileHandle.nullDevice
        parent.standardError = FileHandle.nullDevice
        try parent.run()
        let identifier = parent.processIdentifier
        var children: [Int32] = []
        #expect(
            Self.wait {
                let list = try? String(
                    contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
                children = (list ?? "").split(separator: " ").compactMap { Int32($0) }
                return children.count == 2 && children.allSatisfy { Self.state($0) == "R" }
            })
        kill(identifier, signal)
        parent.waitUntilExit()
        #expect(Self.wait { children.allSatisfy { [nil, "Z"].contains(Self.state($0)) } })
    }
}
