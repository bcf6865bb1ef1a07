import CTestSupport
import Dispatch
import Testing

/// A pool of one thread, on which all tasks run that have no executor of their own, and all actors. A bridge that blocks this
/// thread stops every other task, and the test fails.
enum PoolOfOne {
    /// Runs tasks on the pool, until all have ended. Blocks the calling thread, which doesn't belong to the pool.
    static func run(_ bodies: [@Sendable () async -> Void], at place: SourceLocation = #_sourceLocation) {
        guard test_begin_pool_of_one() else {
            Issue.record("the pool of tasks can't be replaced", sourceLocation: place)
            return
        }
        let (ended, elsewhere) = (Counter(), Counter())
        let over = DispatchSemaphore(value: 0)
        let before = test_pool_of_one_jobs()
        for body in bodies {
            Task.detached {
                if !test_is_pool_of_one() { elsewhere.increment() }
                await body()
                if ended.increment() == bodies.count { over.signal() }
            }
        }
        over.wait(orElse: "of \(bodies.count) tasks on a pool of one thread, only \(ended.value) have ended")
        test_end_pool_of_one()
        #expect(elsewhere.value == 0, "tasks began on another thread", sourceLocation: place)
        #expect(test_pool_of_one_jobs() - before >= bodies.count, sourceLocation: place)
    }
}
