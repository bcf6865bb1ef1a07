extension LogPattern {
    /// Apache's and nginx's most common formats. Debian's own, which have `%O` for `%b`, are the same here.
    static let common = #"%h %l %u %t "%r" %>s %b"#
    static let combined = #"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-agent}i""#
    static let commonOfHosts = "%v:%p " + common
    static let combinedOfHosts = "%v:%p " + combined

    private static let second = 1_000_000_000
    private static let millisecond = 1_000_000

    /// The format of fields, each with the text after it.
    private static func pattern(_ fields: [(Meaning, String)]) throws -> LogPattern {
        let first = Part(meaning: nil, name: "the beginning", text: [])
        return try LogPattern(
            [first]
                + fields.enumerated().map { index, field in
                    Part(meaning: field.0, name: "field \(index + 1)", text: Array(field.1.utf8))
                })
    }

    /// Traefik's own: the combined format, the number of the request, a router, a server, and the milliseconds that it took.
    static func traefik() throws -> LogPattern {
        var parts = try FormatString.pattern(combined + #" $request_number "$router" "$server" $duration"#).parts
        parts[parts.count - 1] = Part(
            meaning: .latency(unit: millisecond), name: "field \(parts.count - 1)", text: Array("ms".utf8))
        return try LogPattern(parts)
    }

    /// Classic load balancers of AWS. The time is that of receiving, answering and sending.
    static func classicLoadBalancer() throws -> LogPattern { try pattern(loadBalancer) }

    /// Application load balancers, which have their type before.
    static func applicationLoadBalancer() throws -> LogPattern { try pattern([(.skipped, " ")] + loadBalancer) }

    private static let loadBalancer: [(Meaning, String)] = [
        (.isoTime, " "), (.skipped, " "), (.clientAndPort, " "), (.skipped, " "), (.latencyPart(unit: second), " "),
        (.latencyPart(unit: second), " "), (.latencyPart(unit: second), " "), (.status, " "), (.skipped, " "),
        (.skipped, " "), (.size, " \""), (.request, "\""),
    ]

    /// HAProxy's `option httplog`. The time is the last of the five, and has no zone.
    ///
    /// - Parameter isOfSyslog: Whether something like `Feb  6 12:14:14 localhost haproxy[14389]: ` is before it.
    static func haproxy(isOfSyslog: Bool) throws -> LogPattern {
        let before: [(Meaning, String)] = isOfSyslog ? [(.skipped, "]: ")] : []
        return try pattern(
            before + [
                (.clientAndPort, " ["), (.clockTimeWithoutZone, "] "), (.skipped, " "), (.skipped, " "),
                (.skipped, "/"),
                (.skipped, "/"), (.skipped, "/"), (.skipped, "/"), (.latency(unit: millisecond), " "), (.status, " "),
                (.size, " "), (.skipped, " \""), (.request, "\""),
            ])
    }

    /// Squid's own, with the milliseconds that a request took.
    static func squid() throws -> LogPattern {
        var parts = try pattern([
            (.epoch(unit: 1_000_000), " "), (.latency(unit: millisecond), " "), (.client, " "), (.skipped, "/"),
            (.status, " "), (.size, " "), (.method, " "), (.target, " "),
        ]).parts
        parts[2].isPadded = true
        // The name of the user follows.
        parts.append(Part(meaning: .skipped, name: "field 9", text: []))
        return try LogPattern(parts)
    }

    /// The extended format of the W3C: the line `#Fields:` of a log says which fields it has. So do CloudFront and IIS.
    ///
    /// - Parameters:
    ///   - names: Those of the fields.
    ///   - separator: What is between two fields of a line.
    ///   - isOfIIS: Whether `time-taken` is in milliseconds. The standard has seconds, and so has CloudFront.
    static func w3c(_ names: [String], separator: String, isOfIIS: Bool) throws -> LogPattern {
        let isDated = names.contains("date") && names.contains("time")
        var parts = [Part(meaning: nil, name: "the beginning", text: [])]
        for (index, name) in names.enumerated() {
            let meaning: Meaning =
                switch name {
                case "date" where isDated: .date
                case "time" where isDated: .timeOfDay
                // Added to the two, it would make another time.
                case "timestamp" where !isDated: .epoch(unit: 1_000_000)
                case "c-ip": .client
                case "c-dns": names.contains("c-ip") ? .skipped : .client
                case "sc-status": .status
                case "sc-bytes": .size
                case "cs-method": .method
                case "cs-uri-stem": .target
                case "cs-uri": names.contains("cs-uri-stem") ? .skipped : .target
                case "time-taken": .latency(unit: isOfIIS ? millisecond : second)
                default: .skipped
                }
            let text = index == names.count - 1 ? "" : separator
            var part = Part(meaning: meaning, name: name, text: Array(text.utf8))
            part.mayBeQuoted = separator == " "
            parts.append(part)
        }
        return try LogPattern(parts)
    }
}
