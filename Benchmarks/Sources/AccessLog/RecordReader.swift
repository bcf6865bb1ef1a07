/// A record, field by field.
struct RecordReader {
    private var record = AccessRecord(client: "", time: 0, status: 0, bytes: 0)

    /// Whether a part of the latency isn't known, and so the sum isn't.
    private var lacksPart = false

    var result: AccessRecord {
        var record = record
        if lacksPart { record.latency = nil }
        return record
    }

    /// Reads the value of a field. What follows it in `value` isn't read.
    ///
    /// - Returns: Whether the value has the field's form.
    mutating func store(_ meaning: LogPattern.Meaning, _ value: inout Scanner) -> Bool {
        switch meaning {
        case .client, .clientAndPort: return storeClient(&value, hasPort: meaning == .clientAndPort)
        case .clockTime: return storeTime(value.clockTime())
        case .clockTimeWithoutZone: return storeTime(value.clockTime(hasZone: false))
        case .isoTime: return storeTime(value.isoTime())
        case .epoch(let unit): return storeTime(value.epoch(unit: unit))
        // Their sum is the time, in either order.
        case .date: return storeTime(value.isoDate().map { $0 + record.time })
        case .timeOfDay: return storeTime(value.timeOfDay().map { $0 + record.time })
        case .status:
            guard let status = value.status() else { return false }
            record.status = status
        case .size:
            guard let size = value.size() else { return false }
            record.bytes = size
        case .latency(let unit): return storeLatency(&value, unit, isPart: false)
        case .latencyPart(let unit): return storeLatency(&value, unit, isPart: true)
        case .request: (record.method, record.target) = value.requestLine()
        case .method: record.method = value.takeRest()
        case .target: record.target = value.takeRest()
        case .skipped: value.position = value.end
        }
        return true
    }

    private mutating func storeTime(_ time: Int?) -> Bool {
        guard let time else { return false }
        record.time = time
        return true
    }

    private mutating func storeClient(_ value: inout Scanner, hasPort: Bool) -> Bool {
        let rest = value.takeRest()
        let range = hasPort ? value.withoutPort(rest) : rest
        guard AccessRecord.isClient(value.bytes[range]) else { return false }
        record.client = String(decoding: value.bytes[range], as: UTF8.self)
        return true
    }

    /// A dash, and a number below 0, say that the time isn't known.
    private mutating func storeLatency(_ value: inout Scanner, _ unit: Int, isPart: Bool) -> Bool {
        let isMissing = value.skip("-")
        let time = isMissing && value.isAtEnd ? 0 : value.decimal(unit: unit)
        guard let time else { return false }
        if isMissing {
            if isPart { lacksPart = true }
            return true
        }
        let (sum, isTooBig) = (isPart ? record.latency ?? 0 : 0).addingReportingOverflow(time)
        record.latency = sum
        return !isTooBig
    }
}

extension Scanner {
    /// Everything up to the end.
    mutating func takeRest() -> Range<Int> {
        defer { position = end }
        return position..<end
    }

    /// The range without `:4711` at its end, and without brackets around an IPv6 address.
    func withoutPort(_ range: Range<Int>) -> Range<Int> {
        var digits = range
        while let last = digits.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[last]) {
            digits = digits.lowerBound..<last
        }
        guard let colon = digits.last, bytes[colon] == UInt8(ascii: ":"), digits.upperBound < range.upperBound else {
            return range
        }
        let address = range.lowerBound..<colon
        guard let first = address.first, let last = address.last, bytes[first] == UInt8(ascii: "["),
            bytes[last] == UInt8(ascii: "]"), first < last
        else { return address }
        return first + 1..<last
    }

    /// Reads `GET /index.html HTTP/1.1` as its method and its target. What isn't a request is a target without a method.
    mutating func requestLine() -> (method: Range<Int>, target: Range<Int>) {
        let all = takeRest()
        let blank = UInt8(ascii: " ")
        guard let first = bytes[all].firstIndex(of: blank) else { return (all.lowerBound..<all.lowerBound, all) }
        let second = bytes[(first + 1)..<all.upperBound].firstIndex(of: blank) ?? all.upperBound
        return (all.lowerBound..<first, first + 1..<second)
    }
}
