import Dispatch
import Foundation
import Synchronization

/// A side that is a closure.
final class ClosureScenario: Scenario {
    private let body: (_ events: Int) throws -> Void
    /// What the last run has thrown.
    private var failure: (any Error)?

    init(_ body: @escaping (_ events: Int) throws -> Void) {
        self.body = body
    }

    func run(events: Int) {
        do { try body(events) } catch { failure = error }
    }

    func verify() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }
}

/// Asynchronous work that a thread waits for.
enum AsynchronousWork {
    /// Runs `body` in a task of its own and returns at its end.
    ///
    /// The main thread goes on to serve the main actor meanwhile, which `body` may need.
    ///
    /// - Throws: What `body` throws.
    static func wait(for body: @escaping @Sendable () async throws -> Void) throws {
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        let isMain = Thread.isMainThread
        Task.detached {
            let result: Result<Void, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
            // Something for the main thread to do, so that it looks.
            if isMain { DispatchQueue.main.async {} } else { ended.signal() }
        }
        if isMain {
            while outcome.withLock({ $0 == nil }) { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        } else {
            ended.wait()
        }
        try outcome.withLock { $0 }?.get()
    }
}
