import Foundation

/// A logarithmic axis: from the places of a picture to positive numbers.
struct LogAxis {
    let values: ClosedRange<Double>
    /// The places of the two ends.
    let start: Double
    let end: Double

    /// - Parameter values: Positive; what is on the axis. Its ends are a little beyond them.
    /// - Returns: nil if there are no values, or if one isn't positive.
    init?(around values: [Double], from start: Double, to end: Double) {
        guard let low = values.min(), let high = values.max(), low > 0, high.isFinite else { return nil }
        let margin = max(pow(high / low, 0.04), 1.01)
        self.values = low / margin...high * margin
        self.start = start
        self.end = end
    }

    /// The place of a value. One beyond an end is at that end.
    func place(_ value: Double) -> Double {
        let value = min(max(value, values.lowerBound), values.upperBound)
        let share = log(value / values.lowerBound) / log(values.upperBound / values.lowerBound)
        return start + share * (end - start)
    }

    /// Round numbers on the axis, as many as there may be.
    func marks(atMost most: Int) -> [Double] {
        let (low, high) = (values.lowerBound, values.upperBound)
        let decades = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
        func multiples(_ digits: [Double], _ exponents: [Int]) -> [Double] {
            exponents.flatMap { exponent in digits.map { $0 * pow(10, Double(exponent)) } }.filter(values.contains)
        }
        if high / low < 3 {
            // Nearly linear.
            let unit = pow(10, Double(decades.lowerBound))
            for step in [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].map({ $0 * unit }) {
                let first = Int((low / step).rounded(.up))
                let numbers = first...max(first, Int((high / step).rounded(.down)))
                if numbers.count <= most { return numbers.map { Double($0) * step }.filter(values.contains) }
            }
        }
        for digits in [[1, 1.5, 2, 3, 4, 5, 7], [1, 2, 3, 5, 7], [1, 2, 5], [1, 3]] {
            let marks = multiples(digits, Array(decades))
            if marks.count <= most { return marks }
        }
        let step = max(1, (decades.count + most - 1) / most)
        return multiples([1], decades.filter { $0.isMultiple(of: step) })
    }

    /// A mark as a text: `0.95`, `1`, `2,000`.
    static func text(_ mark: Double) -> String {
        mark >= 1000 && mark < 1e15 ? Figures.grouped(Int(mark.rounded())) : String(format: "%.4g", mark)
    }
}
