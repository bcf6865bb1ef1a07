internal import CCorinth

extension Inspector.Snapshot: CustomStringConvertible {
    /// A line for each stream and hop: its kind, its name or type, what is queued, and who waits.
    public var description: String {
        let lines = nodes.map { node in
            var line = "\(node.kind.rawValue) \(node.name ?? node.type ?? ""): \(node.depth)"
            if let capacity = node.capacity { line += " of \(capacity)" }
            line += " queued"
            if node.waiting > 0 { line += ", \(node.waiting) waiting" }
            if node.stalls > 0 { line += ", \(node.stalls) stalls" }
            if node.beyond > 0 { line += ", \(node.beyond) beyond the bound" }
            if let dropped = node.dropped, dropped > 0 { line += ", \(dropped) dropped" }
            if node.isStopped { line += ", stopped" }
            return line
        }
        return lines.joined(separator: "\n")
    }

    /// The snapshot as a line of JSON, of schema 1: what `perf/top` reads. Addresses are hexadecimal.
    public var json: String { String(decoding: encoded.dropLast(), as: UTF8.self) }

    /// The same in UTF-8, with a newline.
    var encoded: [UInt8] {
        var text = JSONText(size: 4_096 + 256 * nodes.count)
        var stacks = Stacks()
        text.object { text in
            text.field("schema", 1)
            text.field("pid", UInt64(UInt32(bitPattern: ccorinth_process())))
            text.field("program", CommandLine.arguments.first ?? "")
            text.field("time", time)
            // By it, a reader knows how often it may look.
            text.field("cost", ccorinth_look_cost())
            text.field("missed", UInt64(missed))
            // Not by value: there may be many.
            text.list("nodes", nodes.indices) { index, text in text.object { nodes[index].write(to: &$0, &stacks) } }
            text.list("schedulers", schedulers) { one, text in text.object { one.write(to: &$0, &stacks) } }
            text.list("starts", starts) { group, text in text.object { group.write(to: &$0, &stacks) } }
            text.list("observations", observations) { group, text in text.object { group.write(to: &$0, &stacks) } }
            text.list("deliveries", deliveries) { delivery, text in text.object { delivery.write(to: &$0, &stacks) } }
            text.list("edges", edges) { edge, text in text.list([edge.from, edge.to]) { $1.address($0) } }
            text.list("waits", waits) { edge, text in text.list([edge.from, edge.to]) { $1.address($0) } }
            text.list("stacks", stacks.all) { stack, text in text.list(stack) { $1.address($0) } }
            text.list("maps", CodeRange.all) { code, text in text.object { code.write(to: &$0) } }
        }
        text.end()
        return text.bytes
    }

    /// The different stacks, by which objects say where they were made.
    fileprivate struct Stacks {
        private(set) var all: [[UInt]] = []
        private var indices: [UInt64: Int] = [:]

        mutating func index(of stack: UInt64, _ frames: [UInt]) -> UInt64 {
            if let index = indices[stack] { return UInt64(index) }
            indices[stack] = all.count
            all.append(frames)
            return UInt64(all.count - 1)
        }
    }
}

extension Inspector.Snapshot.Node {
    fileprivate func write(to text: inout JSONText, _ stacks: inout Inspector.Snapshot.Stacks) {
        text.addressField("id", id)
        text.field("kind", kind.rawValue)
        if since > 0 {
            text.field("since", since)
            text.field("made", stacks.index(of: stack, frames))
        }
        if let name { text.field("name", name) }
        if let type { text.field("type", type) }
        text.field("depth", UInt64(depth))
        if let capacity { text.field("capacity", UInt64(capacity)) }
        text.field("waiting", UInt64(waiting))
        if stalls > 0 { text.field("stalls", UInt64(stalls)) }
        if beyond > 0 { text.field("beyond", UInt64(beyond)) }
        switch kind {
        case .stream:
            text.field("observers", UInt64(observers))
            if biasesTaken > 0 { text.field("biases", UInt64(biasesTaken)) }
        case .hop:
            text.field("policy", drops ? "dropping" : "blocking")
            text.field("stopped", isStopped)
            if let posted { text.field("posted", posted) }
            if let delivered { text.field("delivered", delivered) }
            if let dropped { text.field("dropped", dropped) }
            if let wakes { text.field("wakes", wakes) }
            if let scheduler { text.addressField("runner", scheduler) }
        }
    }
}

extension Inspector.Snapshot.Scheduler {
    fileprivate func write(to text: inout JSONText, _ stacks: inout Inspector.Snapshot.Stacks) {
        text.addressField("id", id)
        text.field("name", name)
        text.field("type", type)
        if since > 0 {
            text.field("since", since)
            text.field("made", stacks.index(of: stack, frames))
        }
        if let queued { text.field("queued", UInt64(queued)) }
        if let capacity { text.field("capacity", UInt64(capacity)) }
        if let executed { text.field("executed", executed) }
        if let pool { text.addressField("pool", pool) }
    }
}

extension Inspector.Snapshot.Group {
    fileprivate func write(to text: inout JSONText, _ stacks: inout Inspector.Snapshot.Stacks) {
        text.field("count", UInt64(count))
        text.field("since", since)
        text.field("made", stacks.index(of: stack, frames))
        if !observed.isEmpty { text.list("of", observed) { $1.address($0) } }
    }
}

extension Inspector.Snapshot.Delivery {
    fileprivate func write(to text: inout JSONText, _ stacks: inout Inspector.Snapshot.Stacks) {
        text.field("thread", thread)
        text.field("number", UInt64(clamping: number))
        text.field("count", UInt64(count))
        text.field("duration", duration)
        if let ended { text.field("ended", ended) }
        text.field("values", UInt64(values))
        text.field("senders", UInt64(senders))
        text.list("streams", streams) { $1.address($0) }
        text.field("at", stacks.index(of: stack, frames))
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

    func write(to text: inout JSONText) {
        text.field("path", path)
        text.addressField("start", start)
        text.addressField("end", end)
        text.field("offset", UInt64(offset))
        text.addressField("bias", bias)
    }
}

/// Writes JSON (RFC 8259). An encoder of Foundation's would be linked into every program.
private struct JSONText {
    private(set) var bytes: [UInt8] = []

    /// Whether this is the first of an object or a list, or the value of a field: others have a comma before them.
    private var isFirst = true

    /// - Parameter size: How many bytes there will be, about.
    init(size: Int) { bytes.reserveCapacity(size) }

    mutating func object(_ fields: (inout JSONText) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        fields(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    mutating func list<Elements: Sequence>(
        _ elements: Elements, _ write: (Elements.Element, inout JSONText) -> Void
    ) {
        separate()
        bytes.append(UInt8(ascii: "["))
        isFirst = true
        for element in elements { write(element, &self) }
        bytes.append(UInt8(ascii: "]"))
        isFirst = false
    }

    mutating func list<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements, _ write: (Elements.Element, inout JSONText) -> Void
    ) {
        key(name)
        list(elements, write)
    }

    mutating func field(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    mutating func field(_ name: StaticString, _ value: UInt64) {
        key(name)
        var start = bytes.count
        var rest = value
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // The last digit came first.
        var end = bytes.count - 1
        while start < end {
            bytes.swapAt(start, end)
            start += 1
            end -= 1
        }
        isFirst = false
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes += value ? "true".utf8 : "false".utf8
        isFirst = false
    }

    mutating func addressField(_ name: StaticString, _ value: UInt) {
        key(name)
        address(value)
    }

    /// An address, in quotes.
    mutating func address(_ value: UInt) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var shift = max(0, UInt.bitWidth - 4 - value.leadingZeroBitCount & ~3)
        repeat {
            let digit = UInt8(truncatingIfNeeded: value >> UInt(shift) & 15)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
            shift -= 4
        } while shift >= 0
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        isFirst = true
    }

    /// Ends the line.
    mutating func end() { bytes.append(UInt8(ascii: "\n")) }

    private mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let text = text.utf8
        if text.allSatisfy({ $0 >= 32 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes += text
        } else {
            for byte in text { append(byte) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a byte of a string.
    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0..<32: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        default: bytes.append(byte)
        }
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }
}
