#if NATS
internal import CNATS
internal import Corinth

/// A message of libnats that is to be published, possibly more than once.
@safe
final class OutgoingMessage: @unchecked Sendable {  // Publishing doesn't change it.
    let message: OpaquePointer

    /// Copies the payload.
    ///
    /// - Parameters:
    ///   - subject: A legal subject.
    ///   - reply: A legal subject for a reply, or nil.
    ///   - id: The legal value of a header for the refusal of duplicates, or nil.
    init(
        _ subject: UnsafePointer<CChar>, reply: UnsafePointer<CChar>?, _ headers: NATSHeaders,
        id: UnsafePointer<CChar>? = nil, _ bytes: UnsafeRawBufferPointer
    ) throws(NATSError) {
        try headers.check()
        guard let count = Int32(exactly: bytes.count) else {
            throw .messageTooLarge(size: bytes.count, limit: Int(Int32.max))
        }
        var created: OpaquePointer?
        let data = unsafe bytes.bindMemory(to: CChar.self).baseAddress
        let creation = unsafe natsMsg_Create(&created, subject, reply, data, count)
        guard creation == NATS_OK, let message = unsafe created else { throw .of(creation, "a message") }
        unsafe self.message = unsafe message
        if let id = unsafe id { try unsafe add(NATSHeaders.id, id) }
        for field in headers.fields { try unsafe add(field.name, field.value) }
    }

    private func add(_ name: String, _ value: UnsafePointer<CChar>) throws(NATSError) {
        let addition = unsafe natsMsgHeader_Add(message, name, value)
        if addition != NATS_OK { throw .of(addition, "the header '\(name)'") }
    }

    deinit { unsafe natsMsg_Destroy(message) }

    var subject: String { unsafe String(cString: natsMsg_GetSubject(message)) }
    var count: Int { Int(unsafe natsMsg_GetDataLength(message)) }
}

extension ConnectionCore {
    /// Publishes a message.
    ///
    /// - Parameters:
    ///   - subject: A legal subject.
    ///   - reply: A legal subject for a reply, or nil.
    func publish(
        _ subject: UnsafePointer<CChar>, reply: UnsafePointer<CChar>?, _ headers: NATSHeaders,
        _ bytes: UnsafeRawBufferPointer
    ) throws(NATSError) {
        if !headers.isEmpty {
            return try unsafe publish(OutgoingMessage(subject, reply: reply, headers, bytes))
        }
        try unsafe publish(subject, bytes.count) { handle in
            // More than this is more than any server accepts.
            guard let count = Int32(exactly: bytes.count) else { return NATS_MAX_PAYLOAD }
            if let reply = unsafe reply {
                return unsafe natsConnection_PublishRequest(handle, subject, reply, bytes.baseAddress, count)
            }
            return unsafe natsConnection_Publish(handle, subject, bytes.baseAddress, count)
        }
    }

    /// Publishes a message.
    func publish(_ message: OutgoingMessage) throws(NATSError) {
        try unsafe publish(natsMsg_GetSubject(message.message), message.count) { handle in
            unsafe natsConnection_PublishMsg(handle, message.message)
        }
        withExtendedLifetime(message) {}
    }

    private func publish(
        _ subject: UnsafePointer<CChar>, _ count: Int, _ send: (OpaquePointer) -> natsStatus
    ) throws(NATSError) {
        guard let handle = unsafe connectedHandle else { throw endReason ?? .notYetConnected }
        NATSProbe.publish(self)
        let status = unsafe send(handle)
        if status == NATS_OK { return }
        if status == NATS_MAX_PAYLOAD {
            throw .messageTooLarge(size: count, limit: Int(unsafe natsConnection_GetMaxPayload(handle)))
        }
        if status == NATS_TIMEOUT {
            let time = options.writeDeadline
            throw .timedOut(
                unsafe "the server reads nothing that is sent to '\(String(cString: subject))', for \(time)")
        }
        if status == NATS_CONNECTION_CLOSED, let endReason { throw endReason }
        throw .of(status, unsafe String(cString: subject))
    }

    /// Why the connection is closed; nil if it isn't.
    private var endReason: NATSError? {
        if case .closed(let reason) = state.value { return reason ?? .closed }
        return nil
    }
}
#endif
