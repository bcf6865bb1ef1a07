import Corinth
import Foundation

/// Cold producers under the test's control. Each start gets its own input, to which the test sends. Starts and releases are
/// counted.
///
/// A test can run the result several times and tell the runs apart: new starts belong to the current `run`, and `send` reaches
/// only the starts of the current `run`.
final class ColdInputs: @unchecked Sendable {  // The lock guards the mutable fields.
    private struct Input {
        let id: Int
        let run: Int
        let source: Int
        let observer: Stream.Observer
    }

    private let lock = NSLock()
    private var inputs: [Input] = []
    private var current = 0

    /// How many times a producer was started, and how many times the resources of a start were released.
    let starts = Counter()
    let releases = Counter()

    /// Called with the index of the source when a start begins and when its resources are released. For one thread only.
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

    /// Sends an event to every start of the source in the current run that hasn't ended.
    func send(_ event: Stream.Event, to source: Int) {
        let receivers = lock.withLock { inputs.filter { $0.run == current && $0.source == source }.map(\.observer) }
        for receiver in receivers { receiver.send(event) }
    }

    /// Releases the inputs.
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
