import Foundation

/// Variances, and confidence intervals of means of few values.
extension Statistics {
    static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    /// The variance of the distribution of `values`; 0 for fewer than two.
    static func variance(_ values: [Double]) -> Double {
        guard values.count > 1 else { return 0 }
        let mean = mean(values)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
    }

    /// The mean of `values` without a fifth of them at each end, its variance, and the degrees of freedom of that: Yuen's
    /// estimate. An outlier has no more weight in it than its neighbour.
    static func trimmedMean(_ values: [Double]) -> (middle: Double, variance: Double, freedom: Double) {
        let sorted = values.sorted()
        let cut = sorted.count / 5
        let kept = sorted.dropFirst(cut).dropLast(cut)
        guard let least = kept.first, let most = kept.last, kept.count > 1 else { return (mean(sorted), 0, 1) }
        let drawnIn = sorted.map { min(max($0, least), most) }
        let count = Double(kept.count)
        let variance = variance(drawnIn) * Double(sorted.count - 1) / (count * (count - 1))
        return (mean(Array(kept)), variance, count - 1)
    }

    /// Student's t: the interval of so many standard deviations to each side contains the true value with probability
    /// `confidence`, if the deviation was estimated with `freedom` degrees of freedom.
    ///
    /// Computed by bisection of the distribution, without a table.
    static func deviations(forConfidence confidence: Double, freedom: Double) -> Double {
        precondition(confidence > 0 && confidence < 1, "A confidence is between 0 and 1, not \(confidence).")
        precondition(freedom >= 1, "At least 1 degree of freedom is needed, not \(freedom).")
        var low = 0.0
        var high = 1e6
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let outside = incompleteBeta(freedom / 2, 0.5, at: freedom / (freedom + middle * middle))
            if 1 - outside < confidence { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The regularised incomplete beta function, by its continued fraction (Lentz's method).
    static func incompleteBeta(_ a: Double, _ b: Double, at x: Double) -> Double {
        guard x > 0, x < 1 else { return x <= 0 ? 0 : 1 }
        // The fraction converges quickly on this side. The other side is its mirror image.
        guard x < (a + 1) / (a + b + 2) else { return 1 - incompleteBeta(b, a, at: 1 - x) }
        let scale: Double = lgamma(a + b) - lgamma(a) - lgamma(b)
        let power: Double = a * log(x) + b * log(1 - x)
        var numerator = 1.0
        var denominator: Double = 1 / (1 - (a + b) * x / (a + 1))
        var fraction = denominator
        for step in 1...500 {
            let m = Double(step)
            let place: Double = a + 2 * m
            let even: Double = m * (b - m) * x / ((place - 1) * place)
            let odd: Double = -(a + m) * (a + b + m) * x / (place * (place + 1))
            for term in [even, odd] {
                denominator = 1 / (1 + term * denominator)
                numerator = 1 + term / numerator
                fraction *= denominator * numerator
            }
            if abs(denominator * numerator - 1) < 1e-13 { break }
        }
        return exp(scale + power) * fraction / a
    }
}
