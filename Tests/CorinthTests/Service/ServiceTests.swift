import Corinth
import Foundation
import Testing

/// A service with connections, pools, retries, windows, properties, actions and tasks keeps the laws while things go wrong at
/// random, and its memory stays flat.
///
/// `Tests/soak service` runs it for minutes, and writes a report.
@Suite("A service", .serialized)
struct ServiceTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `E1 to E6, S3, P5, A1, C3, X2: a service for some seconds`() {
        let result = ServiceRun(seconds: WaitLimit.isSanitized ? 8 : 4).result()
        print("service: \(result.verdict)")
        for violation in result.laws.violations { Issue.record("\(violation)") }
        #expect(result.requests > 0 && result.troubles.count > 1)
        let html = ServiceReport(result).html
        #expect(html.contains("Every law was kept."))
        #expect(["://", "src=", "<script", "@import", "url("].allSatisfy { !html.contains($0) })
        // Each line has a point for each sample with answers.
        let lines = html.split(separator: "<polyline ").dropFirst().map { $0.prefix { $0 != ">" }.count { $0 == "," } }
        #expect(lines.count == (result.samples[0].residentBytes == nil ? 6 : 7))
        #expect(lines[0] == result.samples.count { !$0.percentiles.isEmpty } && lines[4] == result.samples.count)
        // Each law was looked at.
        for law in ServiceLaws.Law.allCases { #expect(result.laws.counts(of: law).checks > 0, "\(law)") }
    }

    // Once, not in every build: it is the same harness that must find them.
    #if DEBUG && !NaiveLocks
        @Test(arguments: ServiceFault.allCases)
        func `Seeded bug: each fault of the service is found`(_ fault: ServiceFault) {
            let result = ServiceRun(seconds: 2, fault: fault).result()
            print("seeded bug: \(fault), \(result.verdict)")
            #expect(result.laws.violations.contains { $0.law == fault.law })
            ServiceLink.forgotten.value = []
        }
    #endif

    /// The environment says for how long and from which seed, where the report goes, and which bug is to be found.
    @Test(.enabled(if: environment["CORINTH_SERVICE_SECONDS"] != nil))
    func soak() throws {
        var run = ServiceRun(isAlone: true)
        run.seconds = Self.environment["CORINTH_SERVICE_SECONDS"].flatMap(Double.init) ?? 60
        run.seed = Self.environment["CORINTH_SERVICE_SEED"].flatMap(Int.init) ?? 0
        run.fault = Self.environment["CORINTH_SERVICE_FAULT"].flatMap(ServiceFault.init)
        let result = run.result()
        if let file = Self.environment["CORINTH_SERVICE_HTML"] {
            try ServiceReport(result).html.write(toFile: file, atomically: true, encoding: .utf8)
        }
        print("service: \(result.verdict)")
        for violation in result.laws.violations { Issue.record("\(violation)") }
    }

    @Test func `What grows is found, and what goes up and down isn't`() throws {
        func growth(_ value: (Int) -> Double) throws -> ServiceResult.Growth {
            try #require(ServiceResult.Growth("objects", (0..<80).map(value), atLeast: 16, share: 0.1, isJudged: true))
        }
        #expect(try growth { _ in 50 }.isFlat)
        // Bursts, and a warm-up.
        #expect(try growth { 50 + Double($0 * 7919 % 100) }.isFlat)
        #expect(try growth { $0 < 20 ? Double($0) : 50 }.isFlat)
        // One object more with each sample, below bursts.
        #expect(try !growth { 50 + Double($0) + Double($0 * 7919 % 100) }.isFlat)
        #expect(ServiceResult.Growth("objects", [1, 2, 3], atLeast: 16, share: 0.1, isJudged: true) == nil)
    }

    @Test func `Percentiles of latencies`() throws {
        var latencies = ServiceLatencies()
        #expect(latencies.percentile(0.5) == nil)
        for number in 1...1000 { latencies.add(UInt64(number) * 1000) }
        for (share, exact) in [(0.5, 500_000.0), (0.99, 990_000), (0.999, 999_000)] {
            let value = try #require(latencies.percentile(share))
            #expect(value >= exact && value <= exact * 1.03)
        }
        #expect(latencies.percentile(1) == 1_000_000)
    }
}
