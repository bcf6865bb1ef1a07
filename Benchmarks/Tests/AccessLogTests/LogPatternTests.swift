import Testing

@testable import AccessLog

@Suite struct LogPatternTests {
    private let expected = AccessRecord(client: "1.2.3.4", time: 1_431_857_103_000_000, status: 200, bytes: 12)

    /// Without where the request is, and the latency.
    private func record(_ format: String, _ line: String) throws -> AccessRecord? {
        let bytes = Array(line.utf8)
        guard case .record(let record) = try FormatString.pattern(format).read(bytes, bytes.indices) else { return nil }
        return AccessRecord(client: record.client, time: record.time, status: record.status, bytes: record.bytes)
    }

    private func latency(_ format: String, _ line: String) throws -> Int? {
        let bytes = Array(line.utf8)
        return try LogFormat(format, start: []).record(bytes, bytes.indices)?.latency
    }

    private func problem(_ format: String, _ line: String) throws -> String? {
        let bytes = Array(line.utf8)
        return try FormatString.pattern(format).problem(bytes, bytes.indices)
    }

    private static let plain = #"1.2.3.4 - Jane Q. Doe [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 12"#

    @Test func commonAndCombined() throws {
        #expect(try record(LogPattern.common, Self.plain) == expected)
        #expect(try record(LogPattern.common, Self.plain + #" "-" "curl""#) == expected)
        #expect(try record(LogPattern.combined, Self.plain) == nil)
        #expect(try record(LogPattern.combined, Self.plain + #" "-" "says \"hello\" x""#) == expected)
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
        (#"$msec $remote_addr $status $body_bytes_sent"#, "1431857103.000 1.2.3.4 200 12 more"),
        (#"%{msec}t %h %>s %b"#, "1431857103000 1.2.3.4 200 12"),
        (#"%{usec}t %h %>s %b"#, "1431857103000000 1.2.3.4 200 12"),
        // The body's size is better than one with headers, and the finest time is.
        (
            #"$bytes_sent $body_bytes_sent $time_local $msec $remote_addr $status"#,
            "99 12 18/May/2015:10:05:03 +0000 1431857103.000 1.2.3.4 200"
        ),
        (#"$remote_addr\t$status\t$body_bytes_sent\t$msec"#, "1.2.3.4\t200\t12\t1431857103.000"),
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
        ("%h %{%Y}t %>s", "the format has %{%Y}t; of times, %t, %{sec}t, %{msec}t and %{usec}t can be read"),
        ("%h %t %>s %z", "the format has %z, which Apache doesn't define"),
        ("%h %t %>s %{x}b", "the format has %{x}b, which Apache doesn't define"),
        ("$remote_addr $msec $satus", "the format has $satus, which nginx doesn't define; it has $status"),
        (
            "$remote_addr $msec $status $request_tme",
            "the format has $request_tme, which nginx doesn't define; it has $request_time"
        ),
        ("%h %t %>s %", "the format has '%' without a name after it"),
        ("%h %t %>s ${", "the format has '$' without a name after it"),
    ])
    func formatsThatCannotBeRead(format: String, message: String) {
        #expect(throws: LogError(description: message)) { try FormatString.pattern(format) }
    }

    @Test func reasons() throws {
        let format = LogPattern.common
        #expect(try problem(format, Self.plain) == nil)
        #expect(try problem(format, "") == "the line is empty")
        #expect(try problem(format, "odd")?.hasSuffix("where the format has %h") == true)
        #expect(try problem(format, Self.plain.replacing("May", with: "Mai"))?.hasPrefix("no time like 17/May") == true)
        #expect(try problem(format, Self.plain.replacing(" 200", with: " 999"))?.contains("from 100 to 599") == true)
        #expect(try problem(format, Self.plain.replacing("12", with: "x")) == "no size where the format has %b")
        #expect(try problem(format, "a:b " + Self.plain)?.hasPrefix("no client like 192.0.2.1") == true)
        #expect(try problem("x %h %t %>s", "y") == "it doesn't begin with 'x '")
        let last = "$remote_addr $status $time_local"
        #expect(try problem(last, "1.2.3.4 200 17/May/2015:10:05:03")?.hasPrefix("no time like 17/May") == true)
        #expect(try problem(last, "1.2.3.4 200 17/May/2015:10:05:03 +0000x")?.hasPrefix("no time like 17/May") == true)
    }

    /// No line crashes it.
    @Test func everyBeginningOfALineIsReadOrRefused() throws {
        let whole = Array((Self.plain + #" "-" "a \"b\" c\\""#).utf8)
        let pattern = try FormatString.pattern(LogPattern.combined)
        for end in 0..<whole.count { #expect(pattern.problem(whole, 0..<end) != nil) }
        #expect(pattern.problem(whole, 0..<whole.count) == nil)
    }

    @Test(arguments: [
        ("%D", "31000", 31_000_000), ("%T", "2", 2_000_000_000), ("%{ms}T", "31", 31_000_000), ("%{us}T", "31", 31_000),
        ("%{s}T", "3", 3_000_000_000), ("%T %D", "0 31000", 31_000_000), ("%D %T", "31000 0", 31_000_000),
        ("$request_time", "0.031", 31_000_000), ("$request_time", "0.0001234567891", 123_456),
    ])
    func latencies(field: String, value: String, nanoseconds: Int) throws {
        let before = field.hasPrefix("%") ? "%h %t %>s " : "$remote_addr [$time_local] $status "
        #expect(try latency(before + field, "h [17/May/2015:10:05:03 +0000] 200 " + value) == nanoseconds)
    }

    @Test func aMissingLatencyIsNone() throws {
        let before = "h [17/May/2015:10:05:03 +0000] 200 "
        #expect(try latency("%h %t %>s %D", before + "-") == nil)
        #expect(try latency("%h %t %>s %D", before + "-1") == nil)
        let bytes = Array((before + "x").utf8)
        #expect(try LogFormat("%h %t %>s %D", start: []).record(bytes, bytes.indices) == nil)
        #expect(
            try LogFormat("%h %t %>s %D", start: []).problem(bytes, bytes.indices)
                == "no duration where the format has %D")
    }

    @Test func variablesOfOnesOwnAreSaid() throws {
        let format = try LogFormat("$remote_addr $msec $status $mine $http_x $upstream_addr", start: [])
        #expect(format.remarks == ["$mine isn't a variable of nginx, and is skipped", "no sizes, so that all are 0"])
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
