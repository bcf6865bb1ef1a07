import Foundation
import Testing

@testable import AccessLog

@Suite struct LogFormatTests {
    /// A line in a format, and what it says.
    struct Sample: CustomTestStringConvertible, Sendable {
        var format: String
        var lines: String
        var client = "192.0.2.1"
        var time = 1_747_476_303_000_000
        var status = 200
        var bytes = 17
        var latency: Int?
        var method = "GET"
        var target = "/a/7?b"

        var testDescription: String { format }
    }

    private static let request = #""GET /a/7?b HTTP/1.1" 200 17"#
    private static let stamp = "[17/May/2025:10:05:03 +0000]"

    private static let samples = [
        Sample(format: "common", lines: "192.0.2.1 - - \(stamp) \(request)"),
        Sample(format: "combined", lines: #"192.0.2.1 - - \#(stamp) \#(request) "-" "curl""#),
        Sample(format: "vhost_common", lines: "www.example.org:443 192.0.2.1 - - \(stamp) \(request)"),
        Sample(format: "vhost_combined", lines: #"www.example.org:443 192.0.2.1 - - \#(stamp) \#(request) "-" "curl""#),
        Sample(
            format: "traefik",
            lines: #"192.0.2.1 - - \#(stamp) \#(request) "-" "curl" 77 "web@docker" "http://10.0.0.1:80" 31ms"#,
            latency: 31_000_000),
        Sample(
            format: "alb",
            lines: """
                https 2025-05-17T10:05:03.186641Z app/web/50dc 192.0.2.1:51234 10.0.0.66:80 0.001 0.029 0.001 200 200 34 17 \
                "GET /a/7?b HTTP/1.1" "curl/7.46.0" - - arn:aws:x "Root=1" "-" "-" 0 2025-05-17T10:05:00.1Z "forward" "-"
                """,
            time: 1_747_476_303_186_641, latency: 31_000_000),
        Sample(
            format: "elb",
            lines: """
                2025-05-17T10:05:03.186641Z web 192.0.2.1:51234 10.0.0.66:80 0.001 -1 0.001 503 0 34 17 \
                "GET /a/7?b HTTP/1.1" "curl/7.46.0" - -
                """,
            time: 1_747_476_303_186_641, status: 503),
        Sample(
            format: "haproxy",
            lines: """
                May 17 10:05:03 host haproxy[14389]: 192.0.2.1:33317 [17/May/2025:10:05:03.655] http-in static/srv1 \
                10/0/30/69/109 200 17 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /a/7?b HTTP/1.1"
                """,
            time: 1_747_476_303_655_000, latency: 109_000_000),
        Sample(
            format: "haproxy",
            lines: """
                [2001:db8::1]:33317 [17/May/2025:10:05:03.655] http-in~ static/<NOSRV> -1/-1/-1/-1/5 -1 0 - - PR-- \
                1/1/1/1/0 0/0 "<BADREQ>"
                """,
            client: "2001:db8::1", time: 1_747_476_303_655_000, status: 0, bytes: 0, latency: 5_000_000, method: "",
            target: "<BADREQ>"),
        Sample(
            format: "squid",
            lines: "1747476303.779    180 192.0.2.1 TCP_MISS/200 17 GET http://a/b - DIRECT/1.2.3.4 image/gif",
            time: 1_747_476_303_779_000, latency: 180_000_000, target: "http://a/b"),
        Sample(
            format: "w3c",
            lines: """
                #Version: 1.0
                #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status time-taken
                2025-05-17\t10:05:03\tLAX1\t17\t192.0.2.1\tGET\td111.cloudfront.net\t/a/7?b\t200\t0.112
                """,
            latency: 112_000_000),
        Sample(
            format: "w3c",
            lines: """
                #Software: Microsoft Internet Information Services 10.0
                #Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status sc-bytes time-taken
                2025-05-17 10:05:03 GET /a/7?b 192.0.2.1 "Mozilla 5.0" 200 17 112
                """,
            latency: 112_000_000),
        Sample(
            format: "json",
            lines: """
                {"level":"info","ts":1747476303.0000,"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/a/7?b",\
                "headers":{"Accept":["*/*", {"status":500}]}},"duration":0.031,"size":17,"status":200}
                """,
            latency: 31_000_000),
        Sample(
            format: "json",
            lines: """
                {"ClientHost":"192.0.2.1","DownstreamContentSize":17,"DownstreamStatus":200,"Duration":31000123,\
                "RequestMethod":"GET","RequestPath":"/a/7?b","StartUTC":"2025-05-17T10:05:03.123456789Z","time":"x"}
                """,
            time: 1_747_476_303_123_456, latency: 31_000_123),
        Sample(
            format: "json",
            lines: """
                {"start_time":"2025-05-17T10:05:03.123Z","method":"GET","path":"/a/7?b","response_code":503,"bytes_sent":17,\
                "duration":31,"downstream_remote_address":"192.0.2.1:4711"}
                """,
            time: 1_747_476_303_123_000, status: 503, latency: 31_000_000),
        Sample(
            format: "json",
            lines: """
                { "time_local": "17/May/2025:10:05:03 +0000", "remote_addr": "192.0.2.1", "request": "GET /a/7?b HTTP/1.1", \
                "status": "200", "body_bytes_sent": "17", "request_time": "0.031" }
                """,
            latency: 31_000_000),
        Sample(
            format: "json",
            lines: #"{"timestamp":1747476303000,"client_ip":"192.0.2.1","status":200,"bytes":17,"duration_ms":31.5}"#,
            latency: 31_500_000, method: "", target: ""),
    ]

    /// By its name, and as what the lines have.
    @Test(arguments: samples, [false, true])
    func theFormatsWithNames(sample: Sample, isGuessed: Bool) throws {
        let bytes = Array((sample.lines + "\n").utf8)
        let format = try LogFormat(isGuessed ? nil : sample.format, start: bytes)
        #expect(format.name == sample.format)
        #expect(format.guess == (isGuessed ? LogFormat.Guess(count: 1, lines: 1) : nil))
        let log = AccessLog(bytes: bytes, format: format)
        #expect(log.lines.count == 1)
        let record = try #require(log.record(ofLine: 0), "\(format.problem(bytes, log.lines[0]) ?? "")")
        #expect(record.client == sample.client && record.time == sample.time && record.status == sample.status)
        #expect(record.bytes == sample.bytes && record.latency == sample.latency)
        #expect(String(decoding: bytes[record.method], as: UTF8.self) == sample.method)
        #expect(String(decoding: bytes[record.target], as: UTF8.self) == sample.target)
        #expect((format.latencyField == nil) == (record.latency == nil) || sample.format == "elb")
    }

    /// No line crashes it, and none is read without its end. Fields may be missing at the end.
    @Test(arguments: samples)
    func everyBeginningIsReadOrRefused(sample: Sample) throws {
        let bytes = Array(sample.lines.utf8)
        let format = try LogFormat(sample.format, start: bytes)
        let line = try #require(AccessLog(bytes: bytes, format: format).lines.last)
        for end in line.lowerBound..<line.upperBound {
            let part = line.lowerBound..<end
            #expect((format.record(bytes, part) == nil) == (format.problem(bytes, part) != nil))
        }
    }

    @Test func theLikelyFormat() throws {
        func likely(_ text: String) throws -> String { try LogFormat(nil, start: Array(text.utf8)).name }
        #expect(try likely("") == "combined" && likely("odd\n") == "combined")
        // Most of the lines decide.
        let common = Self.samples[0].lines
        let combined = Self.samples[1].lines
        #expect(try likely([combined, common, common].joined(separator: "\n")) == "common")
        #expect(try likely([combined, combined, "odd"].joined(separator: "\n")) == "combined")
        // A log may begin in the middle of a line.
        let object = #"{"ip":"::1","ts":1,"status":200}"#
        #expect(try likely([#"1,"status":200}"#, object, object].joined(separator: "\n")) == "json")
        // The last line of a log that is cut off has the common format.
        let many = Array(repeating: combined, count: 20) + [combined.replacing("\"curl\"", with: "\"cu")]
        #expect(try likely(many.joined(separator: "\n")) == "combined")
    }

    @Test(arguments: [
        ("nginx", "'nginx' isn't a format: json, w3c, "), ("w3c", "the log has no line #Fields:"),
        ("json", "most of the log's first lines aren't JSON objects"),
    ])
    func whatIsNoFormatIsNamed(format: String, message: String) throws {
        let error = #expect(throws: LogError.self) { try LogFormat(format, start: Array("odd\n".utf8)) }
        #expect(error?.description.hasPrefix(message) == true)
    }

    @Test func aJSONObjectWithoutAClientIsRefusedByName() throws {
        let line = Array(#"{"time":"2025-05-17T10:05:03Z","status":200,"host":"a"}"#.utf8)
        let error = #expect(throws: LogError.self) { try LogFormat("json", start: line) }
        #expect(
            error?.description.hasPrefix("the JSON objects of the log have no client: none of request.client_ip")
                == true)
    }

    /// A log with the form of a format, but without what is needed of it, is no log in another format.
    @Test(arguments: [
        ("{\"a\":1}\n{\"b\":2}\n", "the JSON objects of the log have no client"),
        ("#Fields: date time cs-uri\n2025-05-17 10:05:03 /\n", "the format has no client"),
    ])
    func aFormThatLacksSomethingIsRefused(log: String, message: String) {
        let error = #expect(throws: LogError.self) { try LogFormat(nil, start: Array(log.utf8)) }
        #expect(error?.description.hasPrefix(message) == true)
    }

    @Test(arguments: [
        ("", "format: combined; "), ("odd\n", "format: combined, though none of the first lines has a known format; "),
        (samples[0].lines + "\nodd\n", "format: common, which 1 of the first 2 lines have; "),
        ("#Fields: date time c-ip sc-status\n", "format: w3c; "),
    ])
    func theFormatIsSaid(log: String, text: String) throws {
        let format = try LogFormat(nil, start: Array(log.utf8))
        #expect(AnalysisText(LogAnalysis(), format).formatText.hasPrefix(text))
    }

    /// They aren't added.
    @Test(arguments: ["date time timestamp", "timestamp date time"])
    func aDateAndATimestampAreOneTime(fields: String) throws {
        let values = ["date": "2025-05-17", "time": "10:05:03", "timestamp": "1747476303"]
        let names = fields.split(separator: " ").map(String.init)
        let line = names.compactMap { values[$0] }.joined(separator: " ") + " ::1 200"
        let bytes = Array("#Fields: \(fields) c-ip sc-status\n\(line)\n".utf8)
        let log = AccessLog(bytes: bytes, format: try LogFormat("w3c", start: bytes))
        #expect(log.record(ofLine: 0)?.time == 1_747_476_303_000_000)
    }

    @Test func aDurationWithoutAUnitIsNotRead() throws {
        let line = Array(#"{"time":"2025-05-17T10:05:03Z","status":200,"ip":"::1","duration":7,"size":1}"#.utf8)
        let format = try LogFormat(nil, start: line)
        #expect(format.record(line, line.indices)?.latency == nil && format.latencyField == nil)
        #expect(format.remarks == ["the unit of duration isn't known, so it isn't read"])
    }

    @Test(arguments: [
        ("1.5s", 1_500_000_000), ("12ms", 12_000_000), ("3µs", 3000), ("3us", 3000), ("7ns", 7), ("0.25", 250_000_000),
    ])
    func aDurationMaySayItsUnit(text: String, nanoseconds: Int) throws {
        let line = Array(#"{"ts":1747476303,"status":200,"ip":"::1","request_time":"\#(text)"}"#.utf8)
        #expect(try LogFormat(nil, start: line).record(line, line.indices)?.latency == nanoseconds)
    }

    @Test(arguments: [
        #"{"ip":"::1","ts":1,"status":200"#, #"{"ip":"::1","ts":1,"status":200}}"#,
        #"{"ip":"::1","ts":1,"status":200} x"#,
        #"{"ip":"::1" "ts":1,"status":200}"#, #"{"ip":"::1","ts":1,"status":}"#, #"["ip"]"#, "",
        #"{"ip":"::1","ts":1,"status":200,"a":[1,{"b":2}}"#, #"{"ip":"::1","ts":1,"status":2x0}"#,
        #"{"ip":"::1","ts":1}"#, #"{"ip":null,"ts":1,"status":200}"#,
        String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100),
    ])
    func jsonThatCannotBeReadIsMalformed(line: String) throws {
        let whole = Array(#"{"ip":"::1","ts":1,"status":200}"#.utf8)
        let format = try LogFormat("json", start: whole)
        #expect(format.record(whole, whole.indices) != nil)
        let bytes = Array(line.utf8)
        #expect(format.record(bytes, bytes.indices) == nil && format.problem(bytes, bytes.indices) != nil)
    }

    /// They would be read as the ones before.
    @Test func otherFieldsFurtherOnAreRefused() throws {
        let text = "#Fields: date time c-ip sc-status\n2025-05-17 10:05:03 ::1 200\n"
        let same = Array((text + text).utf8)
        let other = Array((text + text.replacing("c-ip sc-status", with: "sc-status c-ip")).utf8)
        let format = try LogFormat(nil, start: same)
        try LogAnalysis(of: same, format).checkFields()
        #expect(throws: LogError.self) { try LogAnalysis(of: other, format).checkFields() }
        let file = FileManager.default.temporaryDirectory.appending(path: "corinth-\(UUID().uuidString).log")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(other).write(to: file)
        #expect(throws: LogError.self) { try AccessLog(path: file.path) }
        try Data(same).write(to: file)
        #expect(try AccessLog(path: file.path).lines.count == 2)
    }
}
