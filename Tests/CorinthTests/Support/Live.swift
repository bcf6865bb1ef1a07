import Foundation

/// Counts objects that are alive, in order to find those that should not be.
final class Live: @unchecked Sendable {  // The lock guards the count.
    private let lock = NSLock()
    private var number = 0

    var count: Int { lock.withLock { number } }

    /// An object that is counted as long as somebody holds it.
    func token() -> Token { Token(self) }

    final class Token: Sendable {
        private let live: Live

        fileprivate init(_ live: Live) {
            self.live = live
            live.lock.withLock { live.number += 1 }
        }

        deinit { live.lock.withLock { live.number -= 1 } }

        /// Something to do with it, in a closure that is to hold it.
        func touch() {}
    }
}

/// Holds a value that threads hand to one another, or give up at a moment of the test's choice.
final class Holder<Value>: @unchecked Sendable {  // For one thread at a time, as the test sees to.
    private var value: Value?

    init(_ value: Value) {
        self.value = value
    }

    /// The value, which must not have been given up.
    var held: Value {
        get {
            guard let value else { preconditionFailure("the reference was given up") }
            return value
        }
        set { value = newValue }
    }

    func release() { value = nil }
}
