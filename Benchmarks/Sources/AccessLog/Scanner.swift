/// Parses a log line from left to right. If a part can't be read or skipped, the line is malformed.
struct Scanner {
    let bytes: [UInt8]
    var position: Int
    let end: Int

    var isAtEnd: Bool { position == end }

    /// Skips one character.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads a nonempty word and skips the blank after it.
    mutating func word() -> Range<Int>? {
        let start = position
        while position < end, bytes[position] != UInt8(ascii: " ") { position += 1 }
        let word = start..<position
        return !word.isEmpty && skip(" ") ? word : nil
    }

    /// Skips the user, which may contain blanks, and the blank before the bracket of the time.
    mutating func skipUser() -> Bool {
        let start = position
        while position + 1 < end {
            if bytes[position] == UInt8(ascii: " "), bytes[position + 1] == UInt8(ascii: "[") {
                position += 1
                return position - 1 > start
            }
            position += 1
        }
        return false
    }

    /// Skips a quoted part.
    mutating func skipQuoted() -> Bool {
        guard skip("\"") else { return false }
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return true
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        position = end
        return false
    }

    /// Reads a whole number of at least one digit, or of exactly `digits`.
    mutating func number(digits: Int? = nil) -> Int? {
        let start = position
        var number = 0
        while position < end, position - start != digits {
            let digit = Int(bytes[position]) - Int(UInt8(ascii: "0"))
            guard (0...9).contains(digit) else { break }
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

    /// Reads `[17/May/2015:10:05:03 +0000]` as seconds since 1970, UTC. Earlier times are malformed.
    mutating func time() -> Int? {
        guard skip("["), let time = clockTime(), skip("]") else { return nil }
        return time
    }

    /// Reads `17/May/2015:10:05:03 +0000` as seconds since 1970, UTC. Earlier times are malformed.
    mutating func clockTime() -> Int? {
        guard let day = number(digits: 2), skip("/"), let month = month(), skip("/"),
            let year = number(digits: 4), skip(":"), let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60, skip(":"),
            // 60 is a leap second.
            let second = number(digits: 2), second <= 60, skip(" "), let offset = zoneOffset(),
            day >= 1, day <= CivilDate.days(inMonth: month, year: year)
        else { return nil }
        let days = CivilDate.daysSince1970(day: day, month: month, year: year)
        let time = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
        return time >= 0 ? time : nil
    }

    /// Reads `2015-05-17T10:05:03+00:00` or `…Z` as seconds since 1970, UTC. Earlier times are malformed.
    mutating func isoTime() -> Int? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), (1...12).contains(month),
            skip("-"),
            let day = number(digits: 2), day >= 1, day <= CivilDate.days(inMonth: month, year: year), skip("T"),
            let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60, skip(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        var offset = 0
        if !skip("Z") {
            let sign = skip("+") ? 1 : skip("-") ? -1 : 0
            guard sign != 0, let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2), minutes < 60
            else { return nil }
            offset = sign * (hours * 60 + minutes) * 60
        }
        let days = CivilDate.daysSince1970(day: day, month: month, year: year)
        let time = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
        return time >= 0 ? time : nil
    }

    /// Reads seconds since 1970. A fraction is skipped.
    mutating func epoch() -> Int? {
        // The year 9999 and later are malformed.
        guard let seconds = number(), seconds < 253_402_300_800 else { return nil }
        if skip("."), number() == nil { return nil }
        return seconds
    }

    /// Skips these bytes.
    mutating func skip(_ text: [UInt8]) -> Bool {
        guard end - position >= text.count else { return false }
        for (offset, byte) in text.enumerated() where bytes[position + offset] != byte { return false }
        position += text.count
        return true
    }

    /// Advances to `text`. Inside quotes, a backslash and the character after it are skipped. The last field of a format with
    /// no text after it ends at a blank.
    mutating func advance(to text: [UInt8], isQuoted: Bool, isLast: Bool) -> Bool {
        if text.isEmpty {
            while position < end, !(isLast && bytes[position] == UInt8(ascii: " ")) { position += 1 }
            return true
        }
        while end - position >= text.count {
            if isQuoted, bytes[position] == UInt8(ascii: "\\") {
                position += 2
                continue
            }
            var rest = self
            if rest.skip(text) { return true }
            position += 1
        }
        return false
    }

    /// Reads `+hhmm` or `-hhmm` as seconds.
    private mutating func zoneOffset() -> Int? {
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(digits: 2), let minutes = number(digits: 2), minutes < 60
        else { return nil }
        return sign * (hours * 60 + minutes) * 60
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
