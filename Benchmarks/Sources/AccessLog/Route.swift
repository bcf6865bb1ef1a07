/// The route of a request: its method, and the path of its target, in which numbers and identifiers are `*`.
///
/// The query is left out, and so is `https://host:443` before the path.
enum Route {
    /// Replaces `route` by that of a record.
    ///
    /// - Complexity: O(length of the target), without an allocation once `route` has its size.
    static func write(_ record: AccessRecord, in log: [UInt8], to route: inout [UInt8]) {
        route.removeAll(keepingCapacity: true)
        route += log[record.method]
        if !route.isEmpty { route.append(UInt8(ascii: " ")) }
        let path = path(of: record.target, in: log)
        var start = path.lowerBound
        while start < path.upperBound {
            if log[start] == UInt8(ascii: "/") {
                route.append(UInt8(ascii: "/"))
                start += 1
                continue
            }
            let end = log[start..<path.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? path.upperBound
            if isIdentifier(log[start..<end]) { route.append(UInt8(ascii: "*")) } else { route += log[start..<end] }
            start = end
        }
    }

    private static func path(of target: Range<Int>, in log: [UInt8]) -> Range<Int> {
        var start = target.lowerBound
        let end = log[target].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? target.upperBound
        let scheme = log[start..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
        let slashes = [UInt8(ascii: "/"), UInt8(ascii: "/")]
        if scheme < end, log[(scheme + 1)..<end].starts(with: slashes) {
            start = log[(scheme + 3)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
        }
        return start..<end
    }

    /// Whether it has digits only, or is 8 hexadecimal digits and hyphens or more, among which there is a digit.
    private static func isIdentifier(_ segment: ArraySlice<UInt8>) -> Bool {
        var (digits, others) = (0, 0)
        for byte in segment {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
                others += 1
            default: return false
            }
        }
        return digits > 0 && (others == 0 || segment.count >= 8)
    }
}
