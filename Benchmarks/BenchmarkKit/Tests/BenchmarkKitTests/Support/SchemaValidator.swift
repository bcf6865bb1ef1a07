import Foundation

/// Validates JSON with the part of JSON Schema that the schema uses.
struct SchemaValidator {
    private let root: [String: Any]

    init(_ schema: Data) throws {
        root = try JSONSerialization.jsonObject(with: schema) as? [String: Any] ?? [:]
    }

    /// The violations of `json`, by place.
    func problems(in json: Data) throws -> [String] {
        problems(try JSONSerialization.jsonObject(with: json), root, "$")
    }

    private func problems(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            let name = reference.replacing("#/$defs/", with: "")
            guard let definition = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                return ["\(place): no definition \(name)"]
            }
            return problems(value, definition, place)
        }
        var found: [String] = []
        if let type = schema["type"] as? String, !Self.isOfType(value, type) { found.append("\(place): not \(type)") }
        if let constant = schema["const"] as? NSObject, !constant.isEqual(value) {
            found.append("\(place): not \(constant)")
        }
        if let values = schema["enum"] as? [NSObject], !values.contains(where: { $0.isEqual(value) }) {
            found.append("\(place): not one of \(values)")
        }
        if let number = value as? NSNumber {
            if let least = schema["minimum"] as? NSNumber, number.doubleValue < least.doubleValue {
                found.append("\(place): below \(least)")
            }
            if let most = schema["maximum"] as? NSNumber, number.doubleValue > most.doubleValue {
                found.append("\(place): above \(most)")
            }
        }
        if let object = value as? [String: Any] { found += problems(object: object, schema, place) }
        if let array = value as? [Any] {
            if let least = schema["minItems"] as? Int, array.count < least { found.append("\(place): too few") }
            if let items = schema["items"] as? [String: Any] {
                found += array.enumerated().flatMap { problems($0.element, items, "\(place)[\($0.offset)]") }
            }
        }
        return found
    }

    private func problems(object: [String: Any], _ schema: [String: Any], _ place: String) -> [String] {
        var found: [String] = []
        for name in schema["required"] as? [String] ?? [] where object[name] == nil {
            found.append("\(place): no \(name)")
        }
        let properties = schema["properties"] as? [String: Any] ?? [:]
        for (name, value) in object {
            let inner = "\(place).\(name)"
            if let property = properties[name] as? [String: Any] {
                found += problems(value, property, inner)
            } else if let additional = schema["additionalProperties"] as? [String: Any] {
                found += problems(value, additional, inner)
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(inner): not in the schema")
            }
        }
        return found
    }

    private static func isOfType(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "number": value is NSNumber
        case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: false
        }
    }
}
