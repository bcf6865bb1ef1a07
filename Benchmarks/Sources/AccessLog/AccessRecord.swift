/// A request, read from a line of a log.
public struct AccessRecord: Equatable, Sendable {
    /// The client: an IPv4 or IPv6 address, or a host name.
    public var client: String
    /// The time, in microseconds since 1970, UTC; not negative. A log with whole seconds has none of a second's parts.
    public var time: Int
    /// The status; 0 if the request has no answer.
    public var status: Int
    /// The size of the answer; `-` in the log counts as 0.
    public var bytes: Int
    /// How long the request took, in nanoseconds, if the log says it.
    public var latency: Int?
    /// Where the log has the method of the request; empty if it has none.
    public var method: Range<Int>
    /// Where the log has the target of the request, such as `/index.html?a=1`; empty if it has none.
    public var target: Range<Int>

    public init(
        client: String, time: Int, status: Int, bytes: Int, latency: Int? = nil, method: Range<Int> = 0..<0,
        target: Range<Int> = 0..<0
    ) {
        self.client = client
        self.time = time
        self.status = status
        self.bytes = bytes
        self.latency = latency
        self.method = method
        self.target = target
    }

    /// The minute of the request, counted since 1970.
    public var minute: Int { time / 60_000_000 }

    /// Whether bytes have the form of a client: an address, the name of a host, or nginx's `unix:`. What a crash leaves in a file,
    /// and the `host:port` of a log of several hosts, don't.
    static func isClient(_ bytes: ArraySlice<UInt8>) -> Bool {
        // A name has at most 253 bytes.
        if bytes.count > 253 { return false }
        var (colons, isHexadecimal, isInZone) = (0, true, false)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "."):
                continue
            case UInt8(ascii: ":") where !isInZone: colons += 1
            // The zone of an address has the name of an interface.
            case UInt8(ascii: "%") where colons > 1 && !isInZone: isInZone = true
            case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "G")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                if !isInZone { isHexadecimal = false }
            default: return false
            }
        }
        if bytes.isEmpty || bytes.last == UInt8(ascii: "%") { return false }
        if colons == 0 { return true }
        return colons > 1 && isHexadecimal || bytes.elementsEqual("unix:".utf8)
    }
}
