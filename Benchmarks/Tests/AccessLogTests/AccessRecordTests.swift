import AccessLog
import Testing

@Suite struct AccessRecordTests {
    private func record(_ line: String) -> AccessRecord? {
        let bytes = Array(line.utf8)
        return LogFormat.combined.record(bytes, bytes.indices)
    }

    private func line(
        host: String = "1.2.3.4",
        time: String = "17/May/2015:10:05:03 +0000",
        request: String = "GET / HTTP/1.1",
        status: String = "200",
        size: String = "12",
        agent: String = "curl"
    ) -> String {
        "\(host) - - [\(time)] \"\(request)\" \(status) \(size) \"-\" \"\(agent)\""
    }

    @Test func aPlainLine() throws {
        let text = line(request: "GET /a?b HTTP/1.1")
        let found = try #require(record(text))
        #expect(found.client == "1.2.3.4" && found.time == 1_431_857_103_000_000)
        #expect(found.status == 200 && found.bytes == 12 && found.latency == nil)
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes[found.method], as: UTF8.self) == "GET")
        #expect(String(decoding: bytes[found.target], as: UTF8.self) == "/a?b")
    }

    @Test(arguments: [
        "Mozilla/5.0 [en] (X11, U; rv:1.0) [x", #"says \"hello\" twice"#, #"ends in a backslash \\"#, "",
        "a  b",
        "caf\u{e9} \u{1f600}",
    ])
    func userAgentsMayHoldAnything(agent: String) {
        #expect(record(line(agent: agent)) != nil)
    }

    @Test(arguments: [
        "crawl-66.example.net", "2001:db8::ff00:42:8329", "::1", "a", "fe80::1%eth0", "unix:", "::ffff:1.2.3.4", "-",
    ])
    func clientsMayBeNamesOrAddresses(host: String) {
        #expect(record(line(host: host))?.client == host)
    }

    @Test func aDashIsNoBytes() {
        #expect(record(line(size: "-"))?.bytes == 0)
    }

    @Test func usersMayHoldBlanks() {
        let named = "1.2.3.4 - Jane Q. Doe [17/May/2015:10:05:03 +0000] \"GET /\" 200 1 \"-\" \"-\""
        #expect(record(named)?.status == 200)
    }

    @Test func requestsMayBeOddBytes() {
        #expect(record(line(request: #"\x16\x03\x01"#)) != nil)
        #expect(record(line(request: "-")) != nil)
    }

    @Test(arguments: [
        ("17/May/2015:12:05:03 +0200", 1_431_857_103), ("17/May/2015:04:35:03 -0530", 1_431_857_103),
        ("29/Feb/2016:00:00:00 +0000", 1_456_704_000), ("01/Jan/1970:00:00:00 +0000", 0),
        ("31/Dec/2099:23:59:59 +0000", 4_102_444_799), ("30/Jun/2015:23:59:60 +0000", 1_435_708_800),
        ("17/May/2015:10:05:03 +00:00", 1_431_857_103),
    ])
    func timesAreReadAsUTC(time: String, seconds: Int) {
        #expect(record(line(time: time))?.time == seconds * 1_000_000)
    }

    @Test func aSecondMayHaveAFraction() {
        #expect(record(line(time: "17/May/2015:10:05:03.25 +0000"))?.time == 1_431_857_103_250_000)
        #expect(record(line(time: "17/May/2015:10:05:03.1234567 +0000"))?.time == 1_431_857_103_123_456)
        #expect(record(line(time: "17/May/2015:10:05:03. +0000")) == nil)
    }

    @Test(arguments: [
        "29/Feb/2015:00:00:00 +0000", "31/Apr/2015:00:00:00 +0000", "00/May/2015:00:00:00 +0000",
        "17/Mai/2015:00:00:00 +0000", "17/May/2015:24:00:00 +0000", "17/May/2015:00:60:00 +0000",
        "17/May/2015:00:00:61 +0000", "7/May/2015:00:00:00 +0000", "17/May/15:00:00:00 +0000",
        "17/May/2015:00:00:00 0000", "17/May/2015:00:00:00 +00", "17/May/2015:00:00:00", "01/Jan/1970:00:00:00 +0100",
        "17/May/2015 00:00:00 +0000", "29/Feb/1900:00:00:00 +0000",
    ])
    func impossibleTimesAreMalformed(time: String) {
        #expect(record(line(time: time)) == nil)
    }

    @Test(arguments: [
        "", " ", "not a log line", "1.2.3.4", "1.2.3.4 - - ", "\u{16}\u{3}\u{1}",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1 \"-\" \"open",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1 \"-\" \"open\\\"",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1 \"-\" \"-\"more",
        "1.2.3.4 - - [17/May/2015:10:05:03 +0000] GET / 200 1 \"-\" \"-\"",
        " - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1 \"-\" \"-\"",
    ])
    func otherLinesAreMalformed(line: String) {
        #expect(record(line) == nil)
    }

    @Test(arguments: [
        ("OK", "1"), ("99", "1"), ("600", "1"), ("-2", "1"), ("200", "x"), ("200", "-1"), ("200", ""),
    ])
    func impossibleNumbersAreMalformed(status: String, size: String) {
        #expect(record(line(status: status, size: size)) == nil)
    }

    /// A client that has gone, and a server that is down, leave a request without an answer.
    @Test(arguments: ["-", "000", "-1"])
    func aStatusMayBeMissing(status: String) {
        #expect(record(line(status: status))?.status == 0)
    }

    /// A log of several hosts has `host:port` first, and a crash leaves zeros. Neither is a client.
    @Test(arguments: [
        "www.example.org:443", "\u{0}\u{0}1.2.3.4", "1.2.3.4,", "caf\u{e9}", "x:b:c", "::1%", "::1%\u{1}", "::1%a:b",
        "x::1", ":443", "1.2.3.4:80",
    ])
    func whatHasNotTheFormOfAClientIsMalformed(host: String) {
        #expect(record(line(host: host)) == nil)
    }

    @Test func aSizeThatIsTooLargeIsMalformed() {
        #expect(record(line(size: "9223372036854775807"))?.bytes == .max)
        #expect(record(line(size: "9223372036854775808")) == nil)
    }

    /// Such as the time of a request. Many logs have some.
    @Test func moreFieldsMayFollow() {
        #expect(record(line() + " 0.005 \"upstream\"") == record(line()))
        #expect(record(line() + " ") == record(line()))
    }

    @Test func everyBeginningOfALineIsReadOrRefused() {
        let whole = Array(line(agent: #"a \"b\" c"#).utf8)
        for end in 0..<whole.count { #expect(LogFormat.combined.record(whole, 0..<end) == nil) }
        #expect(LogFormat.combined.record(whole, 0..<whole.count) != nil)
    }

    @Test func stampsAreReadBack() {
        for time in stride(from: 0, to: 5_000_000_000, by: 86_399 * 7) {
            #expect(record(line(time: AccessRecord.stamp(seconds: time)))?.time == time * 1_000_000)
        }
    }
}
