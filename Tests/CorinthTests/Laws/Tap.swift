import Corinth
import Foundation

/// Producers whose starts get an input each, which the test then sends to, and which count what they release.
///
/// Several runs of what is made of them can be told apart: `run` says to which one the starts of the moment belong, and
/// which one is sent to.
final class Tap: @unchecked Sendable {  // The lock guards what changes.
    private struct Input {
        let id: Int
        let run: Int
        let source: Int
        let observer: Stream.Observer
    }

    private let lock = NSLock()
    private var inputs: [Input] = []
    private var current = 0

    /// How often one of the producers was started, and how often the resources of a start were released.
    let starts = Counter()
    let releases = Counter()

    /// Called with the source of a start that begins, or whose resources are released; for one thread alone.
    var onChange: ((_ source: Int, _ isStart: Bool) -> Void)?

    var run: Int {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }

    func producer(_ source: Int) -> StreamProducer {
        StreamProducer { observer, lifetime in
            let id = self.starts.increment()
            self.onChange?(source, true)
            self.lock.withLock {
                self.inputs.append(Input(id: id, run: self.current, source: source, observer: observer))
            }
            lifetime.observeEnded {
                self.releases.increment()
                self.onChange?(source, false)
                self.remove(id)
            }
        }
    }

    /// Sends to whatever was started of a source in the present run, and has not ended.
    func send(_ event: Stream.Event, to source: Int) {
        let receivers = lock.withLock { inputs.filter { $0.run == current && $0.source == source }.map(\.observer) }
        for receiver in receivers { receiver.send(event) }
    }

    /// Lets go of the inputs.
    func release() {
        let released = lock.withLock {
            defer { inputs = [] }
            return inputs
        }
        withExtendedLifetime(released) {}
    }

    private func remove(_ id: Int) {
        let removed = lock.withLock { () -> [Input] in
            let removed = inputs.filter { $0.id == id }
            inputs.removeAll { $0.id == id }
            return removed
        }
        withExtendedLifetime(removed) {}
    }
}
