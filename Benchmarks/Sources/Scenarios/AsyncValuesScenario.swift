import BenchmarkKit
import Corinth

/// `async/values`: sends bursts to a pipe, whose values a task iterates with `for await`.
enum AsyncValuesScenario {
    static let entry = ScenarioEntry(
        "async/values",
        isThreaded: true,
        direct: { _ in AsyncBursts(viaStream) },
        library: { _ in AsyncBursts(viaPipe) })

    private static func viaPipe(to sink: BurstSink) -> (send: (Range<Int>) -> Void, end: () -> Void) {
        let (output, input) = Signal<Int, Never>.pipe()
        // Observed before the first value is sent.
        let values = output.values(bufferingPolicy: .blocking(capacity: Async.capacity)).makeAsyncIterator()
        Task {
            var values = values
            while let value = await values.next(isolation: nil) { sink.add(value) }
        }
        return ({ for value in $0 { input.send(value: value) } }, { input.sendCompleted() })
    }

    /// An `AsyncStream`, whose continuation yields the values.
    private static func viaStream(to sink: BurstSink) -> (send: (Range<Int>) -> Void, end: () -> Void) {
        let (values, input) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingOldest(Async.capacity))
        Task {
            for await value in values { sink.add(value) }
        }
        return ({ for value in $0 { input.yield(value) } }, { input.finish() })
    }
}
