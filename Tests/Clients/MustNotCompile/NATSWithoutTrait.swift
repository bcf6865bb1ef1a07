import CorinthNATS

func connect() {
    _ = NATSConnection(NATSOptions(servers: []))  // expected: enable the trait NATS of the package corinth
}
