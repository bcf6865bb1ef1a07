/// Finds the members of a JSON object in a line, without making values of them.
struct JSONScanner {
    private var scanner: Scanner

    /// The names of the objects around, with points between them.
    private var path: [UInt8] = []

    /// Objects and arrays may be nested so deeply.
    private static let deepest = 64

    init(_ scanner: Scanner) {
        self.scanner = scanner
    }

    /// Calls `body` with the path and the value of each member that isn't an object, or in an array. The value of a text is what is
    /// between its quotes.
    ///
    /// - Returns: Whether the line is an object. Otherwise, members before the fault have been passed on.
    /// - Complexity: O(length of the line), without an allocation after the first members.
    mutating func members(_ body: (_ path: [UInt8], _ value: Scanner) -> Void) -> Bool {
        path.reserveCapacity(64)
        skipBlanks()
        guard object(depth: 0, body) else { return false }
        skipBlanks()
        return scanner.isAtEnd
    }

    private mutating func skipBlanks() {
        while scanner.skip(" ") || scanner.skip("\t") {}
    }

    private mutating func object(depth: Int, _ body: ([UInt8], Scanner) -> Void) -> Bool {
        guard depth < Self.deepest, scanner.skip("{") else { return false }
        skipBlanks()
        if scanner.skip("}") { return true }
        let outer = path.count
        repeat {
            skipBlanks()
            guard let name = text() else { return false }
            if !path.isEmpty { path.append(UInt8(ascii: ".")) }
            path += scanner.bytes[name]
            skipBlanks()
            guard scanner.skip(":"), value(depth: depth, body) else { return false }
            path.removeSubrange(outer...)
            skipBlanks()
        } while scanner.skip(",")
        return scanner.skip("}")
    }

    private mutating func value(depth: Int, _ body: ([UInt8], Scanner) -> Void) -> Bool {
        skipBlanks()
        guard !scanner.isAtEnd else { return false }
        switch scanner.bytes[scanner.position] {
        case UInt8(ascii: "{"): return object(depth: depth + 1, body)
        case UInt8(ascii: "["): return array(depth: depth + 1)
        case let first:
            guard let range = first == UInt8(ascii: "\"") ? text() : word() else { return false }
            body(path, Scanner(scanner.bytes, range))
            return true
        }
    }

    private mutating func array(depth: Int) -> Bool {
        guard depth < Self.deepest, scanner.skip("[") else { return false }
        skipBlanks()
        if scanner.skip("]") { return true }
        repeat {
            guard value(depth: depth, { _, _ in }) else { return false }
            skipBlanks()
        } while scanner.skip(",")
        return scanner.skip("]")
    }

    /// What is between quotes.
    private mutating func text() -> Range<Int>? {
        guard scanner.skip("\"") else { return nil }
        let start = scanner.position
        guard scanner.advance(to: [UInt8(ascii: "\"")], isQuoted: true, isLast: false) else { return nil }
        defer { scanner.position += 1 }
        return start..<scanner.position
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: " "), UInt8(ascii: "\t"): true
        default: false
        }
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word() -> Range<Int>? {
        let start = scanner.position
        while scanner.position < scanner.end, !Self.endsWord(scanner.bytes[scanner.position]) { scanner.position += 1 }
        let word = scanner.bytes[start..<scanner.position]
        let isName = ["true", "false", "null"].contains { word.elementsEqual($0.utf8) }
        let isNumber = word.first.map { $0 == UInt8(ascii: "-") || (48...57).contains($0) } ?? false
        return isName || isNumber ? start..<scanner.position : nil
    }
}
