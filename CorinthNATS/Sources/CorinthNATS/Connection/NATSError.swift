#if NATS
/// What went wrong, and what to do about it.
///
/// ```swift
/// connection.messages(on: "orders.>").startWithFailed { log($0.description) }
/// ```
public enum NATSError: Error, Equatable, Sendable {
    /// A server's address can't be read.
    case invalidAddress(String)

    /// A file of the options can't be used: credentials, a certificate, or a key.
    case invalidOption(String)

    /// A subject, or a name of a queue group, is illegal.
    case invalidSubject(String, reason: String)

    /// The name or the value of a header is illegal.
    case invalidHeader(String)

    /// No server answered: at the first attempt, or for the whole time that the options allow for reconnecting.
    case unreachable(String)

    /// The server refused the credentials.
    case authenticationFailed(String)

    /// There is no secure connection: the certificate is wrong, or only one side uses TLS.
    case tls(String)

    /// The connection is closed.
    case closed

    /// The first connection isn't made yet.
    case notYetConnected

    /// The connection is interrupted, and the buffer for messages to send is full.
    case disconnected

    /// The server doesn't allow this client to use a subject.
    case notPermitted(String)

    /// A message is larger than the server accepts: its payload, whose size this is, with its headers. Sizes are in bytes.
    case messageTooLarge(size: Int, limit: Int)

    /// Nobody has subscribed to the subject of a request.
    case noResponders(subject: String)

    /// A wait has reached its deadline. The text says for what.
    case timedOut(String)

    /// Messages came faster than the observers took them, and libnats has dropped some. `dropped` counts all that this
    /// subscription has lost.
    case slowConsumer(subject: String, dropped: Int)

    /// A payload that doesn't decode. `sequence` is its number in its stream; nil outside JetStream.
    case undecodable(subject: String, sequence: UInt64?, reason: String)

    /// A value that doesn't encode.
    case unencodable(subject: String, reason: String)

    /// The server, or this account, has no JetStream, or can't do at present what it is asked, because there is no leader, a cluster
    /// hasn't decided about an earlier write, or there are too many at once. It may do so later.
    case jetStreamUnavailable(String)

    /// JetStream refuses a request. The code is the server's `err_code`.
    case jetStream(code: Int, String)

    /// A stream or a consumer exists with other settings than the declared ones.
    case drifted(String, [NATSDrift])

    /// A stream has deleted messages, because of its limits or because it was purged, before a worker of a group has read them.
    /// The sequences are those of the stream. Some of the deleted messages may be on other subjects. The worker goes on behind them.
    case deleted(stream: String, subject: String, from: UInt64, to: UInt64)

    /// The servers have lost the newest state of a partition, or a part of it, though they had acknowledged it. The worker goes on
    /// from the state before, which contains all messages up to `position`; with 0, from the beginning of the stream.
    case stateLost(subject: String, position: UInt64)

    /// Somebody else has changed a key of a bucket meanwhile, or has made it.
    case revisionConflict(key: String)

    /// A group hasn't handled so many messages of its stream, and its states can't be moved.
    case unsettled(group: String, messages: Int)

    /// A group's stream isn't the one whose messages it has handled: it was made anew, or restored. Nothing is handled.
    case streamReplaced(String)

    /// A stream has lost its newest messages, up to a position that a group has handled, as after a power cut. What is stored next
    /// would be taken for handled, so nothing is.
    case truncated(stream: String, from: UInt64, to: UInt64)

    /// A consumer doesn't exist, or was deleted while its messages were fetched.
    case consumerDeleted(String)

    /// A handler of a group hasn't returned from a message for as long as ``NATSGroup/within``. Its partition was given up.
    case stuck(subject: String, sequence: UInt64)

    /// Another error of libnats.
    case library(status: Int, String)
}

extension NATSError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .invalidAddress(let address):
            "the address '\(address)' isn't one of a NATS server; write nats://host:4222 or tls://host:4222"
        case .invalidOption(let text): "the options of the connection are wrong: \(text)"
        case .invalidSubject(let subject, let reason): "the subject '\(subject)' is illegal: \(reason)"
        case .invalidHeader(let header):
            "the header '\(header)' is illegal; a name has no colon or space, a value has no line break and isn't empty"
        case .unreachable(let text):
            "no NATS server can be reached: \(text); check the address, and that the server runs"
        case .authenticationFailed(let text): "the NATS server refused the credentials: \(text)"
        case .tls(let text):
            "there is no secure connection: \(text); check the certificates, and that both sides use TLS"
        case .closed: "the connection is closed; make a new one"
        case .notYetConnected: "the connection is still being made; send once its state is connected"
        case .disconnected: "the connection is interrupted, and its buffer is full; send again once it is connected"
        case .notPermitted(let text): "the NATS server doesn't allow this: \(text)"
        case .messageTooLarge(let size, let limit):
            "\(size) bytes with the headers are more than the server accepts, \(limit); split the message, or raise max_payload of the server"
        case .noResponders(let subject): "nobody answers requests on '\(subject)'; check that the service runs"
        case .timedOut(let text): "no answer in time: \(text)"
        case .slowConsumer(let subject, let dropped):
            "messages on '\(subject)' came too fast, and \(dropped) were dropped; raise pendingMessages, or observe elsewhere"
        case .undecodable(let subject, let sequence, let reason):
            "a message on '\(subject)'\(sequence.map { " with sequence \($0)" } ?? "") doesn't decode: \(reason)"
        case .unencodable(let subject, let reason): "a value for '\(subject)' doesn't encode: \(reason)"
        case .jetStreamUnavailable(let text):
            "JetStream isn't available: \(text); check that the server and the account have it, and that a majority runs"
        case .jetStream(let code, let text): "JetStream refuses: \(text) (\(code))"
        case .drifted(let name, let drifts):
            "\(name) exists with other settings: \(drifts.map(\.description).joined(separator: ", ")); "
                + "change the declaration; or declare a stream or a consumer with onDrift: .update, and give a group another name"
        case .deleted(let stream, let subject, let from, let to):
            "the messages \(from) to \(to) of \(stream) were deleted before those on '\(subject)' were read; "
                + "raise the limits of the stream, or add workers"
        case .revisionConflict(let key): "somebody else has written the key '\(key)' meanwhile; read it, and try again"
        case .unsettled(let group, let messages):
            "the group \(group) hasn't handled \(messages) messages; stop its publishers, and let its workers handle them"
        case .stateLost(let subject, let position):
            "the servers have lost a part of the newest state in '\(subject)'; "
                + (position > 0
                    ? "what came after message \(position) is handled again"
                    : "no earlier one is there, so all messages that the stream has are to be handled again; "
                        + "if the group is new, say where it starts with startingAt")
        case .streamReplaced(let stream):
            "the stream \(stream) isn't the one whose messages were handled; give the group another name, or delete its keys"
        case .truncated(let stream, let from, let to):
            "the stream \(stream) has lost the messages \(from) to \(to), which were handled; "
                + "give the group another name, or delete its keys"
        case .stuck(let subject, let sequence):
            "the handler of '\(subject)' doesn't return from the message \(sequence), so its partition is given up; "
                + "look where its thread waits"
        case .consumerDeleted(let name): "the consumer \(name) doesn't exist, or was deleted; declare it"
        case .library(let status, let text): "libnats reports \(text) (\(status))"
        }
    }
}
#endif
