import Foundation

/// How long tests wait for something that comes at once if nothing is wrong. After that the process ends with a message that
/// says what is missing. A hanging thread can't be stopped, and it uses the test's memory.
enum WaitLimit {
    /// Half of the time that `Tests/run` allows a silent test, and the duration of the longest stress test.
    static let seconds: Double = {
        let environment = ProcessInfo.processInfo.environment
        let ofTest = environment["CORINTH_TEST_SECONDS"].flatMap(Double.init) ?? 120
        return ofTest * (isSanitized ? 4 : 1) / 2 + Stress.seconds
    }()

    /// Whether this build uses thread sanitizer, which makes everything slower. `Tests/run` sets the variable.
    static let isSanitized = ProcessInfo.processInfo.environment["CORINTH_SANITIZED"] != nil

    /// Ends the process.
    ///
    /// - Parameter missing: What is missing, such as `thread 2 of 4 has not ended`.
    static func exceeded(_ missing: String) -> Never {
        fatalError("after \(seconds.formatted()) s, \(missing)")
    }
}

extension DispatchSemaphore {
    /// Waits, but not forever.
    ///
    /// - Parameter missing: What is missing when the time is up.
    func wait(orElse missing: @autoclosure () -> String) {
        if wait(timeout: .now() + WaitLimit.seconds) == .timedOut { WaitLimit.exceeded(missing()) }
    }
}
