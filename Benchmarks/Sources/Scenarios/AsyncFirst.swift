import BenchmarkKit
import Corinth
import Dispatch

/// `async/first`: a task awaits the first value of a stored producer of one value.
enum AsyncFirst {
    static let value = 20

    static let entry = ScenarioEntry(
        "async/first",
        unit: "ns/value",
        isThreaded: true,
        direct: { _ in
            AsyncFirstSide {
                let values = AsyncStream<Int> { input in
                    input.yield(opaque(value))
                    input.finish()
                }
                return await values.first { _ in true }
            }
        },
        library: { _ in
            let producer = SignalProducer<Int, Never>(value: value)
            return AsyncFirstSide { await producer.firstValue() }
        })
}

/// A side that awaits in one task for each run. `direct` makes an `AsyncStream` for each value and awaits its first one.
private final class AsyncFirstSide: Scenario {
    private let first: @Sendable () async -> Int?
    private let tally = Tally()
    private var expected = Expectation()

    init(_ first: @escaping @Sendable () async -> Int?) {
        self.first = first
    }

    /// Enough for the start of the task not to count.
    var granularity: Int { 1_000 }

    func run(events: Int) {
        blockingly { [first, tally] in
            for _ in 0..<events {
                if let value = await first() { tally.add(value) }
            }
        }
        expected.add(AsyncFirst.value, times: events)
    }

    func verify() throws {
        try expected.verify(tally)
    }
}

/// Runs `body` in a task, and blocks the thread until it has returned.
func blockingly(_ body: @escaping @Sendable () async -> Void) {
    let complete = DispatchSemaphore(value: 0)
    Task {
        await body()
        complete.signal()
    }
    complete.wait()
}
