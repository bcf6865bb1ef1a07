#if NATS
internal import Corinth
internal import Foundation

extension JetStream {
    /// Completes if a stream stores what is published to a subject; fails otherwise.
    func requireStored(_ subject: String) -> SignalProducer<Never, NATSError> {
        do throws(NATSError) { try Subject.checkPublishing(subject) } catch { return SignalProducer(error: error) }
        return persistently(call("STREAM.NAMES", ["subject": .string(subject)]))
            .attempt { response in
                // Without any, servers say null.
                response["streams"]?.arrayValue.isEmpty == false
                    ? .success(()) : .failure(.invalidSubject(subject, reason: "no stream stores it"))
            }
            .then(SignalProducer<Never, NATSError>.empty)
    }

    /// Publishes a message that can't be handled, with the reason. If its headers make it too large, the letter has no payload: the
    /// stream has it.
    ///
    /// - Parameter reader: Who gives it up, and would give up the same message again.
    func publishLetter(
        of delivery: NATSDelivery, by reader: String, to subject: String, because reason: String
    ) -> SignalProducer<NATSPublication, NATSError> {
        let letter = deadLetter(of: delivery, by: reader, to: subject, because: reason)
        return publish(letter).flatMapError { error in
            guard error.isAboutSize else { return SignalProducer(error: error) }
            var short = letter
            short.payload = Data()
            short.headers.fields.removeAll { !$0.name.hasPrefix("Corinth-") }
            return publish(short)
        }
    }

    /// How many characters of a reason are in a header.
    private static let longestReason = 1000

    private func deadLetter(
        of delivery: NATSDelivery, by reader: String, to subject: String, because reason: String
    ) -> NATSOutgoing {
        var headers = delivery.message.headers.withoutInstructions
        headers.fields.removeAll { field in
            // Other clients may have sent what can't be sent from here.
            var alone = NATSHeaders()
            alone.fields = [field]
            do throws(NATSError) { try alone.check() } catch { return true }
            return false
        }
        headers["Corinth-Subject"] = delivery.subject
        headers["Corinth-Stream-Sequence"] = "\(delivery.sequence)"
        let printable = reason.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }
        let text = String(printable.prefix(Self.longestReason)).trimmingCharacters(in: .whitespaces)
        headers["Corinth-Reason"] = text.isEmpty ? "no reason is given" : text
        return NATSOutgoing(
            delivery.data, to: subject, id: "\(reader).\(delivery.identity)", headers: headers)
    }
}

extension NATSError {
    /// Whether a server or a stream refuses a message because it is too large.
    fileprivate var isAboutSize: Bool {
        switch self {
        case .messageTooLarge, .jetStream(10054, _): true
        default: false
        }
    }
}
#endif
