import BenchmarkKit

/// Reads a format string of Apache (`LogFormat`) or nginx (`log_format`).
///
/// `%h %l %u %t "%r" %>s %b` and `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent` are the same.
struct FormatString {
    private typealias Meaning = LogPattern.Meaning

    private var parts: [LogPattern.Part] = []
    private var unknown: [String] = []

    /// - Throws: ``LogError`` if it has no client, time or status, or a field that can't be read.
    static func pattern(_ format: String) throws -> LogPattern {
        var reader = FormatString()
        try reader.read(Array(format.unicodeScalars))
        reader.keepTheBest()
        return try LogPattern(reader.parts, unknown: reader.unknown)
    }

    private mutating func read(_ format: [Unicode.Scalar]) throws {
        parts = [LogPattern.Part(meaning: nil, name: "the beginning", text: [])]
        var rest = format[...]
        while let character = rest.popFirst() {
            switch character {
            // As in Apache's configuration.
            case "\\":
                let next = rest.popFirst() ?? "\\"
                append(next == "t" ? "\t" : next)
            case "%" where rest.first == "%": append(rest.removeFirst())
            case "%": try apacheField(apacheName(&rest))
            case "$": try nginxField(rest.first == "{" ? bracedName(&rest) : plainName(&rest))
            default: append(character)
            }
        }
    }

    private mutating func append(_ character: Unicode.Scalar) {
        parts[parts.count - 1].text += Array(String(character).utf8)
    }

    private func plainName(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        let name = rest.prefix { $0.properties.isAlphabetic || $0 == "_" || $0.properties.numericType != nil }
        rest = rest.dropFirst(name.count)
        return String(String.UnicodeScalarView(name))
    }

    private func bracedName(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        let name = rest.dropFirst().prefix { $0 != "}" }
        rest = rest.dropFirst(name.count + 2)
        return String(String.UnicodeScalarView(name))
    }

    /// `>s`, `{Referer}i`, `!200,304{x}i`: conditions and modifiers before the letter.
    private func apacheName(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        var name = ""
        while let character = rest.popFirst() {
            name.unicodeScalars.append(character)
            if character == "{" {
                while let inner = rest.popFirst() {
                    name.unicodeScalars.append(inner)
                    if inner == "}" { break }
                }
            } else if character == "^" {
                // Two letters follow, as in %^FB.
                name.unicodeScalars += rest.prefix(2)
                rest = rest.dropFirst(2)
                break
            } else if character.properties.isAlphabetic {
                break
            }
        }
        return name
    }

    // MARK: Apache

    private mutating func apacheField(_ name: String) throws {
        guard !name.isEmpty else { throw LogError(description: "the format has '%' without a name after it") }
        let bare = name.drop { "<>!,0123456789".contains($0) }
        if bare == "t" {
            // The brackets are a part of Apache's time.
            parts[parts.count - 1].text.append(UInt8(ascii: "["))
            parts.append(LogPattern.Part(meaning: .clockTime, name: "%" + name, text: [UInt8(ascii: "]")]))
            return
        }
        if let meaning = Self.apache[String(bare)] { return add("%" + name, meaning) }
        let isArgument = bare.hasPrefix("{") && bare.contains("}")
        if isArgument, bare.hasSuffix("}t") {
            throw LogError(
                description: "the format has %\(name); of times, %t, %{sec}t, %{msec}t and %{usec}t can be read")
        }
        guard
            isArgument && Self.apacheWithArgument.contains(String(bare.suffix(1)))
                || Self.skipped.contains(String(bare))
        else { throw LogError(description: "the format has %\(name), which Apache doesn't define") }
        add("%" + name, .skipped)
    }

    /// The fields of Apache that have a meaning here.
    private static let apache: [String: LogPattern.Meaning] = [
        "h": .client, "a": .client, "{c}a": .client, "{c}h": .client,
        "{sec}t": .epoch(unit: 1_000_000), "{msec}t": .epoch(unit: 1000), "{usec}t": .epoch(unit: 1),
        "s": .status, "b": .size, "B": .size, "O": .size,
        "D": .latency(unit: 1000), "T": .latency(unit: 1_000_000_000), "{s}T": .latency(unit: 1_000_000_000),
        "{ms}T": .latency(unit: 1_000_000), "{us}T": .latency(unit: 1000),
        "r": .request, "m": .method, "U": .target,
    ]

    /// The others.
    private static let skipped: Set<String> = [
        "A", "e", "f", "H", "I", "k", "l", "L", "p", "P", "q", "R", "S", "u", "v", "V", "X", "^FB",
    ]

    /// The letters after a name in braces.
    private static let apacheWithArgument: Set<String> = ["C", "e", "i", "n", "o", "p", "P", "x", "c", "g"]

    // MARK: nginx

    private mutating func nginxField(_ name: String) throws {
        guard !name.isEmpty else { throw LogError(description: "the format has '$' without a name after it") }
        if let meaning = Self.nginx[name] { return add("$" + name, meaning) }
        // nginx has variables of modules and of the user's own. One that is nearly a known one is a typing error.
        if let meant = Self.nginx.keys.sorted().first(where: { Self.isTypingError(name, of: $0) }) {
            throw LogError(description: "the format has $\(name), which nginx doesn't define; it has $\(meant)")
        }
        let isKnown = Self.nginxSkipped.contains(name) || Self.nginxFamilies.contains { name.hasPrefix($0) }
        if !isKnown { unknown.append("$" + name) }
        add("$" + name, .skipped)
    }

    private static func isTypingError(_ name: String, of known: String) -> Bool {
        known.count > 3 && abs(known.count - name.count) <= 1 && NearMiss.distance(known, name) == 1
    }

    private static let nginx: [String: LogPattern.Meaning] = [
        "remote_addr": .client, "time_local": .clockTime, "time_iso8601": .isoTime, "msec": .epoch(unit: 1_000_000),
        "status": .status, "body_bytes_sent": .size, "bytes_sent": .size,
        "request_time": .latency(unit: 1_000_000_000), "request": .request, "request_method": .method,
        "request_uri": .target, "uri": .target, "document_uri": .target,
    ]

    /// The variables of nginx's core, and of the modules that are built in, without a meaning here.
    private static let nginxSkipped = Set(
        """
        args binary_remote_addr connection connection_requests connection_time connections_active connections_reading
        connections_waiting connections_writing content_length content_type date_gmt date_local document_root fastcgi_script_name
        fastcgi_path_info gzip_ratio host hostname https http2 http3 invalid_referer is_args is_request_port limit_conn_status
        limit_rate limit_req_status memcached_key modern_browser ancient_browser msie nginx_version pid pipe proxy_host proxy_port
        proxy_protocol_addr proxy_protocol_port proxy_protocol_server_addr proxy_protocol_server_port
        proxy_add_x_forwarded_for query_string realpath_root realip_remote_addr realip_remote_port remote_port remote_user
        request_body request_body_file request_completion request_filename request_id request_length request_port scheme
        secure_link secure_link_expires server_addr server_name server_port server_protocol slice_range spdy
        tcpinfo_rtt tcpinfo_rttvar tcpinfo_snd_cwnd tcpinfo_rcv_space uid_got uid_reset uid_set
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The beginnings of variables whose rest the user chooses, or a module.
    private static let nginxFamilies = [
        "http_", "sent_http_", "sent_trailer_", "upstream_", "arg_", "cookie_", "ssl_", "geoip_", "jwt_",
        "proxy_protocol_tlv_",
        "trailer_", "otel_",
    ]

    // MARK: Both

    private mutating func add(_ name: String, _ meaning: LogPattern.Meaning) {
        parts.append(LogPattern.Part(meaning: meaning, name: name, text: []))
    }

    /// Of several fields with the same meaning, the best one is kept: the most precise time and latency, the size of the body, the
    /// first of others.
    private mutating func keepTheBest() {
        var best: [Int: Int] = [:]
        for (index, part) in parts.enumerated() {
            guard let meaning = part.meaning, let kind = meaning.kind else { continue }
            guard let other = best[kind] else {
                best[kind] = index
                continue
            }
            let isBetter = Self.rank(part) > Self.rank(parts[other])
            ignore(isBetter ? other : index)
            if isBetter { best[kind] = index }
        }
        // The request has both of these.
        guard parts.contains(where: { $0.meaning == .request }) else { return }
        for index in parts.indices where parts[index].meaning == .method || parts[index].meaning == .target {
            ignore(index)
        }
    }

    private mutating func ignore(_ index: Int) {
        // A time may contain the text after it, so it is skipped by its form.
        if parts[index].meaning?.endsByItself == true {
            parts[index].isIgnored = true
        } else {
            parts[index].meaning = .skipped
        }
    }

    private static func rank(_ part: LogPattern.Part) -> Int {
        switch part.meaning {
        case .epoch(let unit): 10 - String(unit).count
        case .latency(let unit): 100 - String(unit).count
        case .size: ["%O", "$bytes_sent"].contains(part.name) ? 0 : 1
        case .target: part.name == "$request_uri" ? 1 : 0
        default: 0
        }
    }
}

extension LogPattern.Meaning {
    /// Fields of the same kind exclude each other; nil for parts of a sum, and what is skipped.
    fileprivate var kind: Int? {
        switch self {
        case .client, .clientAndPort: 0
        case .clockTime, .clockTimeWithoutZone, .isoTime, .epoch: 1
        case .date: 2
        case .timeOfDay: 3
        case .status: 4
        case .size: 5
        case .latency: 6
        case .request: 7
        case .method: 8
        case .target: 9
        case .latencyPart, .skipped: nil
        }
    }
}
