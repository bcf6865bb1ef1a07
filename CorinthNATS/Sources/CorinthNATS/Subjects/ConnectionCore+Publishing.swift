internal import CNATS
internal import Corinth

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
        guard let handle = unsafe connectedHandle else { throw endReason ?? .notYetConnected }
        guard let count = Int32(exactly: bytes.count) else {
            throw .messageTooLarge(size: bytes.count, limit: Int(unsafe natsConnection_GetMaxPayload(handle)))
        }
        NATSProbe.publish(self)
        let status: natsStatus
        if !headers.isEmpty {
            try headers.check()
            var created: OpaquePointer?
            let data = unsafe bytes.bindMemory(to: CChar.self).baseAddress
            let creation = unsafe natsMsg_Create(&created, subject, reply, data, count)
            guard creation == NATS_OK, let message = unsafe created else { throw .of(creation, "a message") }
            defer { unsafe natsMsg_Destroy(message) }
            for field in headers.fields {
                let addition = unsafe natsMsgHeader_Add(message, field.name, field.value)
                if addition != NATS_OK { throw .of(addition, "the header '\(field.name)'") }
            }
            status = unsafe natsConnection_PublishMsg(handle, message)
        } else if let reply = unsafe reply {
            status = unsafe natsConnection_PublishRequest(handle, subject, reply, bytes.baseAddress, count)
        } else {
            status = unsafe natsConnection_Publish(handle, subject, bytes.baseAddress, count)
        }
        if status == NATS_OK { return }
        if status == NATS_MAX_PAYLOAD {
            throw .messageTooLarge(size: bytes.count, limit: Int(unsafe natsConnection_GetMaxPayload(handle)))
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
