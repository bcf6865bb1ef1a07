import CTestSupport

/// Streams that are nested so deeply that a thread of the naive build holds very many locks.
///
/// In that build, each stage has its own locks, and a delivery holds those of all stages at once: the build exists to
/// demonstrate that. Thread sanitizer detects lock-order inversions, which is useful for all other tests, but supports at most
/// 128 locks held by a thread: with one more it stops the process, and then hangs. On Linux, the naive build's tests stop without
/// a sanitizer, too, unless the locks are held inside a call of one of these functions.
enum Nesting {
    /// As many stages as thread sanitizer supports in the naive build.
    static let mostSupported = 100

    /// Runs `body` with as many stages, or with as many as the build supports.
    static func deep<Result>(_ stages: Int, _ body: (_ stages: Int) async -> Result) async -> Result {
        test_begin_many_locks()
        defer { test_end_many_locks() }
        return await body(supported(stages))
    }

    /// The same for a body that doesn't suspend.
    static func deep<Result>(_ stages: Int, _ body: (_ stages: Int) -> Result) -> Result {
        test_begin_many_locks()
        defer { test_end_many_locks() }
        return body(supported(stages))
    }

    private static func supported(_ stages: Int) -> Int {
        #if NaiveLocks
            test_has_thread_sanitizer() ? min(stages, mostSupported) : stages
        #else
            stages
        #endif
    }
}
