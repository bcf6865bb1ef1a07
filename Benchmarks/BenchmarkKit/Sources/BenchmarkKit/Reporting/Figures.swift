import Foundation

/// Formats figures with their significant digits. A figure that isn't zero is never written as zero.
public enum Figures {
    /// Three significant digits, without an exponent.
    public static func number(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let size = abs(value)
        if size >= 1e15 { return String(format: "%.0f", value) }
        if size >= 100 { return grouped(Int(value.rounded())) }
        if size >= 10 { return String(format: "%.1f", value) }
        if size >= 0.1 || size == 0 { return String(format: "%.2f", value) }
        // Two significant digits of a small number: 0.0022, not 0.00. At most nine decimal places.
        let places = min(9, 1 - Int(log10(size).rounded(.down)))
        return String(format: "%.\(places)f", value)
    }

    /// A count per event: `0` only if the count is exactly 0.
    public static func perEvent(_ value: Double?) -> String {
        guard let value else { return "unavailable" }
        if value == 0 { return "0" }
        if value < 0.001 { return "<0.001" }
        return value < 1 ? String(format: "%.3f", value) : number(value)
    }

    /// A duration in a suitable unit.
    public static func duration(nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: "\(number(nanoseconds)) ns"
        case ..<1_000_000: "\(number(nanoseconds / 1_000)) µs"
        case ..<1_000_000_000: "\(number(nanoseconds / 1_000_000)) ms"
        default: "\(number(nanoseconds / 1_000_000_000)) s"
        }
    }

    /// A ratio with its interval: `4.10× [3.90–4.30]`; `same [0.97–1.02]` if the interval lies within 10 % of 1; and
    /// `? [0.85–1.30]` if it is inconclusive.
    public static func ratio(_ ratio: RatioEstimate?) -> String {
        guard let ratio else { return "–" }
        let interval = interval(ratio)
        return switch ratio.verdict(threshold: Comparison.defaultThreshold(isCounted: false)) {
        case .same: "same \(interval)"
        case .inconclusive: "? \(interval)"
        default: "\(number(ratio.median))× \(interval)"
        }
    }

    /// An interval of a figure: `[3.90–4.30]`.
    static func interval(_ interval: RatioEstimate?) -> String {
        interval.map { "[\(number($0.low))–\(number($0.high))]" } ?? "–"
    }

    /// The same in less space: `±5 %`, within a factor of 1.05.
    static func shortInterval(_ interval: RatioEstimate?) -> String {
        guard let interval else { return "–" }
        let factor = interval.low > 0 ? (interval.high / interval.low).squareRoot() : .infinity
        let percent = min((factor - 1) * 100, 1e9).rounded(.up)
        return factor < 3 ? "±\(grouped(Int(percent))) %" : "±×\(grouped(Int(min(factor, 1e9).rounded(.up))))"
    }

    /// A ratio in less space: `4.10× ±5 %`, `same ±3 %`, `? ±36 %`; the true ratio is within a factor of 1.05, 1.03, 1.36.
    static func shortRatio(_ ratio: RatioEstimate?) -> String {
        guard let ratio else { return "–" }
        let reach = shortInterval(ratio)
        return switch ratio.verdict(threshold: Comparison.defaultThreshold(isCounted: false)) {
        case .same: "same \(reach)"
        case .inconclusive: "? \(reach)"
        default: "\(number(ratio.median))× \(reach)"
        }
    }

    /// A whole number with thousands separators: `1,234,567`.
    public static func grouped(_ value: Int) -> String {
        var digits = String(value.magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }
}
