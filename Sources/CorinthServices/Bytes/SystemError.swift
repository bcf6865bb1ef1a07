#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A call of the system that failed.
///
/// ```swift
/// print(SystemError("read", code: ECONNRESET))  // prints read: Connection reset by peer (104)
/// ```
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the call, such as `read`.
    public let call: String

    /// What the call left in `errno`, such as `ECONNRESET`.
    public let code: Int32

    /// Creates the error of a call.
    public init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The name of the call, the system's text for the code, and the code.
    public var description: String {
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            unsafe buffer.initialize(repeating: 0)
            let start = buffer.baseAddress!
            _ = unsafe strerror_r(code, start, buffer.count)
            return unsafe String(cString: start)
        }
        return "\(call): \(text) (\(code))"
    }

    /// Passes on what a call returned, or throws the error of that call if it is negative.
    ///
    /// ```swift
    /// let descriptor = try SystemError.check("open", open(path, O_RDONLY | O_CLOEXEC))
    /// ```
    ///
    /// - Parameters:
    ///   - call: The name of the call.
    ///   - result: What it returned. Write the call itself here: what runs in between may change `errno`.
    @discardableResult
    public static func check<Result: SignedInteger>(_ call: String, _ result: Result) throws(SystemError) -> Result {
        if result < 0 { throw SystemError(call, code: errno) }
        return result
    }
}
