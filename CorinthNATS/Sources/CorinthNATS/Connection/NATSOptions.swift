#if NATS
/// How a connection is made, kept, and given up.
///
/// ```swift
/// var options = NATSOptions(servers: ["nats://10.0.0.1:4222", "nats://10.0.0.2:4222"])
/// options.credentials = .file("/etc/orders/orders.creds")
/// options.reconnection.giveUpAfter = .seconds(300)
/// ```
public struct NATSOptions: Sendable {
    /// Who the client is.
    public enum Credentials: Sendable {
        case none
        case user(String, password: String)
        case token(String)
        /// A file with a JWT and a seed, as `nsc` writes it.
        case file(String)
        /// A public NKey, and the file of its seed.
        case nkey(String, seedFile: String)
    }

    /// How the connection is encrypted.
    public struct TLS: Sendable {
        /// A file with the certificates of authorities, in PEM. nil for those of the system.
        public var authorities: String?
        /// Files with the client's certificate and its key, in PEM.
        public var certificate: (file: String, key: String)?
        /// The name that the server's certificate must have. nil for the host of the address.
        public var expectedHost: String?

        /// Encryption with the authorities of the system, and without a certificate of the client.
        public init() {}
    }

    /// What happens when an established connection is lost.
    public struct Reconnection: Sendable {
        /// The pause after the first attempt that failed. Each further one is twice as long. At least 1 ms.
        public var firstPause: Duration = .milliseconds(50)
        /// The longest pause. At least ``firstPause``. Each pause is shortened at random by up to a fifth.
        public var longestPause: Duration = .seconds(2)
        /// After this time without a connection, it closes with ``NATSError/unreachable(_:)``. nil for never.
        public var giveUpAfter: Duration? = .seconds(120)
        /// How many bytes are kept while there is no connection, and sent after it. At least 1. Publishing beyond it fails
        /// with ``NATSError/disconnected``.
        public var bufferSize = 8 << 20

        /// The default values.
        public init() {}
    }

    /// The addresses of the servers, tried in random order. Not empty. A cluster tells a client its other servers.
    public var servers: [String]
    /// The name of the client, for the server's monitoring.
    public var name = "corinth"
    /// How long one attempt to connect may take. At least 1 ms.
    public var connectTimeout: Duration = .seconds(2)
    /// Whether the first connection is tried again as a lost one is. Otherwise it fails after one attempt with each server.
    public var retriesFirstConnection = false
    public var credentials = Credentials.none
    /// nil for no encryption, unless the address says `tls://`.
    public var tls: TLS?
    public var reconnection = Reconnection()
    /// How often the server is asked whether it is alive. Two questions without an answer end the connection. At least 1 ms.
    public var pingInterval: Duration = .seconds(20)
    /// How long a write to a server that doesn't read may take, before the connection counts as lost. At least 1 ms.
    public var writeDeadline: Duration = .seconds(10)
    /// How many messages libnats keeps for a subscription whose observers are busy. It drops what comes then, and
    /// ``NATSConnection/failures`` reports it. At least 1.
    public var pendingMessages = 65_536
    /// Whether the server sends this connection the messages that it publishes.
    public var receivesOwnMessages = true

    /// Options with the default values.
    ///
    /// - Parameter servers: The addresses: `nats://host:4222`, `tls://host:4222`, with `user:password@` if need be.
    public init(servers: [String] = ["nats://127.0.0.1:4222"]) {
        self.servers = servers
    }
}
#endif
