#if Exploration
    /// What the threads of an execution share for the test's own sake. They run one at a time, so nothing orders these accesses, and
    /// they aren't recorded.
    final class Unrecorded<Value>: @unchecked Sendable {  // Controlled threads run one at a time.
        private var value: Value

        init(_ value: Value) { self.value = value }

        func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
            guard let thread = ControlledThread.current else { return body(&value) }
            return thread.unrecorded { body(&value) }
        }
    }
#endif
