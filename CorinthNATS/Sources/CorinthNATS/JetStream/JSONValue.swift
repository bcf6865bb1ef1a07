#if NATS
internal import Foundation

/// A value of JSON, as JetStream's interface uses it.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        // The most frequent first: each refusal is an error, which costs more than a value.
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let value = try? single.decode(String.self) {
            self = .string(value)
        } else if let value = try? single.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? single.decode(Bool.self) {
            self = .bool(value)
        } else if let container = try? decoder.container(keyedBy: Key.self) {
            var object: [String: JSONValue] = [:]
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !container.isAtEnd { array.append(try container.decode(JSONValue.self)) }
            self = .array(array)
        } else if let value = try? single.decode(UInt64.self) {
            // A sequence beyond what is declared anywhere.
            self = .integer(Int64(clamping: value))
        } else {
            self = .number(try single.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue {
    init(_ data: Data) throws { self = try JSONDecoder().decode(JSONValue.self, from: data) }

    /// The text, with sorted keys.
    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // No value here is beyond JSON.
        return (try? encoder.encode(self)) ?? Data()
    }

    var text: String { String(decoding: data, as: UTF8.self) }

    /// A member of an object. nil if there is none.
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var int: Int? { if case .integer(let value) = self { Int(value) } else { nil } }
    var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    var arrayValue: [JSONValue] { if case .array(let value) = self { value } else { [] } }
    var objectValue: [String: JSONValue] { if case .object(let value) = self { value } else { [:] } }
}
#endif
