#if !NATS
// What a program finds that hasn't asked for libnats: how to ask.

public struct NATSOptions {
    @available(
        *, unavailable, message: "enable the trait NATS of the package corinth, for which libnats-dev must be installed"
    )
    public init(servers: [String] = []) {}
}

public struct NATSConnection {
    @available(
        *, unavailable, message: "enable the trait NATS of the package corinth, for which libnats-dev must be installed"
    )
    public init(_ options: NATSOptions) {}
}
#endif
