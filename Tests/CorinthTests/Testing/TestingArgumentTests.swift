import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// Arguments that the virtual clock and its recorders refuse, and their behaviour at the largest and smallest times.
struct TestingArgumentTests {
    // MARK: Refused

    /// ``RefusedArgumentTests`` tries them.
    static let refused: [Refusal] = [
        Refusal("startDate is nan s") { _ = TestScheduler(startDate: Date(timeIntervalSinceReferenceDate: .nan)) },
        Refusal("date is nan s") { TestScheduler().schedule(after: Date(timeIntervalSinceReferenceDate: .nan)) {} },
        Refusal("date is nan s") {
            TestScheduler().schedule(after: Date(timeIntervalSinceReferenceDate: .nan), interval: .seconds(1)) {}
        },
        Refusal("interval is -1.0 s") { TestScheduler().schedule(after: .seconds(1), interval: .seconds(-1)) {} },
        Refusal("start is -inf s") {
            TestScheduler()
                .record(Signal<Int, Never>.never, since: Date(timeIntervalSinceReferenceDate: -.infinity))
        },
        Refusal("interval is nan s") { TestScheduler().advance(by: .nan) },
        Refusal("interval is inf s") { TestScheduler().advance(by: .never) },
        Refusal("interval is inf s") { await TestScheduler().advance(by: TimeInterval.infinity) },
        Refusal("interval is -1.0 s") { TestScheduler().advance(by: .seconds(-1)) },
        Refusal("newDate is inf s") { TestScheduler().advance(to: Date(timeIntervalSinceReferenceDate: .infinity)) },
        Refusal("newDate is 1e+300 s before") {
            TestScheduler().advance(to: Date(timeIntervalSinceReferenceDate: -1e300))
        },
        Refusal("s before the current time") { TestScheduler().advance(to: .distantPast) },
        Refusal("interval is .never") { TestScheduler().rewind(by: .never) },
        Refusal("interval is -1.0 s") { TestScheduler().rewind(by: .seconds(-1)) },
        // A line can't show an event before its first step, and doesn't extend to centuries.
        Refusal("an event came -1.0 s after start") {
            let scheduler = TestScheduler()
            let recorder = scheduler.record(
                SignalProducer<Int, Never>(value: 1), since: scheduler.currentDate.addingTimeInterval(1))
            _ = recorder.marbles
        },
        Refusal("s after start") {
            let recorder = TestScheduler().record(SignalProducer<Int, Never>(value: 1), since: .distantPast)
            _ = recorder.marbles
        },
    ]

    // MARK: Accepted

    @Test func recordingFromTheBeginningOfTime() {
        let recorder = TestScheduler(startDate: Date(timeIntervalSinceReferenceDate: 1e300))
            .record(SignalProducer<Int, Never>(value: 1), since: .distantPast)
        #expect(recorder.events == [.value(1), .completed])
    }

    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -1e300)])
    func startingAnywhere(date: Date) {
        let scheduler = TestScheduler(startDate: date)
        let ran = Flag()
        scheduler.schedule { ran.raise() }
        scheduler.advance(to: date)
        #expect(ran.isRaised)
        #expect(scheduler.currentDate == date)
    }

    /// `run()` reaches the distant future. It doesn't reach an infinite time.
    @Test func theLatestTime() {
        let scheduler = TestScheduler()
        let (distant, endless) = (Flag(), Flag())
        scheduler.schedule(after: .distantFuture) { distant.raise() }
        scheduler.schedule(after: .never) { endless.raise() }
        scheduler.schedule(after: .never, interval: .never) { endless.raise() }
        scheduler.advance(by: .seconds(1_000_000_000))
        #expect(!distant.isRaised)
        scheduler.run()
        #expect(distant.isRaised)
        #expect(!endless.isRaised)
        #expect(scheduler.pendingCount == 2)
    }

    /// A repetition that begins in the distant past doesn't run once for each past interval.
    @Test func repeatingSinceTheBeginningOfTime() {
        let scheduler = TestScheduler()
        let count = Atomic(0)
        let infinite = Date(timeIntervalSinceReferenceDate: -.infinity)
        let timers = [Date.distantPast, infinite].map {
            scheduler.schedule(after: $0, interval: .seconds(1)) { count.modify { $0 += 1 } }
        }
        scheduler.advance()
        #expect(count.value == 2)
        scheduler.advance(by: .seconds(3))
        #expect(count.value == 8)
        for timer in timers { timer?.dispose() }
    }

    @Test func rewindingAsFarAsCanBe() {
        let scheduler = TestScheduler()
        scheduler.rewind(by: .seconds(.max))
        scheduler.advance(to: .distantPast)
        #expect(scheduler.currentDate == .distantPast)
    }
}
