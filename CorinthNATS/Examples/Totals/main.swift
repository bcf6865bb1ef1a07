// Orders are published by key, two workers add them up, one of them goes away, and the totals are right. Needs a server with
// JetStream:
//
//     nats-server -js &
//     swift run --package-path CorinthNATS Totals nats://127.0.0.1:4222
import Corinth
import CorinthNATS
import Foundation

struct Order: Codable, Sendable {
    var id: Int
    var customer: String
    var amount: Int
}

let address = CommandLine.arguments.dropFirst().first ?? "nats://127.0.0.1:4222"
let partitions = NATSPartitions(8, of: "ORDERS", subjects: "orders.partition", consumer: "orders")
/// A worker. Any number of processes on any machines may run it.
func worker(_ connection: NATSConnection) -> SignalProducer<NATSAggregated<Int>, NATSError> {
    var totals = NATSGroup("totals", in: "STATE")
    totals.heartbeat = .milliseconds(100)
    totals.snapshotWithin = .milliseconds(100)
    return connection.jetStream().aggregate(
        partitions, as: .json(Order.self), by: { $0.customer }, of: totals, state: .json(Int.self)
    ) { total, order in
        total = (total ?? 0) + order.amount
    }
}

/// 100 orders of 5 customers each day.
func orders(ofDay day: Int) -> SignalProducer<Order, NATSError> {
    SignalProducer(
        (0..<100).map { Order(id: day * 100 + $0, customer: "customer \($0 % 5)", amount: $0) })
}

func fail(_ error: NATSError) -> Never {
    FileHandle.standardError.write(Data("Totals: \(error)\n".utf8))
    exit(1)
}

/// The newest total of each customer, from both workers.
let newest = Atomic<[String: NATSAggregated<Int>]>([:])
let changed = DispatchSemaphore(value: 0)

func observe(_ connection: NATSConnection) -> any Disposable {
    worker(connection).start(
        Signal<NATSAggregated<Int>, NATSError>.Observer(
            value: { total in
                newest.modify { newest in
                    if newest[total.key]?.sequence ?? 0 <= total.sequence { newest[total.key] = total }
                }
                changed.signal()
            }, failed: { fail($0) }))
}

/// Publishes the orders of a day, and waits for the totals. Each customer's total grows by the same each day.
func handle(day: Int, of connection: NATSConnection) {
    let stored = DispatchSemaphore(value: 0)
    orders(ofDay: day)
        .partitioned(over: partitions, as: .json(Order.self), by: { $0.customer }, id: { "\($0.id)" })
        .published(to: connection.jetStream())
        .start(Signal<NATSPublication, NATSError>.Observer(failed: { fail($0) }, completed: { stored.signal() }))
    stored.wait()
    let wanted = (0..<5).map { customer in (day + 1) * (0..<100).filter { $0 % 5 == customer }.reduce(0, +) }
    while (0..<5).map({ newest.value["customer \($0)"]?.state ?? 0 }) != wanted {
        guard changed.wait(timeout: .now() + 60) == .success else { fail(.timedOut("the totals of day \(day)")) }
    }
    print("day \(day):", (0..<5).map { "customer \($0): \(wanted[$0])" }.joined(separator: ", "))
}

let connections = (0..<2).map { _ in NATSConnection(NATSOptions(servers: [address])) }
let declared = DispatchSemaphore(value: 0)
let jetStream = connections[0].jetStream()
jetStream.declare(NATSStream("ORDERS", subjects: ["orders.>"]))
    .then(jetStream.declare(NATSStream.bucket("STATE")))
    .start(Signal<NATSStreamInfo, NATSError>.Observer(failed: { fail($0) }, completed: { declared.signal() }))
declared.wait()

let first = observe(connections[0])
let second = observe(connections[1])
handle(day: 0, of: connections[1])
first.dispose()
connections[0].close()
handle(day: 1, of: connections[1])
second.dispose()
