/// Which values of a burst or an interval are sent.
public struct IntervalEdges: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The first value, sent at once.
    public static let leading = IntervalEdges(rawValue: 1)

    /// The latest value, sent at the end.
    public static let trailing = IntervalEdges(rawValue: 2)

    /// The first value, sent at once, and the latest later value, sent at the end.
    public static let both: IntervalEdges = [.leading, .trailing]

    /// Stops the program if the set is empty.
    @usableFromInline
    func requireAny() {
        precondition(!isDisjoint(with: .both), "edges has the bits \(rawValue), but must have leading or trailing")
    }
}
