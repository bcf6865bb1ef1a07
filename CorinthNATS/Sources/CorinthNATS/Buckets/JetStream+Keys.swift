#if NATS
internal import Corinth
internal import Foundation

/// The newest value of a key.
struct StoredValue: Sendable {
    var data: Data
    var revision: UInt64
    /// It says that the key was deleted.
    var isDeletion: Bool
}

extension JetStream {
    /// A server's code for a write on top of another revision.
    static let wrongRevision = 10071

    /// A cluster's code for a write on top of a revision while another one of the same key, perhaps an earlier attempt of this one, is on
    /// its way. It isn't known yet whether that is stored.
    static let undecidedRevision = 10164

    /// The newest value of a key, from the leader of the bucket. nil if there is none.
    func newest(_ subject: String, in bucket: String) -> SignalProducer<StoredValue?, NATSError> {
        call("STREAM.MSG.GET.KV_\(bucket)", ["last_by_subj": .string(subject)])
            .map { response -> StoredValue? in
                let message = response["message"]
                func bytes(_ member: String) -> Data {
                    Data(base64Encoded: message?[member]?.stringValue ?? "") ?? Data()
                }
                let headers = String(decoding: bytes("hdrs"), as: UTF8.self)
                return StoredValue(
                    data: bytes("data"), revision: UInt64(message?["seq"]?.int ?? 0),
                    isDeletion: headers.contains("\n\(NATSHeaders.operation):"))
            }
            .ifRefused(with: JetStream.messageNotFound) { _ in SignalProducer(value: nil) }
    }

    /// Writes a value on top of a revision, 0 for none, nil for whatever is there. Sends the new one. Fails with ``wrongRevision`` and
    /// ``undecidedRevision``.
    func write(
        _ data: Data, to subject: String, over revision: UInt64?, _ headers: NATSHeaders = [:]
    ) -> SignalProducer<UInt64, NATSError> {
        var headers = headers
        if let revision { headers["Nats-Expected-Last-Subject-Sequence"] = "\(revision)" }
        return publish(NATSOutgoing(data, to: subject, headers: headers)).map(\.sequence)
    }
}
#endif
