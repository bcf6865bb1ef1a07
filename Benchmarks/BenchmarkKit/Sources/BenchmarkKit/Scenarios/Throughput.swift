/// What an event stands for, so that reports show a rate beside the time: bytes that are encoded, or lines that are read.
public struct Throughput: Codable, Equatable, Sendable {
    /// How much an event stands for, in ``unit``; above 0.
    public var perEvent: Double
    /// `bytes`, or what else is counted, in the plural.
    public var unit: String

    /// An event stands for `count` bytes, at least 1.
    public static func bytes(_ count: Int) -> Throughput { elements(count, bytesUnit) }

    /// An event stands for `count` elements, at least 1.
    ///
    /// - Parameter unit: What the elements are, in the plural, such as `lines`.
    public static func elements(_ count: Int, _ unit: String = "elements") -> Throughput {
        precondition(count > 0, "An event stands for at least 1 of its \(unit), not \(count).")
        precondition(!unit.isEmpty, "A unit has a name.")
        return Throughput(perEvent: Double(count), unit: unit)
    }

    private static let bytesUnit = "bytes"

    /// The rate at which events take this time; nil if they take none.
    func perSecond(nanosecondsPerEvent: Double) -> Double? {
        nanosecondsPerEvent > 0 ? perEvent / nanosecondsPerEvent * 1e9 : nil
    }

    /// A rate in words: `512 MB/s`, `1.24 M lines/s`.
    func text(perSecond rate: Double) -> String {
        let scales: [(size: Double, prefix: String)] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]
        let scale = scales.first { rate >= $0.size } ?? (1, "")
        let number = Figures.number(rate / scale.size)
        if unit == Self.bytesUnit { return "\(number) \(scale.prefix)B/s" }
        return scale.prefix.isEmpty ? "\(number) \(unit)/s" : "\(number) \(scale.prefix) \(unit)/s"
    }
}
