/// The number of running and of waiting inner streams of a flattened stream. See ``Admission``.
///
///      63 ……… 32   31 ……… 0
///     |  waiting  |  running  |
///
/// Invariant: while streams wait, at least one runs.
@frozen
@usableFromInline
struct AdmissionWord: WordState, Equatable, Sendable {
    @usableFromInline let bits: UInt64

    @inlinable @inline(__always)
    static var none: AdmissionWord { AdmissionWord(bits: 0) }

    @inlinable @inline(__always)
    static var oneRunning: AdmissionWord { AdmissionWord(bits: 1) }

    @inlinable @inline(__always)
    static var oneWaiting: AdmissionWord { AdmissionWord(bits: 1 << 32) }

    @inlinable @inline(__always)
    init(bits: UInt64) {
        self.bits = bits
    }

    var running: UInt64 { bits & (AdmissionWord.oneWaiting.bits - 1) }

    var waiting: UInt64 { bits >> 32 }

    /// The greatest limit: the word counts no more running streams.
    @usableFromInline static var greatestLimit: UInt { UInt(clamping: oneWaiting.bits) }

    /// Whether a new stream may run now: fewer than `limit` run, and none waits.
    ///
    /// - Parameter limit: At most ``greatestLimit``.
    @inlinable @inline(__always)
    func isFree(limit: UInt) -> Bool { bits < UInt64(limit) }

    /// The word when a stream starts; nil if it has to wait.
    @inlinable @inline(__always)
    func starting(limit: UInt) -> AdmissionWord? {
        isFree(limit: limit) ? AdmissionWord(bits: bits &+ AdmissionWord.oneRunning.bits) : nil
    }

    /// The word when a stream waits; nil if it may run now.
    @inlinable @inline(__always)
    func queuing(limit: UInt) -> AdmissionWord? {
        isFree(limit: limit) ? nil : AdmissionWord(bits: bits &+ AdmissionWord.oneWaiting.bits)
    }

    /// The word when a running stream ends; nil if a waiting one replaces it, or if none runs.
    @inlinable @inline(__always)
    func finishing() -> AdmissionWord? {
        // Wraps around if nothing runs.
        let next = bits &- AdmissionWord.oneRunning.bits
        return next < AdmissionWord.oneWaiting.bits - 1 ? AdmissionWord(bits: next) : nil
    }

    /// The word when a waiting stream starts in the place of one that has ended; nil if none waits.
    @inlinable @inline(__always)
    func takingOut() -> AdmissionWord? {
        bits < AdmissionWord.oneWaiting.bits ? nil : AdmissionWord(bits: bits &- AdmissionWord.oneWaiting.bits)
    }
}
