import BenchmarkKit

/// Generates a realistic log, the same for the same seed.
///
/// It has bursts (a page and its resources, within a second or two) from a few busy clients and many others, lines out of
/// order, sizes of `-`, hosts by name and by IPv6, quotes and brackets in user agents, and malformed lines.
public struct LogGenerator {
    private var generator: SeededGenerator
    private var time: Int

    /// - Parameter seed: The seed of the random numbers.
    public init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        // 17 May 2015, 10:05 UTC.
        time = 1_431_857_100
    }

    /// A log of `lines` lines.
    public static func log(lines: Int, seed: UInt64 = 2015) -> AccessLog {
        precondition(lines >= 0, "A log has at least 0 lines, not \(lines).")
        var maker = LogGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines * 220)
        var left = lines
        while left > 0 {
            let burst = min(left, maker.burstLength())
            let client = maker.client()
            let agent = maker.pick(Self.agents)
            for _ in 0..<burst { bytes.append(contentsOf: maker.line(client, agent).utf8) }
            left -= burst
        }
        return AccessLog(bytes: bytes)
    }

    /// The number of lines of a burst, and the pause before it.
    private mutating func burstLength() -> Int {
        time += chance(4) ? number(120) : number(12)
        return chance(3) ? 5 + number(40) : 1 + number(3)
    }

    private mutating func line(_ client: String, _ agent: String) -> String {
        if chance(6) { time += 1 }
        if chance(250) { return malformedLine(client) + "\n" }
        let written = chance(20) ? time - 1 - number(90) : time
        let size = chance(25) ? "-" : String(size())
        let referer = chance(2) ? "-" : "http://example.org\(pick(Self.paths))"
        return """
            \(client) - - [\(AccessRecord.stamp(seconds: written))] "GET \(pick(Self.paths)) HTTP/1.1" \(status()) \(size) \
            "\(referer)" "\(agent)"\n
            """
    }

    private mutating func malformedLine(_ client: String) -> String {
        let stamp = AccessRecord.stamp(seconds: time)
        return switch number(6) {
        case 0: ""
        case 1: "\(client) - -"
        case 2: "\(client) - - [\(stamp)] \"GET / HTTP/1.1\" 200 12 \"-\" \"Mozilla/5.0 (compatible"
        case 3: "\(client) - - [31/Feb/2015:10:00:00 +0000] \"GET / HTTP/1.1\" 200 12 \"-\" \"-\""
        case 4: "\(client) - - [\(stamp)] \"GET / HTTP/1.1\" OK 12 \"-\" \"-\""
        default: "\u{16}\u{3}\u{1} not a request at all"
        }
    }

    private mutating func client() -> String {
        // Half of the traffic comes from a few clients.
        let host = chance(2) ? number(12) : number(4000)
        return switch host % 23 {
        case 3: "crawl-\(host).search.example.net"
        case 11: "2001:db8::\(String(host, radix: 16)):1"
        default: "\(23 + host % 170).\(host / 16 % 256).\(host * 7 % 256).\(1 + host % 254)"
        }
    }

    private mutating func status() -> Int {
        if chance(90) { return pick([500, 502, 503]) }
        return pick([200, 200, 200, 200, 200, 200, 200, 200, 304, 304, 206, 301, 404])
    }

    private mutating func size() -> Int {
        chance(30) ? 100_000 + number(60_000_000) : 200 + number(40_000)
    }

    /// True once in `times` on average.
    private mutating func chance(_ times: Int) -> Bool {
        number(times) == 0
    }

    private mutating func number(_ limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &generator)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(elements.count)]
    }

    private static let paths = [
        "/", "/index.html", "/style2.css", "/favicon.ico", "/images/banner.png",
        "/blog/tags/puppet?flav=rss20",
        "/articles/dynamic-dns-with-dhcp/", "/files/blogposts/20080611/?C=N;O=D", "/robots.txt",
        "/projects/xdotool/xdotool.xhtml", "/presentations/slides-[2013]/js/reveal.js", "/reset.css",
    ]

    private static let agents = [
        "-",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_1) AppleWebKit/537.36 (KHTML, like Gecko) Safari/537.36",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (iPhone; U; CPU iPhone OS 4_0) [FBAN/FBIOS;FBAV/12.0;FBRV/1;FBLC/en_US]",
        #"UniversalFeedParser/4.2 \"beta\" +http://feedparser.example.org/"#,
        "Tiny Tiny RSS/1.11 (http://tt-rss.org/)",
    ]
}
