import BenchmarkKit
import Corinth

/// `async/send`: a task sends values, and is suspended while a buffer is full. Another task consumes them.
enum AsyncSend {
    /// How many values wait. In Corinth, half of them wait in the signal, and half in the sequence.
    static let capacity = 256

    static let entry = ScenarioEntry(
        "async/send",
        isThreaded: true,
        direct: { _ in
            let channel = Channel(capacity: capacity)
            return AsyncSendSide(
                send: { await channel.send($0) },
                end: { blockingly { await channel.finish() } },
                consume: { sink in
                    while let value = await channel.next() { sink.add(value) }
                })
        },
        library: { _ in
            let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: capacity / 2)
            let values = output.values(bufferingPolicy: .blocking(capacity: capacity / 2)).makeAsyncIterator()
            return AsyncSendSide(
                send: { try? await input.suspendingSend(value: $0) },
                end: { input.sendCompleted() },
                consume: { sink in
                    var values = values
                    while let value = await values.next(isolation: nil) { sink.add(value) }
                })
        })
}

private final class AsyncSendSide: Scenario {
    private let sink = BurstSink(burst: Async.burst)
    private let send: @Sendable (Int) async -> Void
    private let end: () -> Void
    private var bursts = 0

    init(
        send: @escaping @Sendable (Int) async -> Void, end: @escaping () -> Void,
        consume: sending @escaping (BurstSink) async -> Void
    ) {
        self.send = send
        self.end = end
        Task { [sink] in await consume(sink) }
    }

    var granularity: Int { Async.burst }

    func run(events: Int) {
        let count = events / Async.burst
        Task { [send] in
            for _ in 0..<count {
                for value in 0..<Async.burst { await send(value) }
            }
        }
        for _ in 0..<count { sink.wait() }
        bursts += count
    }

    func verify() throws {
        try sink.verify(bursts: bursts)
    }

    func tearDown() {
        end()
    }
}

/// A bounded channel of one sender and one receiver, written as an actor with continuations.
private actor Channel {
    private let capacity: Int
    private var values: [Int] = []
    private var taken = 0
    private var isFinished = false
    private var sender: CheckedContinuation<Void, Never>?
    private var receiver: CheckedContinuation<Void, Never>?

    init(capacity: Int) {
        self.capacity = capacity
        values.reserveCapacity(capacity)
    }

    func send(_ value: Int) async {
        if values.count == capacity { await withCheckedContinuation { sender = $0 } }
        values.append(value)
        receiver.take()?.resume()
    }

    func next() async -> Int? {
        if taken == values.count { await refill() }
        guard taken < values.count else { return nil }
        defer { taken += 1 }
        return values[taken]
    }

    func finish() {
        isFinished = true
        receiver.take()?.resume()
    }

    /// Empties the buffer, whose values were all taken, and waits for a value.
    private func refill() async {
        values.removeAll(keepingCapacity: true)
        taken = 0
        sender.take()?.resume()
        if !isFinished { await withCheckedContinuation { receiver = $0 } }
    }
}
