/// The number of the library's live objects, for finding leaks. Debug builds only.
///
/// ```swift
/// let before = LiveObjects.now
/// try await handle(request)
/// assert(LiveObjects.now == before)
/// ```
///
/// Release builds count nothing, at no cost, and all counts are 0: see ``isCounting``.
public struct LiveObjects: Equatable, Sendable, CustomStringConvertible {
    /// Signals that are referenced or observed, or have a live input, including terminated ones.
    public var signals: Int

    /// Starts of producers, including starts of inner streams and terminated ones. A start of at most one known or made value,
    /// or of a failure, isn't counted: it is over when it returns.
    public var starts: Int

    /// Observations of signals that can be disposed of.
    public var observations: Int

    /// Whether this build counts.
    public static var isCounting: Bool {
        #if DEBUG && !Exploration
            true
        #else
            false
        #endif
    }

    /// The current counts.
    ///
    /// ## Concurrency
    /// Thread-safe. Objects that are made or released meanwhile may be missing from some of the counts.
    public static var now: LiveObjects {
        #if DEBUG && !Exploration
            LiveObjects(
                signals: LiveCounts.shared.value(of: .signals), starts: LiveCounts.shared.value(of: .starts),
                observations: LiveCounts.shared.value(of: .observations))
        #else
            LiveObjects(signals: 0, starts: 0, observations: 0)
        #endif
    }

    /// Such as `3 signals, 1 starts, 2 observations`.
    public var description: String { "\(signals) signals, \(starts) starts, \(observations) observations" }
}

/// The counters: an atomic word for each kind.
@usableFromInline
final class LiveCounts: @unchecked Sendable {  // Atomic words.
    @usableFromInline
    enum Kind: Int {
        case signals
        case starts
        case observations
    }

    private let signals = AtomicWord()
    private let starts = AtomicWord()
    private let observations = AtomicWord()

    static let shared = LiveCounts()

    func value(of kind: Kind) -> Int { Int(truncatingIfNeeded: add(0, to: kind)) }

    // relaxed: independent counts.
    private func add(_ count: Int, to kind: Kind) -> UInt64 {
        let count = UInt64(truncatingIfNeeded: count)
        return switch kind {
        case .signals: signals.fetchAdd(count, .relaxed)
        case .starts: starts.fetchAdd(count, .relaxed)
        case .observations: observations.fetchAdd(count, .relaxed)
        }
    }

    /// Counts an object that is made.
    @inlinable @inline(__always)
    static func add(_ kind: Kind) {
        #if DEBUG && !Exploration
            count(kind, up: true)
        #endif
    }

    /// Counts an object that is deinitialised.
    @inlinable @inline(__always)
    static func remove(_ kind: Kind) {
        #if DEBUG && !Exploration
            count(kind, up: false)
        #endif
    }

    @usableFromInline
    static func count(_ kind: Kind, up: Bool) {
        _ = shared.add(up ? 1 : -1, to: kind)
    }
}
