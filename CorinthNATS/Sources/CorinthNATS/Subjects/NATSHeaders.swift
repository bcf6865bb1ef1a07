#if NATS
/// The headers of a message, in order. A name may occur more than once, and its case matters.
///
/// ```swift
/// let headers: NATSHeaders = ["Content-Type": "application/json", "Trace": trace]
/// ```
public struct NATSHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    /// One header.
    public struct Field: Equatable, Sendable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All headers.
    public var fields: [Field] = []

    /// No headers.
    public init() {}

    /// Headers from names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The header with the id of a message.
    static let id = "Nats-Msg-Id"

    /// The header that makes a message the deletion of a key.
    static let operation = "KV-Operation"

    /// Whether there are none.
    public var isEmpty: Bool { fields.isEmpty }

    /// The first value of a name. nil if there is none. Setting it replaces all values of the name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Without instructions to a server, such as what to expect, what to delete, or which message this is. Who passes headers on
    /// would give them again.
    var withoutInstructions: NATSHeaders {
        var headers = self
        headers.fields.removeAll { $0.name.hasPrefix("Nats-") }
        return headers
    }

    /// Fails if a header would break the protocol.
    func check() throws(NATSError) {
        for field in fields {
            let nameIsLegal = !field.name.isEmpty && field.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
            if !nameIsLegal { throw .invalidHeader(field.name) }
            try NATSHeaders.check(field.value, of: field.name)
        }
    }

    /// Fails if the value of a header would break the protocol.
    static func check(_ value: String, of name: String) throws(NATSError) {
        let isLegal = value.utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        // libnats 3.4 takes the header after an empty value for this value.
        let isEmpty = !value.utf8.contains { $0 > 0x20 }
        if !isLegal || isEmpty { throw .invalidHeader(name) }
    }
}
#endif
