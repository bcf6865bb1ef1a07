#if NATS
internal import CNATS
public import Foundation

/// A message that has arrived.
///
/// It owns the memory that libnats has received it in, and hands it out without a copy. The memory is freed with the last
/// reference to the message or to its ``data``.
///
/// ## Concurrency
/// Immutable. Any thread may read it.
@safe
public final class NATSMessage: ContiguousBytes, @unchecked Sendable {  // Headers are read with a lock held.
    /// libnats reads headers lazily, and changes the message.
    private static let headersLock = NSLock()

    let message: OpaquePointer

    /// Takes ownership of a message of libnats.
    init(_ message: OpaquePointer) {
        unsafe self.message = unsafe message
    }

    deinit { unsafe natsMsg_Destroy(message) }

    /// The subject that it was published to.
    public var subject: String { unsafe String(cString: natsMsg_GetSubject(message)) }

    /// The subject for a reply. nil if none is expected.
    public var replySubject: String? { unsafe natsMsg_GetReply(message).map { unsafe String(cString: $0) } }

    /// The number of bytes of its payload.
    public var count: Int { Int(unsafe natsMsg_GetDataLength(message)) }

    /// Passes the payload to a closure, without a copy.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(bytes)
    }

    private var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: count)
    }

    /// The payload, without a copy unless it is small.
    ///
    /// - Complexity: O(1), two allocations.
    public var data: Data {
        if count <= 64 { return unsafe Data(bytes) }
        let start = unsafe UnsafeMutableRawPointer(mutating: natsMsg_GetData(message)!)
        let keepsMessage = unsafe Data.Deallocator.custom { _, _ in withExtendedLifetime(self) {} }
        return unsafe Data(bytesNoCopy: start, count: count, deallocator: keepsMessage)
    }

    /// A copy of the headers.
    ///
    /// - Complexity: O(headers), two allocations for each.
    public var headers: NATSHeaders {
        NATSMessage.headersLock.withLock {
            var result = NATSHeaders()
            var names: UnsafeMutablePointer<UnsafePointer<CChar>?>?
            var count: Int32 = 0
            guard unsafe natsMsgHeader_Keys(message, &names, &count) == NATS_OK else { return result }
            defer { unsafe free(names) }
            for index in 0..<Int(count) {
                guard let name = unsafe names?[index] else { continue }
                var values: UnsafeMutablePointer<UnsafePointer<CChar>?>?
                var valueCount: Int32 = 0
                guard unsafe natsMsgHeader_Values(message, name, &values, &valueCount) == NATS_OK else { continue }
                defer { unsafe free(values) }
                for valueIndex in 0..<Int(valueCount) {
                    let value = unsafe values?[valueIndex].map { unsafe String(cString: $0) } ?? ""
                    result.fields.append(NATSHeaders.Field(name: unsafe String(cString: name), value: value))
                }
            }
            return result
        }
    }

    /// The first value of a header. nil if there is none.
    ///
    /// - Complexity: O(1) for a message without headers.
    public func header(_ name: String) -> String? {
        NATSMessage.headersLock.withLock {
            var value: UnsafePointer<CChar>?
            guard unsafe natsMsgHeader_Get(message, name, &value) == NATS_OK else { return nil }
            return unsafe value.map { unsafe String(cString: $0) }
        }
    }

    /// Passes what follows a prefix in the subject, as a C string. Does nothing if the subject has another beginning.
    func withSubject(without prefix: String, _ body: (UnsafePointer<UInt8>) -> Void) {
        let count = prefix.utf8.count
        guard let subject = unsafe natsMsg_GetSubject(message), unsafe strncmp(subject, prefix, count) == 0 else {
            return
        }
        unsafe subject.withMemoryRebound(to: UInt8.self, capacity: strlen(subject) + 1) { unsafe body($0 + count) }
    }

    /// Whether a reply is expected.
    var hasReply: Bool { unsafe natsMsg_GetReply(message) != nil }

    /// Whether the server says with this message that nobody has subscribed to the subject of a request.
    var isNoResponders: Bool {
        count == 0 && NATSMessage.headersLock.withLock { unsafe natsMsg_IsNoResponders(message) }
    }
}
#endif
