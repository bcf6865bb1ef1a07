import Corinth
import CorinthServices
import CorinthTesting
import Dispatch
import ExampleSupport

// Jobs of several tenants. Two run at once, the most urgent first; four wait, and the least urgent ones are refused, so that their
// tenants come again later. Each job has a connection to the store of its own. While the store is down, no job calls it.

struct Job: Sendable {
    let name: String
    let priority: Int
    let seconds: Int
}

enum JobError: Error, Equatable {
    case refused
    case storeIsDown
    case storeIsAvoided
}

/// A store with connections, which is down for a while.
final class Store: Sendable {
    let clock: TestScheduler
    private let counts = Atomic((open: 0, most: 0, failures: 0))
    private let isDown = Atomic(false)

    var counted: (open: Int, most: Int, failures: Int) { counts.value }

    init(_ clock: TestScheduler) {
        self.clock = clock
        clock.schedule(after: .seconds(20)) { [isDown] in isDown.value = true }
        clock.schedule(after: .seconds(30)) { [isDown] in isDown.value = false }
    }

    /// Does the work of a job with a connection, which takes half a second to close.
    func work(_ job: Job) -> SignalProducer<String, JobError> {
        .using(connection()) { [self] _ in
            isDown.value
                ? SignalProducer(error: .storeIsDown).delaySubscription(1, on: clock)
                : SignalProducer(value: job.name).delaySubscription(.seconds(job.seconds), on: clock)
        } release: { [self] _ in
            SignalProducer<Void, Never>.empty.delaySubscription(.milliseconds(500), on: clock)
                .on(terminated: { [counts] in counts.modify { $0.open -= 1 } })
        }
        .on(failed: { [counts] _ in counts.modify { $0.failures += 1 } })
    }

    private func connection() -> SignalProducer<Int, JobError> {
        SignalProducer { [counts] in
            counts.modify {
                $0.open += 1
                $0.most = max($0.most, $0.open)
                return $0.open
            }
        }
    }
}

@main
enum JobScheduler {
    static func main() {
        let clock = TestScheduler()
        let transcript = Transcript(clock)
        let store = Store(clock)
        let workers = Bulkhead(limit: 2, waiting: 4)
        let breaker = CircuitBreaker(opensAfter: .inARow(2), for: .constant(.seconds(4)), on: clock)
        breaker.phase.signal.observeValues { transcript("the store's breaker is \($0)") }

        // A tenant that is refused comes again in three seconds, three times at most; one whose job has failed, in five.
        let again = Retry<JobError>.constant(.seconds(3)).limited(to: 3).when { $0 == .refused }
        let afterFailure = Retry<JobError>.constant(.seconds(5)).limited(to: 4).when { $0 != .refused }

        let (jobs, submit) = Signal<Job, Never>.pipe()
        let ended = Atomic((done: 0, given: 0))
        jobs.flatMap(.merge) { job in
            store.work(job)
                .guarded(by: breaker, raising: .storeIsAvoided, isFailure: { $0 == .storeIsDown })
                .limited(by: workers, priority: job.priority, raising: .refused)
                .on(failed: { transcript("\(job.name): \($0)") })
                .retry(again, on: clock)
                .retry(afterFailure, on: clock)
                .materializeResults()
        }
        .observeValues { result in
            switch result {
            case .success(let name):
                ended.modify { $0.done += 1 }
                transcript("\(name) is done")
            case .failure(let error):
                ended.modify { $0.given += 1 }
                transcript("a job is given up: \(error)")
            }
        }

        // Eight reports at once, then an invoice, which is urgent; more jobs while the store is down.
        for number in 1...8 { submit.send(value: Job(name: "report \(number)", priority: 0, seconds: 2)) }
        clock.schedule(after: .seconds(1)) { submit.send(value: Job(name: "invoice", priority: 9, seconds: 1)) }
        for second in 21...24 {
            clock.schedule(after: .seconds(second)) {
                submit.send(value: Job(name: "order \(second)", priority: 5, seconds: 1))
            }
        }
        clock.advance(by: .seconds(120))

        transcript.check("jobs done", ended.value.done, is: 13 - ended.value.given)
        transcript.check("connections at once, at most", store.counted.most, is: 2)
        transcript.check("connections left open", store.counted.open, is: 0)
        transcript.check("jobs that run or wait", workers.load.value, is: .init(running: 0, waiting: 0))
        transcript.check("calls that failed while the store was down", store.counted.failures, is: 4)
        transcript.check("actions that still wait", clock.pendingCount, is: 0)
    }
}
