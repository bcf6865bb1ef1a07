#if NATS
internal import CNATS

extension NATSError {
    /// The error of a call of libnats on this thread. `context` says what was tried.
    static func of(_ status: natsStatus, _ context: String) -> NATSError {
        let text = unsafe String(cString: natsStatus_GetText(status))
        switch status {
        case NATS_NO_SERVER, NATS_IO_ERROR, NATS_STALE_CONNECTION: return .unreachable(context)
        case NATS_ADDRESS_MISSING: return .invalidAddress(context)
        case NATS_CONNECTION_AUTH_FAILED: return .authenticationFailed(context)
        case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_WANTED, NATS_SECURE_CONNECTION_REQUIRED:
            return .tls("\(context): \(text)")
        case NATS_CONNECTION_CLOSED, NATS_INVALID_SUBSCRIPTION, NATS_DRAINING: return .closed
        case NATS_INSUFFICIENT_BUFFER, NATS_CONNECTION_DISCONNECTED: return .disconnected
        case NATS_NOT_PERMITTED: return .notPermitted(context)
        case NATS_INVALID_SUBJECT: return .invalidSubject(context, reason: text)
        case NATS_TIMEOUT: return .timedOut(context)
        default: return .library(status: Int(status.rawValue), "\(text): \(context)")
        }
    }
}
#endif
