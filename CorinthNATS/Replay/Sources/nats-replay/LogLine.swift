import AccessLog
import CorinthNATS
import Foundation

/// A line of the log, as it is published.
struct LogLine: Sendable {
    /// Its number in the log, from 0, and the id of its message: the stream refuses it if it is published again.
    var number: Int
    /// The newest time of the lines before it. Only who reads the whole log knows it.
    var newest: Int
    var text: [UInt8]
    /// nil if it is malformed.
    var record: AccessRecord?

    /// The key: lines of a client are in one partition, and so are the malformed ones.
    var client: String { record?.client ?? "" }

    func add(to traffic: inout Traffic) {
        if let record {
            traffic.add(record, isLate: record.time < newest)
        } else {
            traffic.malformed += 1
        }
    }
}

/// Eight bytes for each of the numbers, and the line as the log has it.
struct LogLineCodec: NATSCodec {
    let format: LogFormat

    struct TooShort: Error, CustomStringConvertible {
        var description: String { "it has fewer than 16 bytes" }
    }

    func encode(_ line: LogLine) -> Data {
        var data = Data(capacity: 16 + line.text.count)
        for number in [line.number, line.newest] {
            let bits = UInt64(bitPattern: Int64(number))
            data.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
        }
        data.append(contentsOf: line.text)
        return data
    }

    func decode(_ payload: Data) throws -> LogLine {
        guard payload.count >= 16 else { throw TooShort() }
        let numbers = [payload.prefix(8), payload.dropFirst(8).prefix(8)].map { bytes in
            Int(Int64(bitPattern: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
        }
        let text = [UInt8](payload.dropFirst(16))
        return LogLine(
            number: numbers[0], newest: numbers[1], text: text,
            record: format.record(text, text.indices))
    }
}
