import Synchronization

/// Counts live objects, in order to detect leaks.
final class LeakCounter: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    /// Returns an object that is counted for as long as it is alive.
    func token() -> Token { Token(self) }

    final class Token: Sendable {
        private let leaks: LeakCounter

        fileprivate init(_ leaks: LeakCounter) {
            self.leaks = leaks
            leaks.number.add(1, ordering: .sequentiallyConsistent)
        }

        deinit { leaks.number.subtract(1, ordering: .sequentiallyConsistent) }

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
