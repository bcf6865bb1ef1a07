import Corinth

final class Document { var text = "" }

// A hop hands values to another thread, while the sender may go on using them.
func unsendableHop(
    _ documents: Signal<Document, Never>, _ loads: SignalProducer<Document, Never>, _ queue: QueueScheduler,
    _ pool: QueueSchedulerPool
) {
    _ = documents.observe(on: queue)  // expected: Sendable
    _ = loads.observe(on: queue, bufferingPolicy: .latest)  // expected: Sendable
    _ = documents.delay(1, on: queue)  // expected: Sendable
    _ = loads.delay(.seconds(1), on: queue)  // expected: Sendable
    _ = loads.debounce(1, on: queue)  // expected: Sendable
    _ = documents.throttle(1, on: queue)  // expected: Sendable
    _ = documents.sample(every: .seconds(1), on: queue)  // expected: Sendable
    _ = loads.collect(every: .seconds(1), on: queue)  // expected: Sendable
    _ = documents.collect(count: 8, within: 1, on: queue)  // expected: Sendable
    _ = documents.lazyMap(on: queue) { $0.text }  // expected: Sendable
    _ = documents.parallelMap(on: pool) { $0.text }  // expected: Sendable
    _ = SignalProducer<Int, Never>(1...4).parallelMap(on: pool) { _ in Document() }  // expected: Sendable
    _ = documents.observe(on: pool, by: { $0.text }) { $0 }  // expected: Sendable
    _ = SignalProducer<Int, Never>(1...4).flatMap(.merge, on: pool) { _ in loads }  // expected: Sendable
    _ = SignalProducer<Int, Never>(1...4)
        .flatMap(.concat, on: pool, bufferingPolicy: .latest) { _ in loads }  // expected: Sendable
    _ = SignalProducer.interval([Document()], interval: .seconds(1), on: queue)  // expected: Sendable
    _ = BindingTarget<Document>(on: queue, lifetime: .empty) { _ in }  // expected: Sendable
}
