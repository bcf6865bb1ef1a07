import Foundation
import Synchronization

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

    /// Student's t: the interval of so many standard deviations to each side contains the true value with probability
    /// `confidence`, if the deviation was estimated with `freedom` degrees of freedom.
    ///
    /// Computed by bisection of the distribution, without a table. The results are kept: the rows of a comparison ask for the
    /// same few.
    static func deviations(forConfidence confidence: Double, freedom: Double) -> Double {
        precondition(confidence > 0 && confidence < 1, "A confidence is between 0 and 1, not \(confidence).")
        precondition(freedom >= 1, "At least 1 degree of freedom is needed, not \(freedom).")
        let key = [confidence, freedom]
        if let known = known.withLock({ $0[key] }) { return known }
        var low = 0.0
        var high = 1e6
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let outside = incompleteBeta(freedom / 2, 0.5, at: freedom / (freedom + middle * middle))
            if 1 - outside < confidence { low = middle } else { high = middle }
        }
        let found = (low + high) / 2
        known.withLock { $0[key] = found }
        return found
    }

    private static let known = Mutex<[[Double]: Double]>([:])

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
