import BenchmarkKit
import Corinth
import Dispatch
import Foundation

/// `pool/keyed/N`: events with N keys and 1 µs of work each, on a pool with a scheduler for each processor.
///
/// With one key, one scheduler does all the work. That is the baseline for the others.
enum KeyedPool {
    static let workMicroseconds = 1

    /// The number of events of a burst.
    static let burst = 32_000

    static func entry(keys: Int) -> ScenarioEntry {
        ScenarioEntry(
            "pool/keyed/\(keys)",
            sampleMilliseconds: 30,
            isThreaded: true,
            direct: { KeyedPoolDirect(keys: keys, spin: $0.spin) },
            library: { KeyedPoolCorinth(keys: keys, spin: $0.spin) })
    }
}

/// The destination: checks the order of each key and signals the end of a burst.
private final class KeyedSink: Sendable {
    private let arrivals = Arrivals()
    private let complete = DispatchSemaphore(value: 0)

    @inline(__always)
    func add(_ value: Int) {
        arrivals.add(value)
        if arrivals.count % KeyedPool.burst == 0 { complete.signal() }
    }

    /// Waits until the burst has ended or progress stops.
    func wait() {
        ProgressWatchdog.wait(for: complete) { arrivals.count }
    }

    func verify(sentByEach: Int, keys: Int) throws {
        try arrivals.verify(sentByEach: sentByEach, senders: keys)
    }
}

/// Sends bursts with alternating keys.
private struct KeyedBursts {
    let keys: Int
    private(set) var sentByEach = 0

    init(keys: Int) {
        self.keys = keys
    }

    mutating func send(_ send: (Int) -> Void) {
        for number in sentByEach..<sentByEach + KeyedPool.burst / keys {
            for key in 0..<keys { send(Stamped.value(sender: key, number: number)) }
        }
        sentByEach += KeyedPool.burst / keys
    }
}

private final class KeyedPoolCorinth: Scenario {
    private let input: Signal<Int, Never>.Observer
    private let sink = KeyedSink()
    private var bursts: KeyedBursts

    init(keys: Int, spin: Spin) {
        bursts = KeyedBursts(keys: keys)
        let (output, input) = Signal<Int, Never>.pipe()
        self.input = input
        let pool = QueueSchedulerPool(qos: .userInitiated, name: "corinth-bench.pool")
        output
            .observe(on: pool, by: { Stamped.sender(of: $0) }) { partition in
                partition.map { value in
                    spin.burn(microseconds: KeyedPool.workMicroseconds)
                    return value
                }
            }
            .observeValues { [sink] in sink.add($0) }
    }

    var granularity: Int { KeyedPool.burst }

    func run(events: Int) {
        let input = input
        for _ in 0..<events / KeyedPool.burst {
            bursts.send { input.send(value: $0) }
            sink.wait()
        }
    }

    func verify() throws {
        try sink.verify(sentByEach: bursts.sentByEach, keys: bursts.keys)
    }

    func tearDown() {
        input.sendCompleted()
    }
}

/// A serial queue for each processor, one `async` for each event, and a mutex around the observer.
private final class KeyedPoolDirect: Scenario {
    private let queues: [DispatchQueue]
    private let sink = KeyedSink()
    private var bursts: KeyedBursts
    private let spin: Spin

    init(keys: Int, spin: Spin) {
        bursts = KeyedBursts(keys: keys)
        self.spin = spin
        queues = (0..<ProcessInfo.processInfo.activeProcessorCount).map {
            DispatchQueue(label: "corinth-bench.pool.\($0)", qos: .userInitiated)
        }
    }

    var granularity: Int { KeyedPool.burst }

    func run(events: Int) {
        let spin = spin
        let observe = opaqueObserver { [sink] in sink.add($0) }
        for _ in 0..<events / KeyedPool.burst {
            bursts.send { value in
                queues[Stamped.sender(of: value) % queues.count].async {
                    spin.burn(microseconds: KeyedPool.workMicroseconds)
                    PlainMutex.withLock { observe(value) }
                }
            }
            sink.wait()
        }
    }

    func verify() throws {
        try sink.verify(sentByEach: bursts.sentByEach, keys: bursts.keys)
    }
}
