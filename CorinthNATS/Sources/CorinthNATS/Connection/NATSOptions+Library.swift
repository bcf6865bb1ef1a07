#if NATS
internal import CNATS
internal import Foundation

extension Duration {
    /// Whole milliseconds, rounded up.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : whole + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }

    /// Whole nanoseconds, rounded down.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : whole + attoseconds / 1_000_000_000
    }

    /// Seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    /// Stops the program if the duration is less than a millisecond.
    func requireMillisecond(_ name: StaticString) {
        precondition(self >= .milliseconds(1), "\(name) is \(self), but must be at least 1 ms")
    }
}

extension NATSOptions {
    /// Stops the program if a value is out of its range.
    func requireRanges() {
        precondition(!servers.isEmpty, "servers is empty, but must name at least one")
        connectTimeout.requireMillisecond("connectTimeout")
        pingInterval.requireMillisecond("pingInterval")
        writeDeadline.requireMillisecond("writeDeadline")
        reconnection.firstPause.requireMillisecond("firstPause")
        precondition(
            reconnection.longestPause >= reconnection.firstPause,
            "longestPause is \(reconnection.longestPause), but must be at least firstPause, \(reconnection.firstPause)")
        precondition(
            reconnection.bufferSize >= 1 && reconnection.bufferSize <= Int(Int32.max),
            "bufferSize is \(reconnection.bufferSize), but must be from 1 to \(Int32.max)")
        precondition(
            pendingMessages >= 1 && pendingMessages <= Int(Int32.max),
            "pendingMessages is \(pendingMessages), but must be from 1 to \(Int32.max)")
    }

    /// The pause after a number of failed rounds, in milliseconds.
    func pause(after attempts: Int) -> Int64 {
        let longest = reconnection.longestPause.milliseconds
        let doubled = reconnection.firstPause.milliseconds << min(max(attempts - 1, 0), 20)
        let pause = min(doubled, longest)
        return pause - Int64.random(in: 0...(pause / 5))
    }

    /// The servers without their passwords, for messages.
    var serversInWords: String {
        servers.map { server in
            guard let at = server.lastIndex(of: "@"), let scheme = server.range(of: "://") else { return server }
            return String(server[..<scheme.upperBound] + server[server.index(after: at)...])
        }.joined(separator: ", ")
    }

    /// The servers for libnats, which takes a user's name and password from an address as they are written there. If they are
    /// percent-encoded, they are taken out, decoded.
    private func decodedServers() throws(NATSError) -> (servers: [String], user: (name: String, password: String)?) {
        let parts = servers.map { URLComponents(string: $0) }
        let isEncoded = parts.contains {
            ($0?.percentEncodedUser ?? "").contains("%") || ($0?.percentEncodedPassword ?? "").contains("%")
        }
        guard isEncoded, let first = parts.first.flatMap({ $0 }) else { return (servers, nil) }
        guard parts.allSatisfy({ $0?.user == first.user && $0?.password == first.password }) else {
            throw .invalidOption("servers with different users, one of them percent-encoded: give each a connection")
        }
        let stripped = parts.map { parts -> String in
            var parts = parts
            parts?.user = nil
            parts?.password = nil
            return parts?.string ?? ""
        }
        return (stripped, (first.user ?? "", first.password ?? ""))
    }

    /// What libnats needs. The caller destroys it.
    ///
    /// - Parameter closure: What libnats passes to the callbacks of the connection.
    func makeLibraryOptions(_ closure: UnsafeMutableRawPointer) throws(NATSError) -> OpaquePointer {
        for server in servers {
            let parts = URLComponents(string: server)
            guard let parts, ["nats", "tls"].contains(parts.scheme), !(parts.host ?? "").isEmpty else {
                throw .invalidAddress(server)
            }
        }
        var created: OpaquePointer?
        let status = unsafe natsOptions_Create(&created)
        guard let options = unsafe created else { throw .of(status, "options") }
        do throws(NATSError) {
            try unsafe fill(options, closure)
        } catch {
            unsafe natsOptions_Destroy(options)
            throw error
        }
        return unsafe options
    }

    private func fill(_ options: OpaquePointer, _ closure: UnsafeMutableRawPointer) throws(NATSError) {
        func check(_ status: natsStatus, _ context: String) throws(NATSError) {
            if status != NATS_OK { throw .of(status, context) }
        }
        func checkFile(_ status: natsStatus, _ file: String) throws(NATSError) {
            if status != NATS_OK {
                let text = unsafe String(cString: natsStatus_GetText(status))
                throw .invalidOption("the file '\(file)' can't be used: \(text)")
            }
        }
        let (addresses, user) = try decodedServers()
        if let user { try check(unsafe natsOptions_SetUserInfo(options, user.name, user.password), "credentials") }
        var pointers = unsafe [UnsafePointer<CChar>?]()
        for server in addresses { unsafe pointers.append(UnsafePointer(strdup(server))) }
        defer { unsafe pointers.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        try check(unsafe natsOptions_SetServers(options, &pointers, Int32(servers.count)), "servers")
        try check(unsafe natsOptions_SetName(options, name), "name")
        try check(unsafe natsOptions_SetTimeout(options, connectTimeout.milliseconds), "connectTimeout")
        try check(unsafe natsOptions_SetPingInterval(options, pingInterval.milliseconds), "pingInterval")
        try check(unsafe natsOptions_SetMaxPingsOut(options, 2), "pingInterval")
        try check(unsafe natsOptions_SetWriteDeadline(options, writeDeadline.milliseconds), "writeDeadline")
        try check(unsafe natsOptions_SetMaxPendingMsgs(options, Int32(pendingMessages)), "pendingMessages")
        try check(unsafe natsOptions_SetNoEcho(options, !receivesOwnMessages), "receivesOwnMessages")
        // The time decides when to give up, not the number of attempts.
        try check(unsafe natsOptions_SetMaxReconnect(options, .max), "reconnection")
        try check(unsafe natsOptions_SetReconnectBufSize(options, Int32(reconnection.bufferSize)), "bufferSize")
        try check(
            unsafe natsOptions_SetCustomReconnectDelay(options, ConnectionCallbacks.pause, closure), "reconnection")
        try check(unsafe natsOptions_SetDisconnectedCB(options, ConnectionCallbacks.changed, closure), "callbacks")
        try check(unsafe natsOptions_SetReconnectedCB(options, ConnectionCallbacks.changed, closure), "callbacks")
        try check(unsafe natsOptions_SetClosedCB(options, ConnectionCallbacks.closed, closure), "callbacks")
        try check(unsafe natsOptions_SetErrorHandler(options, ConnectionCallbacks.failed, closure), "callbacks")
        if retriesFirstConnection {
            try check(
                unsafe natsOptions_SetRetryOnFailedConnect(options, true, ConnectionCallbacks.changed, closure),
                "retriesFirstConnection")
        }
        switch credentials {
        case .none: break
        case .user(let user, let password):
            try check(unsafe natsOptions_SetUserInfo(options, user, password), "credentials")
        case .token(let token): try check(unsafe natsOptions_SetToken(options, token), "credentials")
        case .file(let file):
            try readable(file)
            try checkFile(unsafe natsOptions_SetUserCredentialsFromFiles(options, file, nil), file)
        case .nkey(let key, let file):
            try readable(file)
            try checkFile(unsafe natsOptions_SetNKeyFromSeed(options, key, file), file)
        }
        // libnats 3.4 doesn't encrypt because an address says so.
        if tls != nil || servers.contains(where: { URLComponents(string: $0)?.scheme == "tls" }) {
            try check(unsafe natsOptions_SetSecure(options, true), "tls")
        }
        if let tls {
            if let file = tls.authorities {
                try checkFile(unsafe natsOptions_LoadCATrustedCertificates(options, file), file)
            }
            if let (file, key) = tls.certificate {
                try checkFile(unsafe natsOptions_LoadCertificatesChain(options, file, key), file)
            }
            if let host = tls.expectedHost {
                try check(unsafe natsOptions_SetExpectedHostname(options, host), "expectedHost")
            }
        }
    }

    /// The error of an attempt to connect.
    func error(of status: natsStatus) -> NATSError {
        // Before anything else is called: libnats keeps it for this thread.
        var reason = unsafe nats_GetLastError(nil).map { unsafe String(cString: $0) } ?? "no reason is given"
        // Without the place in libnats's sources.
        if let place = reason.range(of: "): ") { reason = String(reason[place.upperBound...]) }
        switch (status, credentials) {
        case (NATS_PROTOCOL_ERROR, _):
            return .unreachable(
                "\(serversInWords): what answers isn't a NATS server, or it wants a certificate of the client and has none"
            )
        case (NATS_ERR, .file(let file)), (NATS_ERR, .nkey(_, let file)), (NATS_INVALID_ARG, .file(let file)),
            (NATS_INVALID_ARG, .nkey(_, let file)):
            return .invalidOption("the file '\(file)' can't be used: \(reason)")
        default: return .of(status, serversInWords)
        }
    }

    /// Checks a file that libnats reads only when it connects.
    private func readable(_ file: String) throws(NATSError) {
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw .invalidOption("the file '\(file)' can't be read")
        }
    }
}
#endif
