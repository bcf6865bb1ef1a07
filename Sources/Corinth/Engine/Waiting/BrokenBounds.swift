/// A bound that a buffer has given up.
struct BrokenBound: Sendable {
    enum Kind: Sendable {
        /// Nothing was delivered for the stall timeout, and one more capacity was admitted.
        case stall
        /// A permit was taken beyond the bound, because its taker would have waited for itself.
        case beyond
    }

    let kind: Kind

    /// The address of the buffer, as the probes have it.
    let subject: UInt

    /// ``BufferFigures/id``.
    let queue: UInt64

    let depth: UInt64
    let capacity: UInt64

    /// Nanoseconds of the monotonic clock.
    let time: UInt64

    /// How often it has happened since it was reported last.
    var count = 1
}

/// Counts the bounds that this process has given up, and tells those who listen. Called where a bound is given up, which is off the
/// path of a value, even with a flag or a mutex held.
enum BrokenBounds {
    private static let stalls = AtomicWord()
    private static let beyond = AtomicWord()

    /// How many listen.
    private static let listening = AtomicWord()
    private static let listeners = Guarded<[BoundListener]>([])

    static func note(
        _ kind: BrokenBound.Kind, of subject: UnsafeRawPointer, queue: UInt64 = 0, depth: @autoclosure () -> UInt64,
        capacity: UInt64
    ) {
        // An exploration has nobody who listens, and each atomic operation would multiply its schedules.
        #if !Exploration
            // relaxed: counts. Who begins to listen meanwhile may miss it.
            switch kind {
            case .stall: stalls.fetchAdd(1, .relaxed)
            case .beyond: beyond.fetchAdd(1, .relaxed)
            }
            if listening.load(.relaxed) == 0 { return }
            let bound = BrokenBound(
                kind: kind, subject: UInt(bitPattern: subject), queue: queue, depth: depth(), capacity: capacity,
                time: MonotonicTime.now)
            for listener in listeners.hold({ $0 }) { listener.add(bound) }
        #endif
    }

    /// How often each has happened since the process began.
    static var counts: (stalls: Int, beyond: Int) {
        // relaxed: counts.
        (Int(clamping: stalls.load(.relaxed)), Int(clamping: beyond.load(.relaxed)))
    }

    fileprivate static func add(_ listener: BoundListener) {
        listeners.hold { $0.append(listener) }
        listening.fetchAdd(1, .relaxed)
    }

    fileprivate static func remove(_ listener: BoundListener) {
        listening.fetchSubtract(1, .relaxed)
        listeners.hold { listeners in listeners.removeAll { $0 === listener } }
    }
}

/// Hands the bounds that were given up to a thread that may take as long as it likes, since nobody waits for it.
///
/// It has no reference to user code, so it may be released anywhere.
final class BoundListener: Sendable {
    /// What the thread does.
    ///
    ///     reporting ◀──▶ sleeping
    ///         └──▶ closed ◀──┘
    private enum Phase: UInt64, WordState {
        /// It reports, or lets the time pass until the next report.
        case reporting
        /// It sleeps until something is found.
        case sleeping
        case closed
    }

    private let phase = AtomicState<Phase>(.reporting)

    /// One for each buffer and kind, until the thread takes them.
    private let found = Guarded<[BrokenBound]>([])

    /// The time between two reports, in nanoseconds.
    private static let pause: UInt64 = 1_000_000_000

    /// How many are kept for one report. It bounds the search in ``add(_:)``, too.
    static let limit = 256

    /// Listens from now on.
    init() { BrokenBounds.add(self) }

    fileprivate func add(_ bound: BrokenBound) {
        found.hold { found in
            if let index = found.firstIndex(where: { $0.subject == bound.subject && $0.kind == bound.kind }) {
                let count = found[index].count
                found[index] = bound
                found[index].count += count
            } else if found.count < BoundListener.limit {
                found.append(bound)
            }
        }
        // relaxed: the flag orders it. If the thread has looked before this one has added, this one sees that it sleeps.
        guard phase.load(.relaxed) == .sleeping else { return }
        if phase.tryUpdate(from: .sleeping, .relaxed, { _ in .reporting }).won { phase.wake(1) }
    }

    /// Listens no longer. Idempotent.
    func close() {
        // relaxed: publishes nothing.
        guard phase.exchange(.closed, .relaxed) != .closed else { return }
        BrokenBounds.remove(self)
        phase.wake()
    }

    // relaxed: a hint.
    var isClosed: Bool { phase.load(.relaxed) == .closed }

    /// Calls a function with what was found, at most once a second, until it is closed.
    func run(_ report: ([BrokenBound]) -> Void) {
        while let found = blockingTake() {
            let next = MonotonicTime.now + BoundListener.pause
            report(found)
            while phase.load(.relaxed) == .reporting, MonotonicTime.now < next {
                phase.blockingWait(while: .reporting, untilMonotonic: next)
            }
        }
    }

    /// Waits until something is found. Returns nil when it is closed.
    private func blockingTake() -> [BrokenBound]? {
        while !isClosed {
            let taken = found.hold { found in
                let taken = found
                found = []
                return taken
            }
            if !taken.isEmpty { return taken }
            // relaxed: see `add(_:)`.
            guard phase.tryUpdate(from: .reporting, .relaxed, { _ in .sleeping }).won else { break }
            if found.hold({ $0.isEmpty }) { phase.blockingWait(while: .sleeping) }
            _ = phase.tryUpdate(from: .sleeping, .relaxed) { _ in .reporting }
        }
        return nil
    }
}
