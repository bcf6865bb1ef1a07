/// Whether a ``ProducerRun`` has ended, and what it holds until then.
///
///     | 3                  | 2               | 1     | 0               |
///     | released one alone | holds one alone | ended | holds composite |
///
/// Invariants: a run that has ended holds nothing. A run holds a disposable alone at most once.
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

    private static var releasedOneAlone: UInt64 { 8 }

    @usableFromInline let bits: UInt64

    /// The run goes on, and has held nothing yet.
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

    /// The state with one more resource; nil if the run has ended. Only the first resource is held alone.
    func holding(_ resource: Resource) -> ProducerRunState? {
        isEnded || resource == .oneAlone && self != .running ? nil : ProducerRunState(bits: bits | resource.rawValue)
    }

    /// The state after the single disposable was released; nil if there is none.
    func releasingOneAlone() -> ProducerRunState? {
        holds(.oneAlone)
            ? ProducerRunState(bits: bits & ~Resource.oneAlone.rawValue | ProducerRunState.releasedOneAlone) : nil
    }
}
