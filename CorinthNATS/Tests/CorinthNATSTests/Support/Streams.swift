import Corinth
import CorinthNATS
import Foundation

extension SignalProducer where Value: Sendable, Error == NATSError {
    /// Starts, waits for the end, and returns the values.
    @discardableResult
    func completed() throws -> [Value] {
        let (collector, _) = collected()
        if let error = try collector.waitForEnd() { throw error }
        return collector.values
    }
}

extension JetStream {
    /// Declares a stream of `orders.>` and a consumer of it.
    func declareOrders(
        _ change: (inout NATSStream, inout NATSConsumer) -> Void = { _, _ in }
    ) throws -> NATSConsumer {
        var stream = NATSStream("ORDERS", subjects: ["orders.>"])
        var consumer = NATSConsumer("billing", of: "ORDERS")
        change(&stream, &consumer)
        try declare(stream).completed()
        try declare(consumer).completed()
        return consumer
    }

    /// Declares the stream of `NATSPartitions.orders`, and a bucket for the positions and states of groups.
    func declareGroups(_ change: (inout NATSStream) -> Void = { _ in }) throws {
        var stream = NATSStream("ORDERS", subjects: ["orders.>"])
        change(&stream)
        try declare(stream).completed()
        try declare(NATSStream.bucket("STATE")).completed()
    }

    /// Publishes texts, numbered from 0, and waits until they are stored.
    func publish(_ count: Int, to subject: String = "orders.new") throws {
        try SignalProducer<NATSOutgoing, NATSError>(
            (0..<count).map { NATSOutgoing(Data("\($0)".utf8), to: subject) }
        )
        .published(to: self).completed()
    }
}

extension NATSPartitions {
    /// Those of groups, whose consumers aren't used.
    static let orders = NATSPartitions(4, of: "ORDERS", subjects: "orders.partition", consumer: "unused")
}

extension NATSGroup {
    /// A group that notices changes soon.
    static func quick(_ name: String, snapshotEvery: Int) -> NATSGroup {
        var group = NATSGroup(name, in: "STATE")
        group.heartbeat = .milliseconds(50)
        group.snapshotWithin = .milliseconds(50)
        group.snapshotEvery = snapshotEvery
        return group
    }
}

extension NATSDelivery {
    var number: Int { Int(String(decoding: data, as: UTF8.self)) ?? -1 }
}
