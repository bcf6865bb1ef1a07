import AccessLog
import BenchmarkKit
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
