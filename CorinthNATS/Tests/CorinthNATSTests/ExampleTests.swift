import CorinthNATSTesting
import Foundation
import Testing

struct ExampleTests {
    /// The example prints what its comment says.
    @Test func totals() throws {
        let server = try NATSTestServer(jetStream: true)
        let process = Process()
        let output = Pipe()
        process.executableURL = Programs.url("Totals")
        process.arguments = [server.address]
        process.standardOutput = output
        try process.run()
        // It has deadlines of its own.
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(
            text == """
                day 0: customer 0: 950, customer 1: 970, customer 2: 990, customer 3: 1010, customer 4: 1030
                day 1: customer 0: 1900, customer 1: 1940, customer 2: 1980, customer 3: 2020, customer 4: 2060

                """)
    }

    /// Without a server, it says so in one line.
    @Test func noServer() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = Programs.url("Totals")
        process.arguments = ["nats://127.0.0.1:\(try FreePorts.find(1)[0])"]
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        #expect(text.hasPrefix("Totals: no NATS server can be reached"))
        #expect(text.split(separator: "\n").count == 1)
    }
}

struct BenchmarkTests {
    /// `Benchmarks/run` in its smallest form, with the programs as the tests have built them: a ratio for each scenario.
    @Test func smallest() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Benchmarks/run").standardizedFileURL
        let folder = Programs.url("Streams").deletingLastPathComponent().path
        let output = Pipe()
        let process = Process()
        process.executableURL = script
        process.arguments = ["--rounds", "1", "--events", "100", "--binaries", folder]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let ratios = text.matches(of: /([\d.]+)x {4}([\d.]+) to ([\d.]+)/)
        #expect(ratios.count == 10, "\(text)")
        // One pair has no spread.
        for ratio in ratios { #expect(ratio.1 == ratio.2 && ratio.2 == ratio.3) }
    }
}

#if os(Linux) && (arch(x86_64) || arch(arm64))
    struct ProbeTests {
        /// Each probe is described in an executable that uses it.
        @Test(arguments: ["publish", "deliver", "ack"])
        func isDescribed(_ name: String) throws {
            let executable = try Data(contentsOf: Programs.url("TestWorker"))
            #expect(executable.range(of: Data("corinth\0\(name)\0".utf8)) != nil)
        }
    }
#endif
