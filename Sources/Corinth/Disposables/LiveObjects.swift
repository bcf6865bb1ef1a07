/// The number of the library's live objects, for finding leaks: in debug builds, and where ``Inspector`` is on.
///
/// ```swift
/// let before = LiveObjects.now
/// try await handle(request)
/// assert(LiveObjects.now == before)
/// ```
///
/// Elsewhere nothing is counted, and all counts are 0: see ``isCounting``. To see where the objects were made, take an
/// ``Inspector/snapshot()``.
public struct LiveObjects: Equatable, Sendable, CustomStringConvertible {
    /// Signals that are referenced or observed, or have a live input, including terminated ones. Those that derive from another one
    /// without a strand of their own, as by `map`, aren't counted: they keep that one.
    public var signals: Int

    /// Starts of producers, including starts of inner streams and terminated ones. A start of at most one known or made value,
    /// or of a failure, isn't counted: it is over when it returns.
    public var starts: Int

    /// Observations of signals that can be disposed of.
    public var observations: Int

    /// Whether objects that are made now are counted.
    public static var isCounting: Bool {
        #if Exploration
            false
        #else
            Registry.isOn
        #endif
    }

    /// The current counts.
    ///
    /// ## Concurrency
    /// Thread-safe. Objects that are made or released meanwhile may be missing from some of the counts.
    public static var now: LiveObjects {
        LiveObjects(
            signals: Registry.count(of: .signal), starts: Registry.count(of: .start),
            observations: Registry.count(of: .observation))
    }

    /// Such as `3 signals, 1 starts, 2 observations`.
    public var description: String { "\(signals) signals, \(starts) starts, \(observations) observations" }
}
