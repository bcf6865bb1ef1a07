#if Exploration
    import CTestSupport

    /// What the threads of an execution share for the test's own sake. They run one at a time, so nothing orders these accesses, and
    /// they aren't recorded.
    final class Unrecorded<Value>: @unchecked Sendable {  // Controlled threads run one at a time.
        private var value: Value

        init(_ value: Value) { self.value = value }

        /// - Parameter body: Without an atomic operation, at which another thread could go on.
        func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
            test_accesses_ignore(true)
            defer { test_accesses_ignore(false) }
            return body(&value)
        }
    }
#endif
