import Foundation

/// Counts live objects, in order to detect leaks.
final class LeakCounter: @unchecked Sendable {  // The lock guards the count.
    private let lock = NSLock()
    private var number = 0

    var count: Int { lock.withLock { number } }

    /// Returns an object that is counted for as long as it is alive.
    func token() -> Token { Token(self) }

    final class Token: Sendable {
        private let leaks: LeakCounter

        fileprivate init(_ leaks: LeakCounter) {
            self.leaks = leaks
            leaks.lock.withLock { leaks.number += 1 }
        }

        deinit { leaks.lock.withLock { leaks.number -= 1 } }

        /// Does nothing. A closure calls it to capture the token.
        func touch() {}
    }
}

/// Holds a reference that threads hand over, or that a test releases at a chosen moment.
final class Holder<Value>: @unchecked Sendable {  // One thread at a time uses it; the test ensures that.
    private var value: Value?

    init(_ value: Value) {
        self.value = value
    }

    /// The value. It must not have been released.
    var held: Value {
        get {
            guard let value else { preconditionFailure("the reference was already released") }
            return value
        }
        set { value = newValue }
    }

    func release() { value = nil }
}
