/// A request, parsed from a line of an Apache log in the combined format.
public struct AccessRecord: Equatable, Sendable {
    /// The client: an IPv4 or IPv6 address, or a host name.
    public var client: String
    /// The time, in seconds since 1970, UTC; not negative.
    public var time: Int
    public var status: Int
    /// The size of the answer; `-` in the log counts as 0.
    public var bytes: Int

    public init(client: String, time: Int, status: Int, bytes: Int) {
        self.client = client
        self.time = time
        self.status = status
        self.bytes = bytes
    }

    /// The minute of the request, counted since 1970.
    public var minute: Int { time / 60 }

    /// Parses the line in `range` of `log`, without its line feed. nil if the line doesn't have the format
    ///
    ///     host ident user [day/Mon/year:hh:mm:ss ±hhmm] "request" status size "referer" "user agent"
    ///
    /// Inside quotes, `\"` is a quote, and brackets and blanks are ordinary characters. Further fields may follow, after a blank.
    ///
    /// - Complexity: O(length of the line); allocates only for clients of more than 15 bytes.
    public init?(_ log: [UInt8], _ range: Range<Int>) {
        var scanner = Scanner(bytes: log, position: range.lowerBound, end: range.upperBound)
        guard let host = scanner.word(), scanner.word() != nil, scanner.skipUser(),
            let time = scanner.time(), scanner.skip(" "), scanner.skipQuoted(), scanner.skip(" "),
            let status = scanner.number(), (100...599).contains(status), scanner.skip(" "),
            let size = scanner.size(), scanner.skip(" "), scanner.skipQuoted(), scanner.skip(" "),
            scanner.skipQuoted(), scanner.isAtEnd || scanner.skip(" ")
        else { return nil }
        self.init(client: String(decoding: log[host], as: UTF8.self), time: time, status: status, bytes: size)
    }
}
