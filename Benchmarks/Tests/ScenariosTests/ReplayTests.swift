import AccessLog
import BenchmarkKit
import Foundation
import Testing

@testable import Scenarios

@Suite struct ReplayTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func theGraphHasTheResultOfAPlainLoop(seed: UInt64) throws {
        let log = LogGenerator.log(lines: 4000, seed: seed)
        let replay = ReplayCorinth(ReplaySource(log))
        replay.run(events: 2 * 4000)
        try replay.verify()
        #expect(replay.takeLatencies()?.count == 2 * 4000)
    }

    /// On a pool, in parts that end anywhere.
    @Test(arguments: [1000, 40_000, 10_000_000])
    func aLogIsAnalysedInParts(size: Int) throws {
        let log = LogGenerator.log(lines: 2000)
        let file = FileManager.default.temporaryDirectory.appending(path: "corinth-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(log.bytes).write(to: file)
        let (found, format) = try LogPipeline.analyse(LogStream(path: file.path, size: size), format: nil)
        #expect(format.name == "combined" && found.summary == Traffic(of: log).summary)
        let whole = LogAnalysis(of: log.bytes, .combined)
        // Only whether they are the same: they are long.
        let isSame = AnalysisText(found, format).json() == AnalysisText(whole, format).json()
        #expect(isSame)
    }

    @Test func anEmptyLogIsValid() throws {
        let replay = ReplayCorinth(ReplaySource(AccessLog(bytes: [])))
        replay.run(events: replay.granularity)
        try replay.verify()
        #expect(replay.takeLatencies()?.count == 0)
    }

    @Test func aWrongResultIsFound() throws {
        let source = ReplaySource(LogGenerator.log(lines: 100))
        var wrong = source.expected
        wrong.late += 1
        #expect(throws: CheckFailure.self) { try source.verify(wrong) }
    }

    @Test func aPacedReplayTakesItsTime() throws {
        let log = LogGenerator.log(lines: 300)
        let source = ReplaySource(log, speed: 20_000)
        let seconds = try #require(source.schedule?.seconds)
        let replay = ReplayCorinth(source)
        let taken = Clock.measure { replay.run(events: replay.granularity) }
        try replay.verify()
        #expect(Double(taken) / 1e9 >= seconds)
    }
}
