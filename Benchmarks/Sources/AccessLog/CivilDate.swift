/// Dates of the Gregorian calendar as day numbers, faster than a calendar.
enum CivilDate {
    /// The names of the months in a log.
    static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The same names, each as a number of its three bytes.
    static let monthCodes = monthNames.map { name in name.utf8.reduce(0) { $0 << 8 | Int($1) } }

    static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1 January 1970 to the date; negative before.
    static func daysSince1970(day: Int, month: Int, year: Int) -> Int {
        // Years begin in March, so the leap day is at the end and the first day of a month doesn't depend on the year.
        // All eras of 400 years are the same.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date that is `days` days after 1 January 1970.
    static func date(daysSince1970 days: Int) -> (day: Int, month: Int, year: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, month, year)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}

extension AccessRecord {
    /// A time in the format of a log, in UTC.
    ///
    /// - Parameter seconds: Since 1970; not negative.
    public static func stamp(seconds: Int) -> String {
        let (day, month, year) = CivilDate.date(daysSince1970: seconds / 86_400)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(two).joined(separator: ":")
        return "\(two(day))/\(CivilDate.monthNames[month - 1])/\(year):\(clock) +0000"
    }
}
