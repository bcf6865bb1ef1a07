/// Parses a log line from left to right. If a part can't be read or skipped, the line is malformed.
struct Scanner {
    let bytes: [UInt8]
    var position: Int
    let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// Skips one character.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads a whole number of at least one digit, or of exactly `digits`.
    mutating func number(digits: Int? = nil) -> Int? {
        let start = position
        var number = 0
        while position < end, position - start != digits {
            guard let digit = digit(at: position) else { break }
            let (tens, isTooBig) = number.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooBig) = tens.addingReportingOverflow(digit)
            if isTooBig || isStillTooBig { return nil }
            number = sum
            position += 1
        }
        let count = position - start
        return count > 0 && (digits == nil || digits == count) ? number : nil
    }

    /// Reads the size of a response; `-` is 0.
    mutating func size() -> Int? {
        skip("-") ? 0 : number()
    }

    /// Reads the status of an answer; 0 without one, which logs write as `-`, `000` or `-1`.
    mutating func status() -> Int? {
        if skip("-") { return isAtEnd ? 0 : number() == 1 ? 0 : nil }
        guard let status = number(), status == 0 || (100...599).contains(status) else { return nil }
        return status
    }

    /// Reads a number as a multiple of a unit, to the nearest smaller whole: 0.25 in a unit of 1,000 is 250.
    mutating func decimal(unit: Int) -> Int? {
        guard let whole = number() else { return nil }
        var (value, isTooBig) = whole.multipliedReportingOverflow(by: unit)
        guard skip(".") else { return isTooBig ? nil : value }
        var place = unit
        let start = position
        while position < end, let digit = digit(at: position) {
            place /= 10
            (value, isTooBig) = isTooBig ? (value, true) : value.addingReportingOverflow(place * digit)
            position += 1
        }
        return isTooBig || position == start ? nil : value
    }

    private func digit(at position: Int) -> Int? {
        let digit = Int(bytes[position]) - Int(UInt8(ascii: "0"))
        return (0...9).contains(digit) ? digit : nil
    }

    // MARK: Times, in microseconds since 1970, UTC. Earlier ones are malformed.

    /// Reads `17/May/2015:10:05:03 +0000`, with or without a fraction of the second.
    ///
    /// - Parameter hasZone: Whether the zone is there. A time without one counts as UTC.
    mutating func clockTime(hasZone: Bool = true) -> Int? {
        guard let day = number(digits: 2), skip("/"), let month = month(), skip("/"),
            let year = number(digits: 4), skip(":"), let time = timeOfDay()
        else { return nil }
        guard hasZone else { return Self.time(year, month, day, time) }
        guard skip(" "), let offset = zoneOffset() else { return nil }
        return Self.time(year, month, day, time - offset)
    }

    /// Reads `2015-05-17T10:05:03+00:00` or `…Z`, with or without a fraction of the second.
    mutating func isoTime() -> Int? {
        guard let (year, month, day) = date(), skip("T") || skip(" "), let time = timeOfDay() else { return nil }
        if skip("Z") { return Self.time(year, month, day, time) }
        guard let offset = zoneOffset() else { return nil }
        return Self.time(year, month, day, time - offset)
    }

    /// Reads `2015-05-17` as the beginning of that day.
    mutating func isoDate() -> Int? {
        guard let (year, month, day) = date() else { return nil }
        return Self.time(year, month, day, 0)
    }

    /// Reads `10:05:03`, with or without a fraction, as microseconds of a day. 60 is a leap second.
    mutating func timeOfDay() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60,
            skip(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        let whole = ((hour * 60 + minute) * 60 + second) * 1_000_000
        guard position < end, bytes[position] == UInt8(ascii: ".") else { return whole }
        // As the decimal 0.….
        position += 1
        let start = position
        var (place, fraction) = (1_000_000, 0)
        while position < end, let digit = digit(at: position) {
            place /= 10
            fraction += place * digit
            position += 1
        }
        return position == start ? nil : whole + fraction
    }

    /// Reads seconds since 1970, with or without a fraction, or another unit.
    ///
    /// - Parameter unit: How many microseconds 1 is.
    mutating func epoch(unit: Int = 1_000_000) -> Int? {
        // The year 10000 and later are malformed.
        guard let time = decimal(unit: unit), time < 253_402_300_800_000_000 else { return nil }
        return time
    }

    private mutating func date() -> (year: Int, month: Int, day: Int)? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), (1...12).contains(month),
            skip("-"), let day = number(digits: 2)
        else { return nil }
        return (year, month, day)
    }

    private static func time(_ year: Int, _ month: Int, _ day: Int, _ timeOfDay: Int) -> Int? {
        guard day >= 1, day <= CivilDate.days(inMonth: month, year: year) else { return nil }
        let time = CivilDate.daysSince1970(day: day, month: month, year: year) * 86_400_000_000 + timeOfDay
        return time >= 0 ? time : nil
    }

    /// Skips these bytes.
    mutating func skip(_ text: [UInt8]) -> Bool {
        guard end - position >= text.count, has(text) else { return false }
        position += text.count
        return true
    }

    /// Advances to `text`. Inside quotes, a backslash and the character after it are skipped. Without a text, to the end, or to a
    /// blank if the field is the last one of its format.
    mutating func advance(to text: [UInt8], isQuoted: Bool, isLast: Bool) -> Bool {
        guard let first = text.first else {
            while position < end, !(isLast && bytes[position] == UInt8(ascii: " ")) { position += 1 }
            return true
        }
        while end - position >= text.count {
            let byte = bytes[position]
            if byte == first, text.count == 1 || has(text) { return true }
            position += isQuoted && byte == UInt8(ascii: "\\") ? 2 : 1
        }
        return false
    }

    private func has(_ text: [UInt8]) -> Bool {
        for (offset, byte) in text.enumerated() where bytes[position + offset] != byte { return false }
        return true
    }

    /// Reads `+hhmm`, `+hh:mm`, `-hhmm` or `-hh:mm` as microseconds.
    private mutating func zoneOffset() -> Int? {
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2) else { return nil }
        _ = skip(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes) * 60_000_000
    }

    /// Reads the English abbreviation of a month as 1 to 12.
    private mutating func month() -> Int? {
        guard position + 3 <= end else { return nil }
        var letters = 0
        for index in position..<position + 3 { letters = letters << 8 | Int(bytes[index]) }
        position += 3
        guard let month = CivilDate.monthCodes.firstIndex(of: letters) else { return nil }
        return month + 1
    }
}
