import Foundation
import Synchronization
import Testing

@testable import BenchmarkKit

/// Scenarios that are closures.
@Suite struct ClosureTests {
    private struct Refusal: Error {}

    private static let settings = Settings(spin: Spin(roundsPerMicrosecond: 1000))

    /// The program with scenarios of each form.
    private static let program = PseudoTerminal.built("closure-bench")

    private func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        try Tools.run(try #require(Self.program), arguments)
    }

    private func measured(_ arguments: String...) throws -> (report: Report, errors: String, status: Int32) {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.path + "/run.json"
        let ran = try Tools.run(
            try #require(Self.program), ["--quick", "--time", "1", "--json", file] + arguments)
        return (try Report(readingFrom: file), ran.errors, ran.status)
    }

    @Test func aClosureIsASide() throws {
        let asked = Mutex<[Int]>([])
        let entry = ScenarioEntry(
            "x", direct: { _ in throw Refusal() }, run: { events in asked.withLock { $0.append(events) } })
        let library = try entry.make(direct: false, Self.settings)
        library.run(events: 5)
        try library.verify()
        #expect(asked.withLock { $0 } == [5])
        let direct = try entry.make(direct: true, Self.settings)
        direct.run(events: 5)
        // Of each run, once.
        #expect(throws: Refusal.self) { try direct.verify() }
        try direct.verify()
        #expect(!entry.isThreaded && entry.isProcessorTimed)
        let alone = ScenarioEntry("alone") { _ in }
        #expect(alone.makeDirect == nil)
        #expect(throws: CheckFailure("alone has no direct side")) { try alone.make(direct: true, Self.settings) }
    }

    @Test func anAsynchronousClosureRunsToItsEnd() throws {
        let done = Mutex(0)
        let entry = ScenarioEntry("x") { events in
            for _ in 0..<events {
                await Task.yield()
                done.withLock { $0 += 1 }
            }
            if events == 7 { throw Refusal() }
        }
        #expect(entry.isThreaded && entry.makeDirect == nil)
        let scenario = try entry.make(direct: false, Self.settings)
        scenario.run(events: 100)
        try scenario.verify()
        #expect(done.withLock { $0 } == 100)
        scenario.run(events: 7)
        #expect(throws: Refusal.self) { try scenario.verify() }
    }

    /// Counts how many there are.
    private final class Live: Sendable {
        static let count = Mutex(0)
        static let most = Mutex(0)
        let number: Int

        init(_ number: Int) {
            self.number = number
            let now = Self.count.withLock { count in
                count += 1
                return count
            }
            Self.most.withLock { $0 = max($0, now) }
        }

        deinit { Self.count.withLock { $0 -= 1 } }
    }

    /// Each event has an input of its own, once, and no more exist at the same time than a batch has.
    @Test func inputsAreMadeInBatches() throws {
        let seen = Mutex<[Int]>([])
        let entry = ScenarioEntry("x", batch: 8, input: { Live($0) }) { (input: inout Live) in
            seen.withLock { $0.append(input.number) }
        }
        let scenario = try entry.make(direct: false, Self.settings)
        #expect(scenario.largestBatch == 8)
        scenario.runBatches(events: 30)
        try scenario.verify()
        #expect(seen.withLock { $0 } == Array(0..<30))
        #expect(Live.most.withLock { $0 } == 8 && Live.count.withLock { $0 } == 6)
        scenario.tearDown()
        #expect(Live.count.withLock { $0 } == 0)
    }

    /// Inputs take ten times as long as events, and don't count. A batch is small if events take long.
    @Test func inputsAreNotTimed() throws {
        let work = Spin.calibrated()
        let most = Mutex(0)
        let waiting = Mutex(0)
        let entry = ScenarioEntry(
            "x", sampleMilliseconds: 2,
            input: { _ in
                let count = waiting.withLock { count in
                    count += 1
                    return count
                }
                most.withLock { $0 = max($0, count) }
                work.burn(microseconds: 500)
            },
            run: { _ in
                waiting.withLock { $0 -= 1 }
                work.burn(microseconds: 50)
            })
        let sampler = Sampler(entry, try entry.make(direct: false, Self.settings))
        try sampler.prepare(events: 100, isGiven: true)
        var sample: Sample?
        let all = Clock.measureProcessor { sample = try? sampler.sample() }
        let events = try #require(sample?.processorNanoseconds)
        #expect(sample?.events == 100)
        // A tenth, but other tests may take processor time of the process meanwhile.
        #expect(events < all / 2, "\(events) of \(all) ns")
        // A batch of about four takes 0.2 ms.
        #expect(most.withLock { $0 } <= 32, "\(most.withLock { $0 })")
    }

    @Test func whatAnInputThrowsIsAFailure() throws {
        let entry = ScenarioEntry("x", input: { number in if number == 3 { throw Refusal() } }, run: { _ in })
        let scenario = try entry.make(direct: false, Self.settings)
        scenario.runBatches(events: 3)
        try scenario.verify()
        scenario.runBatches(events: 1)
        #expect(throws: Refusal.self) { try scenario.verify() }
    }

    @Test func aBatchHasAnInput() async {
        await #expect(processExitsWith: .failure) {
            _ = ScenarioEntry("x", batch: 0, input: { $0 }, run: { _ in })
        }
    }

    /// The README shows scenarios that are built, and measured below.
    @Test func theReadmeShowsClosuresThatAreBuilt() throws {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: package.appendingPathComponent("README.md"), encoding: .utf8)
        let source = try String(
            contentsOf: package.appendingPathComponent("Tests/closure-bench/main.swift"), encoding: .utf8)
        let begin = try #require(source.range(of: "let catalogue = ["))
        let end = try #require(source.range(of: "\n]\n", range: begin.upperBound..<source.endIndex))
        #expect(readme.contains("```swift\n\(source[begin.lowerBound..<end.upperBound])```\n"))
    }

    @Test(.timeLimit(.minutes(5))) func everyFormIsMeasured() throws {
        let (report, errors, status) = try measured()
        #expect(status == 0, "\(errors)")
        let names = ["checksum", "sum", "sort", "actor", "allocate", "input", "main-actor"]
        #expect(report.scenarios.map(\.name) == names)
        for scenario in report.scenarios {
            #expect(scenario.builds.keys.sorted() == (scenario.name == "sum" ? ["direct", "library"] : ["library"]))
            #expect(scenario.builds.values.allSatisfy { $0.samples == 6 && $0.median > 0 })
        }
        #expect(report.scenarios[0].throughput == .bytes(4096))
        #expect(report.scenarios[0].builds["library"]?.throughputPerSecond.map { $0 > 0 } == true)
        // Tasks switch threads, and are measured by the clock.
        #expect(report.scenarios[3].builds["library"]?.contextSwitchesPerEvent != nil)
        #expect(report.scenarios[3].builds["library"]?.clockMedian == nil)
        // An input is an allocation, and none of the event's. The program isn't linked to jemalloc.
        guard let allocations = report.scenarios[4].builds["library"]?.allocationsPerEvent else {
            return Tools.notice("jemalloc isn't installed: no allocations of a program without it are counted")
        }
        #expect(allocations >= 1)
        #expect(report.scenarios[5].builds["library"]?.allocationsPerEvent == 0)
    }

    /// Without jemalloc, times are measured, and allocations are said to be unknown and not to be none.
    @Test(.timeLimit(.minutes(5))) func withoutJemallocTimesAreMeasured() throws {
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.path + "/run.json"
        let arguments = ["--quick", "--time", "1", "--filter", "allocate", "--json", file]
        let ran = try Tools.run(
            "/usr/bin/env", ["BENCHMARKKIT_JEMALLOC=", try #require(Self.program)] + arguments)
        #expect(ran.status == 0, "\(ran.errors)")
        let lines = ran.output.split(separator: "\n")
        #expect(lines.count { $0.contains("lloc") && $0.contains("not counted") } == 1, "\(ran.output)")
        #expect(!ran.output.contains("alloc library"))
        let library = try #require(try Report(readingFrom: file).scenarios.first?.builds["library"])
        #expect(library.median > 0 && library.allocationsPerEvent == nil && library.bytesPerEvent == nil)
    }

    @Test(.timeLimit(.minutes(5))) func errorsAreFailedScenarios() throws {
        let (report, errors, status) = try measured("--filter", "fails/closure,fails/async,fails/input,input")
        #expect(status == 1)
        #expect(report.scenarios.map(\.name) == ["input"])
        #expect(report.failures?.map(\.scenario) == ["fails/closure", "fails/async", "fails/input"])
        #expect(report.failures?.allSatisfy { $0.message == "the closure refuses" } == true)
        #expect(errors.contains("FAILED fails/async, library: the closure refuses"))
    }

    /// The time for an answer ends it, and the others go on.
    @Test(.timeLimit(.minutes(5))) func aClosureThatNeverEndsIsAFailedScenario() throws {
        let suite = Suite(
            names: BuildNames(), main: try #require(Self.program), alternative: nil, settings: Self.settings,
            samples: 6,
            timeoutSeconds: 5)
        // Only the names matter here. The program has the closures.
        let entries = ["fails/never-ends", "allocate"].map { name in ScenarioEntry(name) { _ in } }
        #expect(suite.run(entries).map(\.name) == ["allocate"])
        #expect(
            suite.failures == [
                Failure(scenario: "fails/never-ends", build: "library", message: "no answer in 5.00 s")
            ])
    }

    /// The same program is no regression of itself, and a slower one is, without any direct side.
    @Test(.timeLimit(.minutes(5))) func aSlowdownIsFoundAgainstAnotherExecutable() throws {
        let program = try #require(Self.program)
        let arguments = ["--samples", "10", "--time", "2", "--filter", "allocate", "--against", program]
        // Each event has 3,000 instructions more.
        let slower = try Tools.run("/usr/bin/env", ["BENCHMARKKIT_BURDEN=allocate=1000", program] + arguments)
        #expect(slower.status == 1, "\(slower.output)\(slower.errors)")
        #expect(slower.output.contains("1 REGRESSION: allocate"))
        let same = try Tools.run(program, arguments)
        #expect(same.status == 0, "\(same.output)\(same.errors)")
    }

    /// What makes an input isn't counted, and a scenario without direct has counts.
    @Test(.timeLimit(.minutes(5))) func onlyEventsAreCounted() throws {
        guard Tools.find("valgrind") != nil else { return Tools.notice("Valgrind isn't installed: nothing is counted") }
        let folder = try Tools.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.path + "/counts.json"
        let ran = try run("--mode", "counts", "--filter", "input,allocate", "--json", file)
        #expect(ran.status == 0, "\(ran.errors)")
        let report = try Report(readingFrom: file)
        #expect(report.scenarios.map { $0.builds.keys.sorted() } == [["library"], ["library"]])
        let instructions = report.scenarios.compactMap { $0.builds["library"]?.instructionsPerEvent }
        // Both make the same array; only in the first one is that the event.
        #expect(instructions.count == 2 && instructions[1] < instructions[0] / 2, "\(instructions)")
        #expect(instructions.last.map { $0 > 0 } == true)
        let missing = try run("only", "allocate", "--direct")
        #expect(missing.status == 2 && missing.errors == "closure-bench: allocate has no direct side\n")
    }
}
