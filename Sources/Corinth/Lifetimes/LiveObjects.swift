/// How many of the library's objects are alive, for hunting leaks: in debug builds alone.
///
/// ```swift
/// let before = LiveObjects.now
/// try await handle(request)
/// assert(LiveObjects.now == before)
/// ```
///
/// In release builds nothing is counted, at no cost, and all counts are 0: ``isCounting`` says so.
public struct LiveObjects: Equatable, Sendable, CustomStringConvertible {
    /// Signals that somebody holds or observes, or that something may send to, whether or not they have ended.
    public var signals: Int

    /// Starts of producers, those of inner streams included, whether or not they have ended.
    public var starts: Int

    /// Observations, of signals, that can be disposed of.
    public var observations: Int

    /// Whether this build counts.
    public static var isCounting: Bool {
        #if DEBUG && !Exploration
            true
        #else
            false
        #endif
    }

    /// What is alive now.
    ///
    /// ## Concurrency
    /// Any thread may ask. Objects that come and go meanwhile may be counted in one and not in another count.
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

    private var signalsStorage: UInt64 = 0
    private var startsStorage: UInt64 = 0
    private var observationsStorage: UInt64 = 0

    static let shared = LiveCounts()

    private func word(of kind: Kind) -> AtomicWord { AtomicWord(of: self, at: kind.rawValue * 8) }

    func value(of kind: Kind) -> Int { Int(truncatingIfNeeded: word(of: kind).load(.relaxed)) }

    /// Counts an object that was made.
    @inlinable @inline(__always)
    static func add(_ kind: Kind) {
        #if DEBUG && !Exploration
            count(kind, up: true)
        #endif
    }

    /// Counts an object that is going.
    @inlinable @inline(__always)
    static func remove(_ kind: Kind) {
        #if DEBUG && !Exploration
            count(kind, up: false)
        #endif
    }

    @usableFromInline
    static func count(_ kind: Kind, up: Bool) {
        // relaxed: a count of things that have no order among each other.
        if up {
            shared.word(of: kind).fetchAdd(1, .relaxed)
        } else {
            shared.word(of: kind).fetchSubtract(1, .relaxed)
        }
    }
}
