/// Whether a ``ProducerRun`` has ended, and what it holds until then.
///
///     | 2               | 1     | 0               |
///     | holds one alone | ended | holds composite |
///
/// Invariant: a run that has ended holds nothing.
@frozen
@usableFromInline
struct ProducerRunState: WordState, Equatable, Sendable {
    /// A resource. The raw value is its bit.
    enum Resource: UInt64, CaseIterable {
        /// Any number of disposables.
        case composite = 1
        /// A single disposable.
        case oneAlone = 4
    }

    @usableFromInline let bits: UInt64

    /// The run goes on, and holds nothing.
    static var running: ProducerRunState { ProducerRunState(bits: 0) }

    @inlinable @inline(__always)
    static var ended: ProducerRunState { ProducerRunState(bits: 2) }

    @inlinable @inline(__always)
    init(bits: UInt64) {
        self.bits = bits
    }

    @inlinable
    var isEnded: Bool {
        @inline(__always)
        get { self == .ended }
    }

    func holds(_ resource: Resource) -> Bool { bits & resource.rawValue != 0 }

    /// Whether there is anything to dispose of.
    var holdsAny: Bool { bits & (Resource.composite.rawValue | Resource.oneAlone.rawValue) != 0 }

    /// The state with one more resource; nil if the run has ended.
    func holding(_ resource: Resource) -> ProducerRunState? {
        isEnded ? nil : ProducerRunState(bits: bits | resource.rawValue)
    }
}
