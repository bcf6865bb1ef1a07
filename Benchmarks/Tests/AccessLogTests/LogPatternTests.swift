import Testing

@testable import AccessLog

@Suite struct LogPatternTests {
    private let expected = AccessRecord(client: "1.2.3.4", time: 1_431_857_103, status: 200, bytes: 12)

    private func record(_ format: String, _ line: String) throws -> AccessRecord? {
        let bytes = Array(line.utf8)
        guard case .record(let record) = try LogPattern(format).read(bytes, bytes.indices) else { return nil }
        return record
    }

    private func problem(_ format: String, _ line: String) throws -> String? {
        let bytes = Array(line.utf8)
        return try LogPattern(format).problem(bytes, bytes.indices)
    }

    private static let plain = #"1.2.3.4 - Jane Q. Doe [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 12"#

    @Test func commonAndCombined() throws {
        #expect(try record(LogPattern.common, Self.plain) == expected)
        #expect(try record(LogPattern.common, Self.plain + #" "-" "curl""#) == expected)
        #expect(try record(LogPattern.combined, Self.plain) == nil)
        #expect(try record(LogPattern.combined, Self.plain + #" "-" "says \"hello\" x""#) == expected)
    }

    /// The combined format has two readers. They agree on the log of the suite.
    @Test func thePatternAgreesWithTheFastReader() throws {
        let log = LogGenerator.log(lines: 3000)
        let pattern = try LogPattern(LogPattern.combined)
        for range in log.lines {
            let outcome = pattern.read(log.bytes, range)
            if let record = AccessRecord(log.bytes, range) {
                #expect(outcome == .record(record))
            } else if case .record = outcome {
                Issue.record("\(String(decoding: log.bytes[range], as: UTF8.self))")
            }
        }
    }

    @Test(arguments: [
        (
            #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#,
            plain + #" "-" "-""#
        ),
        (
            #"$remote_addr - ${remote_user} [$time_local] "$request" $status $bytes_sent $request_time"#,
            plain + " 0.001"
        ),
        (#"%v:%p %h %l %u %t "%r" %>s %O %D %b"#, "site:443 " + plain + " 17 12"),
        (#"%a %l %u %t \"%r\" %<s %B %{ms}T"#, plain + " 8"),
        (#"$time_iso8601|$remote_addr|$status|$body_bytes_sent"#, "2015-05-17T12:05:03+02:00|1.2.3.4|200|12"),
        (#"$time_iso8601|$remote_addr|$status|$body_bytes_sent"#, "2015-05-17T10:05:03Z|1.2.3.4|200|12"),
        (#"$msec $remote_addr $status $body_bytes_sent"#, "1431857103.725 1.2.3.4 200 12 more"),
        (#"%{sec}t 100%% %h %>s %b"#, "1431857103 100% 1.2.3.4 200 12"),
        (#"[%h] %t %>s %b"#, "[1.2.3.4] [17/May/2015:10:05:03 +0000] 200 12"),
        // The time is the last field, or contains the text after it.
        ("$remote_addr $status $bytes_sent $time_local", "1.2.3.4 200 12 17/May/2015:10:05:03 +0000"),
        ("$remote_addr $status $bytes_sent $time_local", "1.2.3.4 200 12 17/May/2015:10:05:03 +0000 more"),
        ("$time_local $remote_addr $status $bytes_sent", "17/May/2015:10:05:03 +0000 1.2.3.4 200 12"),
        ("$time_iso8601:$remote_addr $status $bytes_sent", "2015-05-17T10:05:03Z:1.2.3.4 200 12"),
    ])
    func formatsOfApacheAndNginx(format: String, line: String) throws {
        #expect(try record(format, line) == expected)
    }

    @Test(arguments: [
        ("", "the format has no client (%h or $remote_addr)"),
        ("%h %>s", "the format has no time (%t or $time_local)"),
        ("%h %t", "the format has no status (%>s or $status)"),
        ("%h%t %>s%b", "the format has nothing between %>s and %b"),
        ("%h %{%Y}t %>s", "the format has %{%Y}t; of times, %t and %{sec}t can be read"),
        ("%h %t %>s %", "the format has '%' without a name after it"),
        ("%h %t %>s ${", "the format has '$' without a name after it"),
    ])
    func formatsThatCannotBeRead(format: String, message: String) {
        #expect(throws: LogError(description: message)) { try LogPattern(format) }
    }

    @Test func reasons() throws {
        let format = LogPattern.common
        #expect(try problem(format, Self.plain) == nil)
        #expect(try problem(format, "") == "the line is empty")
        #expect(try problem(format, "odd") == "no ' ' after %h" || problem(format, "odd") == "there is no client")
        #expect(try problem(format, Self.plain.replacing("May", with: "Mai"))?.hasPrefix("no time like 17/May") == true)
        #expect(try problem(format, Self.plain.replacing(" 200", with: " 999"))?.contains("from 100 to 599") == true)
        #expect(try problem(format, Self.plain.replacing("12", with: "x")) == "no size where the format has %b")
        #expect(try problem("x %h %t %>s", "y") == "it doesn't begin with 'x '")
        let last = "$remote_addr $status $time_local"
        #expect(try problem(last, "1.2.3.4 200 17/May/2015:10:05:03")?.hasPrefix("no time like 17/May") == true)
        #expect(try problem(last, "1.2.3.4 200 17/May/2015:10:05:03 +0000x")?.hasPrefix("no time like 17/May") == true)
    }

    /// No line crashes it.
    @Test func everyBeginningOfALineIsReadOrRefused() throws {
        let whole = Array((Self.plain + #" "-" "a \"b\" c\\""#).utf8)
        let pattern = try LogPattern(LogPattern.combined)
        for end in 0..<whole.count { #expect(pattern.problem(whole, 0..<end) != nil) }
        #expect(pattern.problem(whole, 0..<whole.count) == nil)
    }

    @Test func theLikelyFormat() throws {
        func likely(_ line: String) throws -> String { try AccessLog(bytes: Array(line.utf8)).likelyFormat() }
        #expect(try likely(Self.plain) == "common")
        #expect(try likely(Self.plain + #" "-" "-""#) == "combined")
        #expect(try likely("odd") == "combined" && likely("") == "combined")
    }

    @Test func malformedLinesAreNamed() throws {
        let text = "odd\n\n" + Self.plain + "\n" + Self.plain + #" "-" "-" 7"# + "\nmore\n"
        let log = AccessLog(bytes: Array(text.utf8))
        let lines = try log.malformedLines(3)
        #expect(lines.map(\.number) == [1, 2, 3])
        #expect(lines[1].reason == "the line is empty" && lines[0].text == "odd")
    }

    /// A sum that is too large is said. It doesn't become negative.
    @Test func sumsDoNotOverflow() {
        var traffic = Traffic()
        traffic.add(bytes: .max, of: "a")
        #expect(!traffic.hasOverflowed)
        traffic.add(bytes: 1, of: "a")
        #expect(traffic.hasOverflowed && traffic.bytesPerClient["a"] == .max)
    }
}
