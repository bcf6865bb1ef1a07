internal import Corinth
internal import Dispatch

/// A descriptor of one start or of one task, and what tells when it is ready.
///
/// Its user takes turns, on the queue. If this hasn't ended when a turn begins, the descriptor is open until the turn is over,
/// because it is closed on the same queue.
final class WatchedDescriptor: Sendable {
    let descriptor: Descriptor

    /// Sends a value for each turn.
    let turns: Signal<Void, Never>

    private let turn: Signal<Void, Never>.Observer
    private let watch: DescriptorWatch
    private let queue: DispatchQueue
    private let isOver = Atomic(false)

    init(_ descriptor: Descriptor, for direction: Direction, on queue: DispatchQueue) {
        self.descriptor = descriptor
        self.queue = queue
        let (turns, turn) = Signal<Void, Never>.pipe()
        (self.turns, self.turn) = (turns, turn)
        watch = DescriptorWatch(of: descriptor.number, for: direction, on: queue) { turn.send(value: ()) }
    }

    /// Whether the descriptor may have been closed.
    var hasEnded: Bool { isOver.value }

    /// Begins the next turn at once.
    func goOn() { turn.send(value: ()) }

    /// Begins the next turn when the descriptor is ready, or at once if it is broken. On the queue, and only for one that has
    /// refused a read or a write: a file never does that, and can't be watched.
    func wait() throws(SystemError) { try watch.begin() }

    /// Stops watching, and closes the descriptor, on the queue. Any thread may call this; the first time counts, since the
    /// number may belong to another descriptor afterwards.
    func end() {
        if isOver.swap(true) { return }
        queue.async { [watch, descriptor] in watch.end { descriptor.release() } }
    }
}
