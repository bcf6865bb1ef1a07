#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The calls of the system on a descriptor that doesn't block.
struct Descriptor: Sendable {
    let number: Int32
    private let isSocket: Bool

    /// - Parameter number: A descriptor that belongs to this. It is closed if this throws.
    init(owning number: Int32) throws(SystemError) {
        do throws(SystemError) {
            let flags = try SystemError.check("fcntl", fcntl(number, F_GETFL))
            if flags & O_NONBLOCK == 0 { try SystemError.check("fcntl", fcntl(number, F_SETFL, flags | O_NONBLOCK)) }
            var status = stat()
            try SystemError.check("fstat", unsafe fstat(number, &status))
            isSocket = status.st_mode & S_IFMT == S_IFSOCK
        } catch {
            close(number)
            throw error
        }
        self.number = number
    }

    /// Makes a duplicate, which stays open when `number` is closed.
    static func duplicate(of number: Int32) throws(SystemError) -> Int32 {
        try SystemError.check("fcntl", fcntl(number, F_DUPFD_CLOEXEC, 0))
    }

    func release() { close(number) }

    /// Reads bytes: none at the end of a file or of a connection.
    ///
    /// - Returns: nil if there are none yet.
    func takeBytes(upTo capacity: Int) throws(SystemError) -> [UInt8]? {
        var result = Result<Int?, SystemError>.success(nil)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            let start = buffer.baseAddress!
            result = attempt("read") { unsafe read(number, start, capacity) }
            if case .success(let read?) = result { count = read }
        }
        guard let count = try result.get() else { return nil }
        // A few bytes that wait somewhere don't hold the memory of many.
        return count < capacity / 2 ? unsafe bytes.withUnsafeBufferPointer { unsafe [UInt8]($0) } : bytes
    }

    /// Writes bytes, from the one at `first` on. A peer that is gone is an error, and raises no signal.
    ///
    /// - Returns: How many were written. nil if none can be written yet.
    func putBytes(_ bytes: [UInt8], from first: Int) throws(SystemError) -> Int? {
        let result = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress! + first
            let count = bytes.count - first
            #if !canImport(Darwin)
                if isSocket { return attempt("send") { unsafe send(number, start, count, Int32(MSG_NOSIGNAL)) } }
            #endif
            return withoutBrokenPipeSignal { attempt("write") { unsafe write(number, start, count) } }
        }
        return try result.get()
    }
}

/// - Returns: nil if the call would have to wait.
private func attempt(_ call: String, _ body: () -> Int) -> Result<Int?, SystemError> {
    while true {
        let count = body()
        if count >= 0 { return .success(count) }
        let code = errno
        if code == EAGAIN || code == EWOULDBLOCK { return .success(nil) }
        if code != EINTR { return .failure(SystemError(call, code: code)) }
    }
}

/// Runs a write, and takes the signal back that it raises if nobody can read any more. Only the thread that writes gets that
/// signal, so it is blocked on this thread alone, and what the program does about signals stays as it is.
private func withoutBrokenPipeSignal(
    _ body: () -> Result<Int?, SystemError>
) -> Result<Int?, SystemError> {
    var (signals, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
    let result = body()
    if case .failure(let error) = result, error.code == EPIPE, unsafe sigismember(&before, SIGPIPE) == 0 {
        // It isn't pending if the program ignores it.
        unsafe sigpending(&pending)
        var signal: Int32 = 0
        if unsafe sigismember(&pending, SIGPIPE) == 1 { unsafe sigwait(&signals, &signal) }
    }
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    return result
}
