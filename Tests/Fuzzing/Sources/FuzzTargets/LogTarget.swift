import AccessLog

/// The first byte chooses the format, the rest is the log.
func fuzzLog(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let log = AccessLog(bytes: Array(bytes.dropFirst()), pattern: patterns[Int(first) % patterns.count])
    var end = 0
    for (index, line) in log.lines.enumerated() {
        FuzzTarget.expect(line.lowerBound == end, "line \(index) begins at \(line.lowerBound), not at \(end)")
        FuzzTarget.expect(!log.bytes[line].contains(lineFeed), "line \(index) contains a line feed")
        end = log.bytes[line.upperBound...].firstIndex(of: lineFeed).map { $0 + 1 } ?? log.bytes.count
        check(log, index)
    }
    FuzzTarget.expect(end == log.bytes.count, "the lines end at \(end) of \(log.bytes.count)")
    do {
        let format = try log.likelyFormat()
        FuzzTarget.expect(["combined", "common"].contains(format), "the likely format is \(format)")
        let bad = log.lines.indices.count { log.record(ofLine: $0) == nil }
        let described = try log.malformedLines(Int.max)
        FuzzTarget.expect(described.count == bad, "\(bad) lines are malformed, but \(described.count) are described")
    } catch {
        FuzzTarget.fail("\(error)")
    }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

private let common = pattern(LogPattern.common)
private let combined = pattern(LogPattern.combined)

/// The formats of nginx, ISO 8601, seconds since 1970, and nil for the reader of the combined format.
private let patterns: [LogPattern?] = [
    nil, common, combined,
    pattern(#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent"#),
    pattern(#"$time_iso8601|$remote_addr|$status|$bytes_sent|$request"#),
    pattern(#"%{sec}t %>s %B %a"#),
]

private func pattern(_ format: String) -> LogPattern {
    do { return try LogPattern(format) } catch { FuzzTarget.fail("\(error)") }
}

/// Both readers of the combined format agree, what is read is within its bounds, and what is malformed has a reason.
private func check(_ log: AccessLog, _ index: Int) {
    let line = log.lines[index]
    let record = log.record(ofLine: index)
    if let record {
        FuzzTarget.expect((100...599).contains(record.status), "the status is \(record.status)")
        FuzzTarget.expect(record.time >= 0 && record.bytes >= 0, "a number is negative: \(record)")
        FuzzTarget.expect(!record.client.isEmpty, "the client is empty")
        if FuzzTarget.has("client"), record.client.utf8.count > 15 {
            FuzzTarget.fail("the seeded fault, a long client")
        }
    }
    if let pattern = log.pattern {
        var problem = pattern.problem(log.bytes, line)
        if FuzzTarget.has("problem"), problem?.hasPrefix("no status") == true { problem = nil }
        FuzzTarget.expect((problem == nil) == (record != nil), "\(problem ?? "no problem"), but \(record as Any)")
        return
    }
    guard let record else { return }
    // The reader of the combined format accepts less than the general one, and reads the same. It reads a time up to year
    // 9999, which the stamp of a record can state.
    var general = AccessLog.record(log.bytes, line, combined)
    if FuzzTarget.has("readers"), record.bytes == 0 { general?.bytes += 1 }
    FuzzTarget.expect(general == record, "the readers differ: \(record), \(general as Any)")
    FuzzTarget.expect(AccessLog.record(log.bytes, line, common) == record, "the common format isn't a part: \(record)")
    let text =
        "\(record.client) - - [\(AccessRecord.stamp(time: record.time))] \"\" \(record.status) \(record.bytes) \"\" \"\""
    let bytes = Array(text.utf8)
    // Bytes that aren't text are replaced, and stay so.
    FuzzTarget.expect(
        AccessRecord(bytes, bytes.indices) == record || record.time >= 253_402_300_800,
        "written and read again, it isn't the same: \(record)")
}
