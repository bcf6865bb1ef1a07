import Corinth
import CorinthServices
import Foundation
import Testing

/// Two connected descriptors that tests close, each once. A call on either never blocks a thread.
final class ConnectedEnds: Sendable {
    /// What is written here can be read at the other one.
    let writing: Int32
    let reading: Int32

    private let isWritingOpen = Atomic(true)
    private let isReadingOpen = Atomic(true)

    init(writing: Int32, reading: Int32) {
        (self.writing, self.reading) = (writing, reading)
        for end in [writing, reading] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    deinit {
        closeWriting()
        closeReading()
    }

    func closeWriting() { if isWritingOpen.swap(false) { close(writing) } }

    func closeReading() { if isReadingOpen.swap(false) { close(reading) } }

    static func ofPipe() -> ConnectedEnds {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe pipe(&ends) == 0)
        return ConnectedEnds(writing: ends[1], reading: ends[0])
    }

    static func ofSocketPair() -> ConnectedEnds {
        var ends: [Int32] = [-1, -1]
        #expect(unsafe socketpair(AF_UNIX, streamType, 0, &ends) == 0)
        return ConnectedEnds(writing: ends[1], reading: ends[0])
    }

    /// A connection over the loopback device.
    static func ofTCP() -> ConnectedEnds {
        let listener = socket(AF_INET, streamType, 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let client = socket(AF_INET, streamType, 0)
        unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #expect(unsafe bind(listener, address, size) == 0)
                #expect(listen(listener, 1) == 0)
                #expect(unsafe getsockname(listener, address, &size) == 0)
                // The kernel completes it before `accept`.
                #expect(unsafe connect(client, address, size) == 0)
            }
        }
        return ConnectedEnds(writing: client, reading: accept(listener, nil, nil))
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    /// Writes all bytes, or as many as there is room for, and returns their number; -1 for an error.
    func write(_ bytes: [UInt8]) -> Int {
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Foundation.send(writing, $0.baseAddress!, $0.count, noSignal)
        }
        if count >= 0 || errno != ENOTSOCK { return count }
        return unsafe bytes.withUnsafeBytes { unsafe Foundation.write(writing, $0.baseAddress!, $0.count) }
    }

    private var noSignal: Int32 {
        #if canImport(Darwin)
            0
        #else
            Int32(MSG_NOSIGNAL)
        #endif
    }

    /// Writes all bytes, and waits for room.
    func writeAll(_ bytes: [UInt8]) async {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(rest)
            if count > 0 { rest.removeFirst(count) } else { await ByteTests.pause() }
        }
    }

    /// Writes until there is no room.
    func fill() -> [UInt8] {
        var written: [UInt8] = []
        while true {
            let count = write(ByteTests.block)
            if count <= 0 { return written }
            written += ByteTests.block[..<count]
        }
    }

    /// What can be read at once; nil at the end.
    func read(upTo limit: Int = 65_536) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Foundation.read(reading, $0.baseAddress!, $0.count) }
        if count == 0 { return nil }
        return count < 0 ? [] : Array(bytes[..<count])
    }

    /// Reads to the end.
    func readAll() async -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = read() {
            if bytes.isEmpty { await ByteTests.pause() }
            all += bytes
        }
        return all
    }

    /// Whether no other descriptor of the reading end is open. Nothing may wait to be read.
    var hasNoReader: Bool {
        var polled = pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&polled, 1, 0)
        return polled.revents & Int16(POLLERR | POLLHUP) != 0
    }
}

/// A file that is removed with this.
final class ByteFile: Sendable {
    let path: String

    init(_ bytes: [UInt8] = []) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var bytes: [UInt8] { (FileManager.default.contents(atPath: path)).map { Array($0) } ?? [] }

    func opened(_ flags: Int32) throws(SystemError) -> Int32 { try SystemError.check("open", unsafe open(path, flags)) }
}

enum ByteTests {
    static func pause() async { try? await Task.sleep(for: .milliseconds(1)) }

    /// No two regions of it are equal.
    static let block: [UInt8] = {
        var state: UInt64 = 88_172_645_463_325_252
        return (0..<10_007).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
    }()

    static func noise(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    static func chunks(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    /// How often longer eight times the bytes take, up to a megabyte, in the time of this thread: 8 is linear, and 64 quadratic.
    static func growth(_ work: (_ count: Int) -> Void) -> Double {
        func time(_ count: Int) -> Double {
            var (before, after) = (timespec(), timespec())
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
            work(count)
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
            return Double(after.tv_sec - before.tv_sec) + Double(after.tv_nsec - before.tv_nsec) / 1e9
        }
        return time(1 << 20) / time(1 << 17)
    }
}
