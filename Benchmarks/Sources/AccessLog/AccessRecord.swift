/// A request, as a line of an Apache log in the combined format tells it.
public struct AccessRecord: Equatable, Sendable {
    /// Who asked: an IPv4 or IPv6 address, or a host name.
    public var client: String
    /// When, in seconds since 1970, UTC; not negative.
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

    /// Reads the line that `range` of `log` holds, without its line feed; nil if the line isn't of the format
    ///
    ///     host ident user [day/Mon/year:hh:mm:ss ±hhmm] "request" status size "referer" "user agent"
    ///
    /// Inside of quotes, `\"` is a quote. Brackets and blanks in there mean nothing. Nothing may follow.
    ///
    /// - Complexity: O(length of the line); allocates only for clients of more than 15 bytes.
    public init?(_ log: [UInt8], _ range: Range<Int>) {
        var scanner = Scanner(bytes: log, position: range.lowerBound, end: range.upperBound)
        guard let host = scanner.word(), scanner.word() != nil, scanner.skipUser(),
            let time = scanner.time(), scanner.skip(" "), scanner.skipQuoted(), scanner.skip(" "),
            let status = scanner.number(), (100...599).contains(status), scanner.skip(" "),
            let size = scanner.size(), scanner.skip(" "), scanner.skipQuoted(), scanner.skip(" "),
            scanner.skipQuoted(), scanner.isAtEnd
        else { return nil }
        self.init(client: String(decoding: log[host], as: UTF8.self), time: time, status: status, bytes: size)
    }
}
