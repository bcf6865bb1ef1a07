internal import Dispatch

/// Does once what is done at the first use of each part of the library, so that a service's first events don't wait for it: the count
/// of processors, the timers, a queue and a thread, the memory barriers, and what Swift's runtime makes for each type of value.
///
/// ```swift
/// print(warmUp(Order.self, Quote.self))  // before the first connection is accepted
/// ```
///
/// It takes about a millisecond, and waits for its own queue and timer. Nothing of it remains except what the process would have made
/// later. What the compiler has put into your own program is touched by your own program alone: send an example through your graph
/// afterwards. See “Before the first order” in <doc:EmbeddingInAService>.
///
/// - Parameter types: The types of the values of your streams.
/// - Returns: What was touched, and how long that took.
/// - Concurrency: Any thread, but not one that is inside a callback. What belongs to a thread is made for the calling one.
@discardableResult
public func warmUp<each Value: Sendable>(_ types: repeat (each Value).Type) -> WarmUp {
    var result = WarmUp()
    result.touch("processors") { _ = Processors.count }
    result.touch("barriers") { AsymmetricBarrier.heavy() }
    let queue = result.touch("queues") { QueueScheduler(name: "corinth.warmUp") }
    result.touch("streams") { exercise(Example()) }
    result.touch("hops") { hop(Example(), on: queue) }
    result.touch("timers") {
        let fired = DispatchSemaphore(value: 0)
        queue.schedule(after: queue.currentDate) { fired.signal() }
        fired.wait()
    }
    result.touch("actions") {
        let action = Action<Example, Example, Never> { SignalProducer(value: $0) }
        action.apply(Example()).start()
    }
    for type in repeat each types { result.touch("\(type)") { exercise(of: type, on: queue) } }
    return result
}

/// What ``warmUp(_:)`` has touched.
public struct WarmUp: Sendable, CustomStringConvertible {
    /// A part of the library, or a type, and how long its first use took.
    public struct Step: Sendable {
        public let name: String
        public let duration: Duration
    }

    public private(set) var steps: [Step] = []

    /// How long all of it took.
    public var duration: Duration { steps.reduce(.zero) { $0 + $1.duration } }

    /// The steps with their times, in one line.
    public var description: String {
        steps.map { "\($0.name) \($0.duration.microseconds) µs" }.joined(separator: ", ")
    }

    @discardableResult
    fileprivate mutating func touch<Result>(_ name: String, _ use: () -> Result) -> Result {
        let start = ContinuousClock.now
        let result = use()
        steps.append(Step(name: name, duration: start.duration(to: .now)))
        return result
    }
}

extension Duration {
    fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}

/// A type of its own: what the compiler specialises here for `Int`, the linker would take in place of what it has made of the same
/// functions in the program, where it knows more.
private struct Example: Sendable {}

/// Sends a value along the usual paths of one thread.
private func exercise<Value: Sendable>(_ value: Value) {
    let (output, input) = Signal<Value, Never>.pipe()
    let disposable = output.map { $0 }.filter { _ in true }.observeValues { _ in }
    input.send(value: value)
    disposable?.dispose()
    SignalProducer<Value, Never>(value: value).flatMap(.latest) { SignalProducer(value: $0) }.start()
    let property = MutableProperty(value)
    let mapped = property.map { $0 }
    property.value = mapped.value
    _ = Atomic(value).value
}

/// Sends a value over a queue, for which Dispatch starts a thread.
private func hop<Value: Sendable>(_ value: Value, on queue: QueueScheduler) {
    let (output, input) = Signal<Value, Never>.pipe()
    let arrived = DispatchSemaphore(value: 0)
    output.observe(on: queue).observeValues { _ in arrived.signal() }
    input.send(value: value)
    arrived.wait()
}

/// Makes streams of a type, without a value.
private func exercise<Value: Sendable>(of type: Value.Type, on queue: QueueScheduler) {
    let (output, input) = Signal<Value, Never>.pipe()
    output.map { $0 }.filter { _ in true }.observe { _ in }
    let ended = DispatchSemaphore(value: 0)
    output.observe(on: queue).observeCompleted { ended.signal() }
    input.sendCompleted()
    ended.wait()
    SignalProducer<Value, Never>.empty.flatMap(.latest) { SignalProducer(value: $0) }.start()
}
