import Testing

@testable import BenchmarkKit

@Suite struct CountingTests {
    private final class Nothing: Scenario {
        func run(events: Int) {}
        func verify() {}
    }

    private func entry(unit: String = "ns/event", countedEvents: Int? = nil) -> ScenarioEntry {
        ScenarioEntry(
            "x", unit: unit, countedEvents: countedEvents, direct: { _ in Nothing() }, library: { _ in Nothing() })
    }

    @Test func totalsAreReadFromCallgrindsFile() {
        let text = """
            version: 1
            creator: callgrind-3.19.0
            events: Ir sysCount sysTime
            fn=(1) main
            10 5
            totals: 3124917 12 4
            """
        #expect(CallgrindOutput.totals(in: text) == .init(instructions: 3_124_917, systemCalls: 12))
        #expect(CallgrindOutput.totals(in: "events: Ir\ntotals: 7\n") == .init(instructions: 7, systemCalls: nil))
        #expect(
            CallgrindOutput.totals(in: "events: Ir sysCount sysTime\ntotals: 7\n")
                == .init(instructions: 7, systemCalls: 0))
        #expect(CallgrindOutput.totals(in: "") == nil)
    }

    @Test func referencesAreReadFromItsCalls() {
        let text = """
            fn=(1) main
            cob=(2) /usr/lib/swift/libswiftCore.so
            cfn=(10) swift_retain
            calls=3 0
            1 30
            cfn=(11) swift_release
            calls=2 0
            1 20
            cfn=(12) swift_retainCount
            calls=50 0
            fn=(11)
            cfn=(13) swift_release'2
            calls=4 0
            fn=(14) swift_retain_n
            10 5
            fn=(2) other
            cfn=(14)
            calls=1 0
            cfn=(10)
            calls=7 +5
            """
        #expect(CallgrindOutput.references(in: text) == .init(retains: 11, releases: 6))
        #expect(CallgrindOutput.references(in: "") == .init())
    }

    @Test func theFixedCostOfARunCancelsOut() throws {
        let points = CountedPoints(small: 100, large: 300)
        #expect(points.perEvent(1000 + 7 * 100, 1000 + 7 * 300) == 7)
        let read = try #require(CountedPoints.parse("100 300 5 80 205 3280\n"))
        #expect(read.points == points)
        #expect(read.allocations == AllocationsPerEvent(requests: 1, bytes: 16))
        #expect(CountedPoints.parse("100 300")?.allocations == nil)
        #expect(CountedPoints.parse("nothing") == nil)
    }

    @Test func runsAreMultiplesOfTheGranularity() {
        #expect(CountingProbe.points(of: entry(), granularity: 1) == (400, 1200))
        #expect(CountingProbe.points(of: entry(), granularity: 150) == (300, 900))
        #expect(CountingProbe.points(of: entry(), granularity: 10_000) == (10_000, 30_000))
        #expect(CountingProbe.points(of: entry(countedEvents: 1), granularity: 1) == (1, 2))
    }

    @Test func unitsOfCounts() {
        #expect(entry().countedUnit == "instructions/event")
        #expect(entry(unit: "ns/send, p99.9").countedUnit == "instructions/send")
    }

    @Test func functionsAreReadFromCallgrindsAnnotations() {
        let text = """
            --------------------------------------------------------------------------------
            Profiled target:  ./x counting-probe pipe/1 library (PID 1, part 2)
            --------------------------------------------------------------------------------
            Ir
            --------------------------------------------------------------------------------
            123,456 (100.0%)  PROGRAM TOTALS
            --------------------------------------------------------------------------------
            Ir                file:function
            --------------------------------------------------------------------------------
            100,000 (81.00%)  ???:$s4main3runyyF [/tmp/x]
             23,456 (19.00%)  ./malloc/malloc.c:malloc [/usr/lib/libc.so]
            """
        #expect(
            ProfileCommand.functions(in: text) == [
                .init(instructions: 100_000, name: "$s4main3runyyF"), .init(instructions: 23_456, name: "malloc"),
            ])
    }
}
