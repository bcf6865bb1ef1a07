import Foundation

#if canImport(Glibc)
    import Glibc
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
    private let noSignal = Int32(MSG_NOSIGNAL)
#else
    import Darwin
    private let streamSocket = SOCK_STREAM
    private let noSignal: Int32 = 0
#endif

/// A socket on loopback. Its calls may block, so threads and queues call them, and no task of the pool.
final class Socket: Sendable {
    struct Failure: Error { let call: String }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    enum Direction { case reading, both }

    /// Ends the blocking calls of other threads.
    func shutDown(_ direction: Direction) {
        _ = shutdown(descriptor, direction == .reading ? Int32(SHUT_RD) : Int32(SHUT_RDWR))
    }

    /// A socket that listens on a port that the system has chosen.
    static func listening() throws(Failure) -> (socket: Socket, port: UInt16) {
        let descriptor = socket(AF_INET, streamSocket, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        let result = Socket(descriptor)
        guard unsafe Socket.with(port: 0, { address, size in unsafe bind(descriptor, address, size) }) == 0,
            listen(descriptor, 16) == 0
        else { throw Failure(call: "bind") }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isNamed else { throw Failure(call: "getsockname") }
        return (result, UInt16(bigEndian: address.sin_port))
    }

    static func connected(to port: UInt16) throws(Failure) -> Socket {
        let descriptor = socket(AF_INET, streamSocket, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        let result = Socket(descriptor)
        guard unsafe Socket.with(port: port, { address, size in unsafe connect(descriptor, address, size) }) == 0
        else { throw Failure(call: "connect") }
        return result
    }

    /// Blocks until there is a connection; nil after `shutDown(.both)`.
    func blockingAccept() -> Socket? {
        let connection = accept(descriptor, nil, nil)
        return connection >= 0 ? Socket(connection) : nil
    }

    /// Blocks until there are bytes; nil at the end.
    func blockingRead() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Blocks until the system has taken the line.
    func blockingWrite(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, noSignal) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func with(
        port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
