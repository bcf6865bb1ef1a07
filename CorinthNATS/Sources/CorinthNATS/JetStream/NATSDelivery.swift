#if NATS
internal import CNATS
public import Corinth
public import Foundation
internal import Synchronization

/// A message of a consumer, which waits for its acknowledgement.
///
/// It is *settled* once: by ``acknowledge()``, ``giveBack(after:)`` or ``terminate()``. It holds a place of its start until it is
/// settled or released. If it is released before, the server delivers it again after the consumer's `ackWait`.
///
/// ## Concurrency
/// Any thread may call, also after the end of the stream. If the connection is interrupted, what is sent is buffered as
/// everything published is. An acknowledgement that is lost leads to another delivery.
public final class NATSDelivery: Sendable {
    /// The message.
    public let message: NATSMessage

    private let pull: PullStart
    private let details: DeliverySubject
    private let isSettledFlag = Synchronization.Atomic<Bool>(false)

    /// How many of the two steps of an automatic acknowledgement are done.
    private let steps = Synchronization.Atomic<Int>(0)

    init(_ message: NATSMessage, for pull: PullStart) {
        self.message = message
        self.pull = pull
        details = unsafe DeliverySubject(natsMsg_GetReply(message.message))
    }

    deinit { if !isSettled { pull.release() } }

    /// The subject that it was published to.
    public var subject: String { message.subject }

    /// The payload. See ``NATSMessage/data``.
    public var data: Data { message.data }

    /// Whether it was acknowledged, given back or terminated.
    public var isSettled: Bool {
        // relaxed: who settles publishes nothing.
        isSettledFlag.load(ordering: .relaxed)
    }

    /// The number of the message in its stream.
    public var sequence: UInt64 { details.sequence }

    /// How often it was delivered, with this time, as far as the server knows: one that is killed may forget its last deliveries.
    public var deliveries: Int { Int(clamping: details.deliveries) }

    /// Counts what the consumer has delivered, without a gap.
    var consumerSequence: UInt64 { details.consumerSequence }

    /// The same as ``date``, in nanoseconds since 1970.
    var storedAt: UInt64 { details.time }

    /// The same whenever the message is delivered, and no other message's: a stream that is made anew has the same numbers again.
    var identity: String { "\(sequence).\(storedAt)" }

    /// When the stream stored it.
    public var date: Date { Date(timeIntervalSince1970: Double(details.time) / 1e9) }

    /// The stream and the consumer, with a dot between.
    var origin: String {
        String(
            decoding: (message.replySubject ?? "").utf8.dropFirst(details.origin.lowerBound).prefix(
                details.origin.count), as: UTF8.self)
    }

    /// Says that it was handled. It isn't delivered again, unless this is lost.
    ///
    /// - Returns: Whether it wasn't settled before.
    @discardableResult
    public func acknowledge() -> Bool { settle("+ACK") }

    /// Says that it was handled, and completes when the server has confirmed that: then it isn't delivered again.
    ///
    /// ```swift
    /// deliveries.flatMap(.concat) { delivery in
    ///     book(delivery.data).then(delivery.acknowledge(confirmedWithin: .seconds(2)))
    /// }
    /// ```
    ///
    /// A start settles it, and sends the acknowledgement, also if it was sent before. Fails with
    /// ``NATSError/timedOut(_:)``, and with the other errors of ``NATSConnection/request(_:to:headers:within:)``. Then it may be
    /// acknowledged or not; another start asks again. A delivery that was given back or terminated stays so, and the server
    /// confirms that.
    ///
    /// - Parameter time: How long the confirmation may take. At least 1 ms.
    /// - Complexity: A request, in place of a message to the server.
    public func acknowledge(confirmedWithin time: Duration) -> SignalProducer<Never, NATSError> {
        time.requireMillisecond("time")
        return SignalProducer { observer, lifetime in
            // relaxed: as in `settle(_:)`.
            let wasSettled = self.isSettledFlag.exchange(true, ordering: .relaxed)
            NATSProbe.ack(self)
            let subject = self.message.replySubject ?? ""
            lifetime += self.pull.connection.request(to: subject, within: time) { core, reply throws(NATSError) in
                try core.publish(Data("+ACK".utf8), to: SubjectName(publishing: subject), [:], reply: reply)
            }
            .then(SignalProducer<Never, NATSError>.empty)
            .start(observer)
            if !wasSettled { self.pull.release() }
        }
    }

    /// Asks the server to deliver it again, to any worker.
    ///
    /// - Parameter delay: When. At least 0.
    /// - Returns: Whether it wasn't settled before.
    @discardableResult
    public func giveBack(after delay: Duration = .zero) -> Bool {
        precondition(delay >= .zero, "delay is \(delay), but must be at least 0")
        return settle(delay == .zero ? "-NAK" : "-NAK {\"delay\":\(delay.nanoseconds)}")
    }

    /// Says that it can't be handled. It isn't delivered again.
    ///
    /// - Returns: Whether it wasn't settled before.
    @discardableResult
    public func terminate() -> Bool { settle("+TERM") }

    /// Says that it is being handled: the consumer's `ackWait` begins again. Has no effect once it is settled.
    public func extend() { if !isSettled { send("+WPI") } }

    /// Gives it back because its start is being disposed of.
    func giveBackAtDisposal() { pull.giveBack(self, atDisposal: true) }

    /// A step of the automatic acknowledgement: the observers have received it, or the sender has returned from sending it. It is
    /// acknowledged after both. If the stream has ended in between, the observers have not received it.
    func completeStep() {
        // relaxed: what the observers have done isn't published by it.
        if steps.wrappingAdd(1, ordering: .relaxed).newValue == 2 { acknowledge() }
    }

    private func settle(_ text: String) -> Bool {
        // relaxed: only decides who settles.
        if isSettledFlag.exchange(true, ordering: .relaxed) { return false }
        NATSProbe.ack(self)
        send(text)
        pull.release()
        return true
    }

    private func send(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            unsafe pull.answer(to: natsMsg_GetReply(message.message), UnsafeRawBufferPointer(bytes))
        }
    }
}
#endif
