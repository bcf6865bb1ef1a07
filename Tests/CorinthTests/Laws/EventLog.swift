@testable import Corinth

/// What one observer has seen, without a lock: the stream is to serialise its callbacks, and thread sanitizer to see if it
/// doesn't.
final class EventLog: @unchecked Sendable {
    struct Seen: Equatable, CustomStringConvertible {
        /// During which move it came.
        let step: Int
        let event: Signal<Int, TestError>.Event

        var description: String {
            switch event {
            case .value(let number): "\(step)→\(number)"
            case .failed(let error): "\(step)→failed(\(error))"
            case .completed: "\(step)→completed"
            case .interrupted: "\(step)→interrupted"
            }
        }
    }

    private(set) var seen: [Seen] = []

    /// How often a callback began while another one had not returned: on another thread, or nested.
    private(set) var overlaps = 0

    /// The move that is being made. Written by the thread that moves.
    var step = 0

    /// Called in each callback with the number of events up to then, this one included.
    var onEvent: ((Int) -> Void)?

    /// How long a callback takes, so that others have the time to come in between.
    private let spin: Int

    /// Counts those that are inside a callback.
    private let counter = Inside()

    init(spin: Int = 0) {
        self.spin = spin
    }

    func receive(_ event: Stream.Event) {
        if counter.enter() > 0 { overlaps += 1 }
        // The item itself isn't kept: its token would look like a leak.
        seen.append(Seen(step: step, event: event.map(\.number)))
        if spin > 0 { Work.spin(spin) }
        onEvent?(seen.count)
        counter.leave()
        if event.isTerminating { end.raise() }
    }

    private let end = Flag()

    /// Whether the end has come; what came before is seen then.
    var hasEnded: Bool { end.isRaised }

    var events: [Signal<Int, TestError>.Event] { seen.map(\.event) }

    var isEnded: Bool { seen.last?.event.isTerminating ?? false }

    /// Law E1.
    var isWellFormed: Bool { !seen.dropLast().contains { $0.event.isTerminating } }

    /// Ends a reference cycle.
    func forget() { onEvent = nil }
}

/// Counts those that are inside of something.
private final class Inside: @unchecked Sendable {  // One atomic word.
    private var storage: UInt64 = 0

    private var word: AtomicWord { AtomicWord(of: self) }

    /// How many were inside already.
    func enter() -> Int { Int(word.fetchAdd(1, .relaxed)) }

    func leave() { _ = word.fetchSubtract(1, .relaxed) }
}
