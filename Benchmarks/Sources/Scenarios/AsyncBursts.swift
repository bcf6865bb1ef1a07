import BenchmarkKit

/// The scenarios with tasks.
enum Async {
    /// How many values are sent at once. They fit into the buffers.
    static let burst = 1_024

    static let capacity = 2_048

    static let entries = [AsyncValuesScenario.entry, AsyncSend.entry, AsyncActor.entry, AsyncFirst.entry]
}

/// A side of a scenario that sends bursts from the worker's thread to one task.
final class AsyncBursts: Scenario {
    private let sink = BurstSink(burst: Async.burst)
    private let send: (Range<Int>) -> Void
    private let end: () -> Void
    private var bursts = 0

    /// - Parameter making: Starts the task, which passes the values to the sink. Returns a closure that sends a range of
    ///   values, and one that ends the stream.
    init(_ making: (BurstSink) -> (send: (Range<Int>) -> Void, end: () -> Void)) {
        (send, end) = making(sink)
    }

    var granularity: Int { Async.burst }

    func run(events: Int) {
        for _ in 0..<events / Async.burst {
            send(0..<Async.burst)
            sink.wait()
            bursts += 1
        }
    }

    func verify() throws {
        try sink.verify(bursts: bursts)
    }

    func tearDown() {
        end()
    }
}
