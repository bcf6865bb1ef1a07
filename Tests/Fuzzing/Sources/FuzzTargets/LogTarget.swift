import AccessLog

/// The first byte chooses the format, the rest is the log.
func fuzzLog(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    // The last three are what the lines have, as far as they have it.
    let names: [String?] = [nil, "json", "w3c"]
    let choice = Int(first) % (formats.count + names.count)
    let format = choice < formats.count ? formats[choice] : try? LogFormat(names[choice - formats.count], start: rest)
    let log = AccessLog(bytes: rest, format: format ?? .combined)
    var end = 0
    for (index, line) in log.lines.enumerated() {
        // Lines about the log are left out.
        FuzzTarget.expect(
            line.lowerBound == end || log.format.hasDirectives && line.lowerBound > end,
            "line \(index) begins at \(line.lowerBound), not at \(end)")
        FuzzTarget.expect(!log.bytes[line].contains(lineFeed), "line \(index) contains a line feed")
        end = log.bytes[line.upperBound...].firstIndex(of: lineFeed).map { $0 + 1 } ?? log.bytes.count
        check(log, index)
    }
    FuzzTarget.expect(
        end == log.bytes.count || log.format.hasDirectives, "the lines end at \(end) of \(log.bytes.count)")
    if !log.lines.isEmpty { checkAnalysis(log) }
}

/// An analysis of the whole has the figures of a plain loop, and so has one of two parts.
private func checkAnalysis(_ log: AccessLog) {
    let traffic = Traffic(of: log).summary
    let whole = LogAnalysis(of: log.bytes, log.format)
    let cut =
        log.bytes.indices.filter { log.bytes[$0] == lineFeed }.dropFirst(log.lines.count / 3).first.map { $0 + 1 } ?? 0
    var parts = LogAnalysis(of: Array(log.bytes[..<cut]), log.format)
    parts.append(LogAnalysis(of: Array(log.bytes[cut...]), log.format))
    var (one, other) = (whole.summary, parts.summary)
    if FuzzTarget.has("late"), other.late > 0 { other.late -= 1 }
    FuzzTarget.expect(one == other, "in two parts, the log has \(other), not \(one)")
    FuzzTarget.expect(
        AnalysisText(whole, log.format).json() == AnalysisText(parts, log.format).json(),
        "two parts have another analysis")
    // Remarks are about what a plain loop doesn't know.
    one.remarks = traffic.remarks
    FuzzTarget.expect(one == traffic, "the analysis has \(one), a plain loop \(traffic)")
}

private let lineFeed = UInt8(ascii: "\n")
private let formats =
    [
        LogFormat.combined, .common,
        format(#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent $request_time"#),
        format(#"$time_iso8601|$remote_addr|$status|$bytes_sent|$request"#),
        format(#"%{sec}t %>s %B %a %D"#),
    ] + LogFormat.names.filter { $0 != "json" && $0 != "w3c" }.map(format)

private func format(_ name: String) -> LogFormat {
    do { return try LogFormat(name, start: []) } catch { FuzzTarget.fail("\(error)") }
}

/// What is read is within its bounds, and what is malformed has a reason. A line in the combined format has the common one, too.
private func check(_ log: AccessLog, _ index: Int) {
    let line = log.lines[index]
    let record = log.record(ofLine: index)
    var problem = log.format.problem(log.bytes, line)
    if FuzzTarget.has("problem"), problem?.hasPrefix("no status") == true { problem = nil }
    FuzzTarget.expect((problem == nil) == (record != nil), "\(problem ?? "no problem"), but \(record as Any)")
    guard let record else { return }
    FuzzTarget.expect(record.status == 0 || (100...599).contains(record.status), "the status is \(record.status)")
    FuzzTarget.expect(record.time >= 0 && record.bytes >= 0, "a number is negative: \(record)")
    FuzzTarget.expect(record.latency ?? 0 >= 0, "a latency is negative: \(record)")
    FuzzTarget.expect(!record.client.isEmpty, "the client is empty")
    FuzzTarget.expect(record.client.utf8.allSatisfy { $0 > 32 && $0 < 127 }, "the client is \(record.client)")
    if FuzzTarget.has("client"), record.client.utf8.count > 15 {
        FuzzTarget.fail("the seeded fault, a long client")
    }
    guard log.format.name == "combined" else { return }
    FuzzTarget.expect(LogFormat.common.record(log.bytes, line) == record, "the common format isn't a part: \(record)")
    checkWritten(record)
}

/// Written in the combined format and read again, a record is the same.
private func checkWritten(_ record: AccessRecord) {
    let (seconds, fraction) = (record.time / 1_000_000, record.time % 1_000_000)
    // Up to year 9999, which the stamp of a record can state.
    guard seconds < 253_402_300_800, fraction == 0 else { return }
    let status = record.status == 0 ? "-" : "\(record.status)"
    let text = "\(record.client) - - [\(AccessRecord.stamp(seconds: seconds))] \"\" \(status) \(record.bytes) \"\" \"\""
    let bytes = Array(text.utf8)
    var again = LogFormat.combined.record(bytes, bytes.indices)
    if FuzzTarget.has("readers"), record.bytes == 0 { again?.bytes += 1 }
    let isSame =
        again?.client == record.client && again?.time == record.time && again?.status == record.status
        && again?.bytes == record.bytes
    FuzzTarget.expect(isSame, "written and read again, \(record) is \(again as Any)")
}
