import Foundation
import Synchronization

/// What a case prints: a line for each promise, which `Tests/faults` puts into its table.
enum Report {
    /// Whether this is the build on mutexes, to which E5, X1 and X2 don't apply.
    static var isNaive: Bool {
        #if NaiveLocks
            true
        #else
            false
        #endif
    }

    /// - Parameters:
    ///   - law: The law that promises it, as in Contracts.md, or the article that does.
    ///   - isKept: Whether it was kept; nil if this build doesn't promise it.
    static func row(_ law: String, _ promise: String, _ isKept: Bool?, _ seen: String) {
        let verdict = isKept.map { $0 ? "kept" : "BROKEN" } ?? "not promised"
        print("row\t\(law)\t\(promise)\t\(verdict)\t\(seen)")
        fflush(nil)
    }
}

/// A number that several threads count up. No thread waits for another one that has been stopped here.
final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .acquiring) }

    func add(_ count: Int = 1) { number.wrappingAdd(count, ordering: .acquiringAndReleasing) }
}

/// Whether the condition holds at last. Returns false after a time that is far too long.
func eventually(within seconds: Int = 30, _ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !condition() {
        if ContinuousClock.now > end { return false }
        usleep(1_000)
    }
    return true
}

func formatted(_ nanoseconds: UInt64) -> String {
    nanoseconds < 100_000 ? "\(Double(nanoseconds / 100) / 10) µs" : "\(Double(nanoseconds / 10_000) / 100) ms"
}
