import Foundation

/// How long tests wait for what comes at once, unless something is wrong. Then the process ends with a message that says what
/// is missing: a thread that hangs can't be taken back, and has its hands on the test's own memory.
enum WaitLimit {
    /// Half of what `Tests/run` allows a test that says nothing, and as long as the longest stress test.
    static let seconds: Double = {
        let environment = ProcessInfo.processInfo.environment
        let ofTest = environment["CORINTH_TEST_SECONDS"].flatMap(Double.init) ?? 120
        return ofTest * (isSanitized ? 4 : 1) / 2 + Stress.seconds
    }()

    /// Whether this is a build with thread sanitizer, in which everything takes longer: `Tests/run` says so.
    static let isSanitized = ProcessInfo.processInfo.environment["CORINTH_SANITIZED"] != nil

    /// Ends the process.
    ///
    /// - Parameter missing: What has not come, such as `thread 2 of 4 has not ended`.
    static func exceeded(_ missing: String) -> Never {
        fatalError("after \(seconds.formatted()) s, \(missing)")
    }
}

extension DispatchSemaphore {
    /// Waits, but not for ever.
    ///
    /// - Parameter missing: What has not come, if it doesn't.
    func wait(orElse missing: @autoclosure () -> String) {
        if wait(timeout: .now() + WaitLimit.seconds) == .timedOut { WaitLimit.exceeded(missing()) }
    }
}
