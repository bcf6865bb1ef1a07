/// Which values of those that come close together are passed on.
public struct IntervalEdges: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The first value, at once.
    public static let leading = IntervalEdges(rawValue: 1)

    /// The latest value, at the end.
    public static let trailing = IntervalEdges(rawValue: 2)

    /// The first value at once, and the latest of those after it at the end.
    public static let both: IntervalEdges = [.leading, .trailing]

    /// Stops the program if there is no edge.
    @usableFromInline
    func requireAny() {
        precondition(!isDisjoint(with: .both), "edges has the bits \(rawValue), but must have leading or trailing")
    }
}
