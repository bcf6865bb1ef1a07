#if NATS
internal import Foundation

/// A value with a lock. Thread sanitizer sees this lock, but not that of `Mutex` in Swift 6.3.
///
/// No code of users and no call that waits runs while it is held.
final class Guarded<Value>: @unchecked Sendable {  // The lock guards the value.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
#endif
