@testable import Corinth

/// The events that one observer receives. It has no lock on purpose: the stream must serialise its callbacks, and thread
/// sanitizer reports it if the stream doesn't.
final class EventLog: @unchecked Sendable {
    struct Seen: Equatable, CustomStringConvertible {
        /// The number of the stimulus during which the event arrived.
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

    /// How many callbacks began before an earlier one returned, on another thread or nested.
    private(set) var overlaps = 0

    /// The number of the current stimulus. Written by the thread that applies the stimuli.
    var step = 0

    /// Called in each callback with the number of events so far, including this one.
    var onEvent: ((Int) -> Void)?

    /// How long each callback takes. A long callback gives other threads time to overlap it.
    private let spin: Int

    /// Counts the callbacks that are in progress.
    private let counter = Inside()

    init(spin: Int = 0) {
        self.spin = spin
    }

    private var isClosed = false

    /// Ignores all later events.
    func close() { isClosed = true }

    func receive(_ event: Stream.Event) {
        if isClosed { return }
        if counter.enter() > 0 { overlaps += 1 }
        // The item isn't stored, because its token would look like a leak.
        seen.append(Seen(step: step, event: event.map(\.number)))
        if spin > 0 { Work.spin(spin) }
        onEvent?(seen.count)
        counter.leave()
        if event.isTerminating { end.raise() }
    }

    private let end = Flag()

    /// Whether the terminating event has arrived. A caller that reads true also sees the events before it.
    var hasEnded: Bool { end.isRaised }

    var events: [Signal<Int, TestError>.Event] { seen.map(\.event) }

    var isEnded: Bool { seen.last?.event.isTerminating ?? false }

    /// Whether law E1 holds.
    var isWellFormed: Bool { !seen.dropLast().contains { $0.event.isTerminating } }

    /// Breaks a reference cycle.
    func forget() { onEvent = nil }
}

/// Counts the calls that are in progress.
private final class Inside: @unchecked Sendable {  // One atomic word.
    private let word = AtomicWord()

    /// Returns how many calls were already in progress.
    func enter() -> Int { Int(word.fetchAdd(1, .relaxed)) }

    func leave() { _ = word.fetchSubtract(1, .relaxed) }
}
