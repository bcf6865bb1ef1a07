internal import CCorinth

extension Inspector.Snapshot: CustomStringConvertible {
    /// A line for each stream and hop: its kind, its name or type, what is queued, and who waits.
    public var description: String {
        let lines = nodes.filter { $0.kind == .stream || $0.kind == .hop }.map { node in
            var line = "\(node.kind.rawValue) \(node.name ?? node.type ?? ""): \(node.depth)"
            if let capacity = node.capacity { line += " of \(capacity)" }
            line += " queued"
            if node.waiting > 0 { line += ", \(node.waiting) waiting" }
            if node.stalls > 0 { line += ", \(node.stalls) stalls" }
            if node.beyond > 0 { line += ", \(node.beyond) beyond the bound" }
            if node.isStopped { line += ", stopped" }
            return line
        }
        return lines.joined(separator: "\n")
    }

    /// The snapshot as a line of JSON, of schema 1: what `perf/top` reads. Addresses are hexadecimal.
    public var json: String {
        let streams = nodes.filter { $0.kind != .observation }
        let observations = nodes.filter { $0.kind == .observation }
        return JSONText.object([
            ("schema", "1"), ("pid", "\(ccorinth_process())"),
            ("program", JSONText.string(CommandLine.arguments.first ?? "")),
            ("time", "\(time)"), ("missed", "\(missed)"),
            ("nodes", JSONText.array(streams.map { $0.json })),
            ("observations", JSONText.array(observations.map { $0.json })),
            ("edges", JSONText.array(edges.map { $0.json })), ("waits", JSONText.array(waits.map { $0.json })),
            ("maps", JSONText.array(CodeRange.all.map { $0.json })),
        ])
    }
}

extension Inspector.Snapshot.Edge {
    fileprivate var json: String { JSONText.array([JSONText.hexadecimal(from), JSONText.hexadecimal(to)]) }
}

extension Inspector.Snapshot.Node {
    fileprivate var json: String {
        var fields = [
            ("id", JSONText.hexadecimal(id)), ("kind", JSONText.string(kind.rawValue)), ("since", "\(since)"),
            ("frames", JSONText.array(frames.map(JSONText.hexadecimal))),
        ]
        if let name { fields.append(("name", JSONText.string(name))) }
        switch kind {
        case .stream:
            fields += [
                ("type", JSONText.string(type ?? "")), ("observers", "\(observers)"),
            ]
            fields += queue
        case .hop:
            fields += [
                ("scheduler", JSONText.string(name ?? "")),
                ("policy", JSONText.string(drops ? "dropping" : "blocking")),
                ("stopped", "\(isStopped)"),
            ]
            fields += queue
        case .start: break
        case .observation: if let observed { fields.append(("of", JSONText.hexadecimal(observed))) }
        }
        return JSONText.object(fields)
    }

    private var queue: [(String, String)] {
        var fields = [
            ("depth", "\(depth)"), ("capacity", capacity.map { "\($0)" } ?? "null"), ("waiting", "\(waiting)"),
            ("stalls", "\(stalls)"), ("beyond", "\(beyond)"),
        ]
        if let posted { fields.append(("posted", "\(posted)")) }
        if let delivered { fields.append(("delivered", "\(delivered)")) }
        return fields
    }
}

/// A part of the program's code in memory, by which addresses become lines.
private struct CodeRange {
    let path: String
    let start, end, offset, bias: UInt

    static var all: [CodeRange] {
        var all: [CodeRange] = []
        unsafe withUnsafeMutablePointer(to: &all) { all in
            unsafe ccorinth_visit_code(all) { all, code in
                let code = unsafe code.pointee
                unsafe all?.assumingMemoryBound(to: [CodeRange].self).pointee.append(
                    CodeRange(
                        path: String(cString: code.path), start: code.start, end: code.end, offset: code.offset,
                        bias: code.bias))
            }
        }
        return all
    }

    var json: String {
        JSONText.object([
            ("path", JSONText.string(path)), ("start", JSONText.hexadecimal(start)), ("end", JSONText.hexadecimal(end)),
            ("offset", "\(offset)"), ("bias", JSONText.hexadecimal(bias)),
        ])
    }
}

/// Writes JSON (RFC 8259). An encoder of Foundation's would be linked into every program.
private enum JSONText {
    static func object(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\(string($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    }

    static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    static func hexadecimal(_ number: UInt) -> String { "\"" + String(number, radix: 16) + "\"" }

    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 32:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
