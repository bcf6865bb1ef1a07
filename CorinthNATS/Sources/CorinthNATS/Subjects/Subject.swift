#if NATS
/// The rules for subjects. libnats and the server don't check them all, and a space breaks the protocol.
enum Subject {
    /// Fails unless a message can be published to the subject.
    static func checkPublishing(_ subject: String) throws(NATSError) { try check(subject, allowsWildcards: false) }

    /// Fails unless the subject can be subscribed to: it may contain `*`, and end with `>`.
    static func checkSubscribing(_ subject: String) throws(NATSError) { try check(subject, allowsWildcards: true) }

    /// Fails unless this is the name of a stream, of a consumer, or of a queue group.
    static func checkName(_ name: String) throws(NATSError) {
        let isLegal =
            !name.isEmpty
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !".*>/\\".utf8.contains($0) }
        if !isLegal { throw .invalidSubject(name, reason: "a name has no spaces, and none of . * > / \\") }
    }

    /// Fails unless this is a key of a bucket, which other clients accept, too.
    static func checkKey(_ key: String) throws(NATSError) {
        let isLegal = key.unicodeScalars.allSatisfy { symbol in
            switch symbol {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "/", "_", "=", ".": true
            default: false
            }
        }
        if !isLegal { throw .invalidSubject(key, reason: "a key has only letters, digits, and - / _ = .") }
        try checkPublishing(key)
    }

    private static func check(_ subject: String, allowsWildcards: Bool) throws(NATSError) {
        var length = 0
        var wildcard: UInt8?
        var isClosed = false
        func endToken() throws(NATSError) {
            if length == 0 { throw .invalidSubject(subject, reason: "it is empty, or has an empty part between dots") }
            guard let symbol = wildcard else { return }
            if !allowsWildcards { throw .invalidSubject(subject, reason: "a message can't be published to a wildcard") }
            if length > 1 { throw .invalidSubject(subject, reason: "a wildcard stands alone between dots") }
            isClosed = symbol == 0x3E
        }
        for byte in subject.utf8 {
            if isClosed { throw .invalidSubject(subject, reason: "'>' stands only at the end") }
            if byte == 0x2E {
                try endToken()
                (length, wildcard) = (0, nil)
                continue
            }
            if byte <= 0x20 || byte == 0x7F {
                throw .invalidSubject(subject, reason: "it has spaces or control characters")
            }
            if byte == 0x2A || byte == 0x3E { wildcard = byte }
            length += 1
        }
        try endToken()
    }
}
#endif
