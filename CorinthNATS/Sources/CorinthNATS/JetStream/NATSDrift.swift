#if NATS
/// A setting that the server has otherwise than declared.
public struct NATSDrift: Equatable, Sendable, CustomStringConvertible {
    /// The name of the setting in JetStream's interface, such as `max_age`.
    public var setting: String
    /// The declared value, in JSON. Durations are in nanoseconds.
    public var declared: String
    /// The value on the server, in JSON; `null` if there is none.
    public var actual: String

    public init(setting: String, declared: String, actual: String) {
        self.setting = setting
        self.declared = declared
        self.actual = actual
    }

    /// One line for a person.
    public var description: String { "\(setting) is \(actual), but \(declared) is declared" }

    /// The declared settings that the server has otherwise.
    static func between(_ declared: [String: JSONValue], and actual: [String: JSONValue]) -> [NATSDrift] {
        declared.sorted { $0.key < $1.key }.compactMap { setting, value in
            let other = actual[setting] ?? .null
            return value == other ? nil : NATSDrift(setting: setting, declared: value.text, actual: other.text)
        }
    }
}

/// What happens if a stream or a consumer exists with other settings than declared.
public enum DriftPolicy: Sendable {
    /// Fails with ``NATSError/drifted(_:_:)``, and changes nothing.
    case fail
    /// Changes what is declared, and keeps the other settings. Fails if the server doesn't allow the change.
    case update
}
#endif
