#if NATS
public import Corinth
public import Foundation

extension NATSConnection {
    /// Publishes a message.
    ///
    /// It is in libnats's buffer when the call returns, and is sent in the background. ``flush(within:)`` tells when the server
    /// has it. While the connection is interrupted, messages are buffered, up to
    /// ``NATSOptions/Reconnection-swift.struct/bufferSize`` bytes.
    ///
    /// - Parameters:
    ///   - payload: `Data`, `[UInt8]`, another message, or anything else whose bytes are contiguous.
    ///   - subject: The subject, without wildcards.
    ///   - headers: The headers.
    ///   - replySubject: Where a reply is expected. nil for none.
    /// - Throws: ``NATSError/invalidSubject(_:reason:)``, ``NATSError/invalidHeader(_:)``,
    ///   ``NATSError/messageTooLarge(size:limit:)``, ``NATSError/notYetConnected``, ``NATSError/disconnected`` if the
    ///   buffer is full, ``NATSError/timedOut(_:)`` if the server reads nothing, ``NATSError/closed`` or the reason why the
    ///   connection has closed.
    /// - Complexity: One copy of the payload.
    /// ## Concurrency
    /// Waits if the server doesn't read: at most for ``NATSOptions/writeDeadline``.
    public func publish(
        _ payload: some ContiguousBytes, to subject: String, headers: NATSHeaders = [:],
        replyTo replySubject: String? = nil
    ) throws(NATSError) {
        let reply: SubjectName?
        if let replySubject { reply = try SubjectName(publishing: replySubject) } else { reply = nil }
        try core.publish(payload, to: SubjectName(publishing: subject), headers, reply: reply)
    }

    /// A binding target that publishes each value.
    ///
    /// ```swift
    /// try connection.publisher(to: "prices") <~ prices.map { Data($0.utf8) }
    /// ```
    ///
    /// A value that can't be published is dropped, and ``failures`` reports why. The binding ends when the connection closes.
    ///
    /// - Parameters:
    ///   - subject: The subject, without wildcards.
    ///   - headers: The headers of each message.
    /// - Throws: ``NATSError/invalidSubject(_:reason:)``, ``NATSError/invalidHeader(_:)``.
    /// - Complexity: As ``publish(_:to:headers:replyTo:)``, without an allocation here.
    public func publisher(
        to subject: String, headers: NATSHeaders = [:]
    ) throws(NATSError) -> BindingTarget<Data> {
        try headers.check()
        let name = try SubjectName(publishing: subject)
        return target { core, payload throws(NATSError) in try core.publish(payload, to: name, headers, reply: nil) }
    }

    /// A binding target whose lifetime is the connection's, and that reports failures.
    func target<Value>(
        _ publish: @escaping @Sendable (ConnectionCore, Value) throws(NATSError) -> Void
    ) -> BindingTarget<Value> {
        let core = core
        return BindingTarget(lifetime: core.lifetime) { value in
            do throws(NATSError) {
                try publish(core, value)
            } catch {
                core.report(error)
            }
        }
    }
}

extension ConnectionCore {
    func publish(
        _ payload: some ContiguousBytes, to subject: SubjectName, _ headers: NATSHeaders, reply: SubjectName?
    ) throws(NATSError) {
        var failure: NATSError?
        unsafe payload.withUnsafeBytes { bytes in
            do throws(NATSError) {
                unsafe try publish(subject.pointer, reply: reply?.pointer, headers, bytes)
            } catch {
                failure = error
            }
        }
        withExtendedLifetime((subject, reply)) {}
        if let failure { throw failure }
    }
}
#endif
