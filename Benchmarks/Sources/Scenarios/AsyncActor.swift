import BenchmarkKit
import Corinth

/// `async/actor`: sends bursts to a pipe, whose values an actor observes.
enum AsyncActor {
    static let entry = ScenarioEntry(
        "async/actor",
        isThreaded: true,
        direct: { _ in AsyncBursts(viaStream) },
        library: { _ in AsyncBursts(viaPipe) })

    private static func viaPipe(to sink: BurstSink) -> (send: (Range<Int>) -> Void, end: () -> Void) {
        let (output, input) = Signal<Int, Never>.pipe()
        let receiver = Receiver(sink)
        blockingly { await receiver.observe(output) }
        return ({ for value in $0 { input.send(value: value) } }, { input.sendCompleted() })
    }

    /// An `AsyncStream` that the actor iterates. A `Task` for each value that awaits a method of the actor wouldn't keep the
    /// order.
    private static func viaStream(to sink: BurstSink) -> (send: (Range<Int>) -> Void, end: () -> Void) {
        let (values, input) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingOldest(Async.capacity))
        let receiver = Receiver(sink)
        Task { await receiver.receive(values) }
        return ({ for value in $0 { input.yield(value) } }, { input.finish() })
    }
}

private actor Receiver {
    private let sink: BurstSink

    init(_ sink: BurstSink) {
        self.sink = sink
    }

    func observe(_ values: Signal<Int, Never>) {
        values.observeValues(isolation: self) { [sink] in sink.add($0) }
    }

    func receive(_ values: AsyncStream<Int>) async {
        for await value in values { sink.add(value) }
    }
}
