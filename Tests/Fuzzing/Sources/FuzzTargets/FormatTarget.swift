@testable import AccessLog

/// The bytes are a format string. It is refused in one line, or reads a line that is written in its format.
func fuzzFormat(_ bytes: [UInt8]) {
    let format = String(decoding: bytes, as: UTF8.self)
    let pattern: LogPattern
    do {
        pattern = try FormatString.pattern(format)
    } catch {
        let message = (error as? LogError)?.description ?? "not a LogError: \(error)"
        FuzzTarget.expect(error is LogError && !message.isEmpty, message)
        return
    }
    if FuzzTarget.has("quotedTime"), pattern.parts.contains(where: { $0.meaning == .isoTime && $0.isQuoted }) {
        FuzzTarget.fail("the seeded fault, a quoted time, in the format \(format)")
    }
    var line: [UInt8] = []
    for part in pattern.parts {
        let value = part.meaning.map(sample) ?? []
        // Otherwise nobody can tell where the field ends.
        guard isUnambiguous(value, part) else { return }
        line += value + part.text
    }
    let latency = pattern.parts.compactMap { if case .latency(let unit) = $0.meaning { 3 * unit } else { nil } }.first
    var outcome = pattern.read(line, line.indices)
    if case .record(var record) = outcome {
        // Where they are is another question.
        (record.method, record.target) = (0..<0, 0..<0)
        outcome = .record(record)
    }
    let unit = pattern.parts.compactMap { if case .epoch(let unit) = $0.meaning { unit } else { nil } }.first
    let expected = AccessRecord(
        client: "host", time: 86_400 * (unit ?? 1_000_000), status: 204, bytes: has(.size, pattern) ? 17 : 0,
        latency: latency)
    if FuzzTarget.has("size"), pattern.parts.last?.meaning == .size { outcome = .malformed(part: 0) }
    FuzzTarget.expect(
        outcome == .record(expected), "the line '\(String(decoding: line, as: UTF8.self))' is read as \(outcome)")
    FuzzTarget.expect(pattern.problem(line, line.indices) == nil, "a line that can be read has a problem")
}

private func has(_ meaning: LogPattern.Meaning, _ pattern: LogPattern) -> Bool {
    pattern.parts.contains { $0.meaning == meaning }
}

private func sample(_ meaning: LogPattern.Meaning) -> [UInt8] {
    let text =
        switch meaning {
        case .client, .clientAndPort: "host"
        case .clockTime: AccessRecord.stamp(seconds: 86_400)
        case .clockTimeWithoutZone: "02/Jan/1970:00:00:00"
        case .isoTime: "1970-01-02T00:00:00Z"
        case .date: "1970-01-02"
        case .timeOfDay: "00:00:00"
        case .epoch: "86400.000"
        case .status: "204"
        case .size: "17"
        case .latency, .latencyPart: "3"
        case .request, .method, .target, .skipped: "x"
        }
    return Array(text.utf8)
}

/// Whether the first occurrence of the text after the field is where the field ends. Times end where their form does.
private func isUnambiguous(_ value: [UInt8], _ part: LogPattern.Part) -> Bool {
    guard let meaning = part.meaning, !meaning.endsByItself, !part.text.isEmpty else { return true }
    let whole = value + part.text
    return !value.indices.contains { whole[$0...].starts(with: part.text) }
}
