import Corinth
import CorinthServices
import CorinthTesting
import Dispatch
import Foundation
import Testing

struct CircuitBreakerTests {
    private static func breaker(
        _ threshold: CircuitBreaker.Threshold = .inARow(2), trials: Int = 1,
        on scheduler: TestScheduler = TestScheduler()
    ) -> CircuitBreaker {
        CircuitBreaker(
            opensAfter: threshold, for: .exponential(from: 10, factor: 2, upTo: 30, jitter: 0), trials: trials,
            on: scheduler)
    }

    private static func make(_ outcomes: [CircuitBreaker.Call.Outcome], with breaker: CircuitBreaker) {
        for outcome in outcomes { breaker.call()?.end(outcome) }
    }

    @Test func `It opens after failures in a row`() {
        let breaker = Self.breaker(.inARow(3))
        Self.make([.failed, .failed, .succeeded, .failed, .failed], with: breaker)
        #expect(breaker.phase.value == .closed)
        Self.make([.failed], with: breaker)
        #expect(breaker.phase.value == .open)
        #expect(breaker.call() == nil)
    }

    @Test func `It opens after a share of the last calls, when there are so many`() {
        let breaker = Self.breaker(.share(0.5, ofLast: 4))
        Self.make([.failed, .failed, .failed], with: breaker)
        #expect(breaker.phase.value == .closed)
        let other = Self.breaker(.share(0.5, ofLast: 4))
        Self.make([.failed, .succeeded, .succeeded, .succeeded, .failed], with: other)
        #expect(other.phase.value == .closed)
        Self.make([.failed], with: other)
        #expect(other.phase.value == .open)
        Self.make([.succeeded], with: breaker)
        #expect(breaker.phase.value == .open)
    }

    @Test func `It opens with the failure that makes the share, and not before`() {
        for (calls, failures) in (1...100).flatMap({ calls in (1...calls).map { (calls, $0) } }) {
            let breaker = Self.breaker(.share(Double(failures) / Double(calls), ofLast: calls))
            Self.make(Array(repeating: .succeeded, count: calls), with: breaker)
            Self.make(Array(repeating: .failed, count: failures - 1), with: breaker)
            #expect(breaker.phase.value == .closed, "\(failures) of \(calls)")
            Self.make([.failed], with: breaker)
            #expect(breaker.phase.value == .open, "\(failures) of \(calls)")
        }
    }

    @Test func `After the pause a trial closes it, or opens it for longer`() {
        let scheduler = TestScheduler()
        let breaker = Self.breaker(on: scheduler)
        Self.make([.failed, .failed], with: breaker)
        for pause in [10.0, 20, 30, 30] {
            scheduler.advance(by: pause - 0.5)
            #expect(breaker.phase.value == .open)
            scheduler.advance(by: 0.5)
            #expect(breaker.phase.value == .halfOpen)
            let trial = breaker.call()
            #expect(breaker.call() == nil)
            trial?.end(.failed)
        }
        scheduler.advance(by: 30)
        Self.make([.succeeded], with: breaker)
        #expect(breaker.phase.value == .closed)
        // The failures before are forgotten, and so is the growth of the pause.
        Self.make([.failed], with: breaker)
        #expect(breaker.phase.value == .closed)
        Self.make([.failed], with: breaker)
        scheduler.advance(by: 10)
        #expect(breaker.phase.value == .halfOpen)
    }

    @Test func `All trials must succeed`() {
        let scheduler = TestScheduler()
        let breaker = Self.breaker(trials: 3, on: scheduler)
        Self.make([.failed, .failed], with: breaker)
        scheduler.advance(by: 10)
        let trials = (0..<3).map { _ in breaker.call() }
        #expect(trials.allSatisfy { $0 != nil } && breaker.call() == nil)
        trials[0]?.end(.succeeded)
        trials[1]?.end(.succeeded)
        #expect(breaker.phase.value == .halfOpen && breaker.call() == nil)
        trials[2]?.end(.succeeded)
        #expect(breaker.phase.value == .closed)
    }

    @Test func `A trial without an outcome makes room for another one`() {
        let scheduler = TestScheduler()
        let breaker = Self.breaker(on: scheduler)
        Self.make([.failed, .failed], with: breaker)
        scheduler.advance(by: 10)
        do {
            let lost = breaker.call()
            #expect(lost != nil)
        }
        let trial = breaker.call()
        #expect(trial != nil)
        trial?.end(.succeeded)
        trial?.end(.failed)
        #expect(breaker.phase.value == .closed)
    }

    @Test func `Ends of calls from an earlier phase don't count`() {
        let scheduler = TestScheduler()
        let breaker = Self.breaker(on: scheduler)
        let late = (0..<3).map { _ in breaker.call() }
        Self.make([.failed, .failed], with: breaker)
        scheduler.advance(by: 10)
        late[0]?.end(.succeeded)
        late[1]?.end(.failed)
        #expect(breaker.phase.value == .halfOpen)
        Self.make([.succeeded], with: breaker)
        late[2]?.end(.failed)
        Self.make([.failed], with: breaker)
        #expect(breaker.phase.value == .closed)
    }

    @Test func `Producers are counted by their end`() {
        let breaker = Self.breaker()
        func end(_ producer: SignalProducer<Int, ServiceError>) -> Result<Int, ServiceError>? {
            producer.guarded(by: breaker, raising: .refused, isFailure: { $0 == .broken }).first()
        }
        #expect(end(.init(error: .broken)) == .failure(.broken))
        // Not the service's fault: a success.
        #expect(end(.init(error: .refused)) == .failure(.refused))
        #expect(end(.init(error: .broken)) == .failure(.broken))
        // first() disposes of the start: neither.
        #expect(end(SignalProducer(values: 1, 2)) == .success(1))
        #expect(end(.init(error: .broken)) == .failure(.broken))
        #expect(breaker.phase.value == .open)
        #expect(end(.init(value: 1)) == .failure(.refused))
    }

    @Test func `Functions are counted by their end`() async throws {
        let breaker = Self.breaker()
        #expect(try await breaker.run { 1 } == 1)
        for _ in 0..<3 {
            await #expect(throws: CancellationError.self) { try await breaker.run { throw CancellationError() } }
        }
        for _ in 0..<2 {
            await #expect(throws: ServiceError.broken) { try await breaker.run { throw ServiceError.broken } }
        }
        await #expect(throws: CircuitBreaker.Refused.self) { try await breaker.run { 1 } }
    }

    @Test func `Its phases are observed in their order, and a breaker that is released leaves no timer`() {
        let scheduler = TestScheduler()
        var breaker: CircuitBreaker? = Self.breaker(on: scheduler)
        let phases = Atomic<[CircuitBreaker.Phase]>([])
        breaker?.phase.producer.startWithValues { phase in phases.modify { $0.append(phase) } }
        if let breaker {
            Self.make([.failed, .failed], with: breaker)
            scheduler.advance(by: 10)
            Self.make([.failed], with: breaker)
        }
        #expect(phases.value == [.closed, .open, .halfOpen, .open])
        #expect(scheduler.pendingCount == 1)
        breaker = nil
        #expect(scheduler.pendingCount == 0)
    }

    /// The pause is over, and a trial has failed, before the thread that has opened the breaker knows of the timer of that pause.
    @Test func `A thread that comes late doesn't end the pause of a later opening`() {
        let scheduler = ScheduledInside()
        let breaker = CircuitBreaker(opensAfter: .inARow(1), for: .constant(10), on: scheduler)
        scheduler.inside.value = { breaker.call()?.end(.failed) }
        breaker.call()?.end(.failed)
        #expect(breaker.phase.value == .open)
        scheduler.inner.advance(by: 10)
        #expect(breaker.phase.value == .halfOpen)
    }

    /// Threads fail and succeed at random; each opening has one pause, and the breaker never stays half open without a trial.
    @Test func `No thread leaves it half open for ever`() {
        let queue = QueueScheduler(name: "breaker")
        let breaker = CircuitBreaker(opensAfter: .inARow(3), for: .constant(.microseconds(100)), trials: 2, on: queue)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var dice = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<20_000 {
                guard let call = breaker.call() else { continue }
                switch Int.random(in: 0..<4, using: &dice) {
                case 0, 1: call.end(.failed)
                case 2: call.end(.succeeded)
                default: break
                }
            }
        }
        while breaker.phase.value != .closed { breaker.call()?.end(.succeeded) }
        #expect(breaker.call() != nil)
    }
}

/// Runs the first action that is scheduled for later, and then a closure, before it returns the timer.
private final class ScheduledInside: DateScheduler {
    let inner = TestScheduler()
    let inside = Atomic<(@Sendable () -> Void)?>(nil)

    var currentDate: Date { inner.currentDate }

    func schedule(_ action: sending @escaping () -> Void) -> (any Disposable)? { inner.schedule(action) }

    func schedule(after date: Date, action: sending @escaping () -> Void) -> (any Disposable)? {
        let timer = inner.schedule(after: date, action: action)
        if let inside = inside.swap(nil) {
            inner.advance(to: date)
            inside()
        }
        return timer
    }

    func schedule(
        after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
        action: sending @escaping () -> Void
    ) -> (any Disposable)? {
        inner.schedule(after: date, interval: interval, leeway: leeway, action: action)
    }
}
