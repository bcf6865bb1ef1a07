import Corinth
import CorinthTesting
import Foundation
import Dispatch
import Testing

struct SignalProducerTimersTests {
    private let scheduler = TestScheduler()

    @Test func timer() {
        let recorder = scheduler.record(SignalProducer.timer(interval: .seconds(3), on: scheduler))
        scheduler.advance(by: .seconds(10))
        let dates = recorder.events.compactMap(\.value).map(\.timeIntervalSinceReferenceDate)
        #expect(dates == [3, 6, 9])
        recorder.disposable?.dispose()
        #expect(recorder.events.last == .interrupted)
        #expect(scheduler.pendingCount == 0)
    }

    @Test func timerWithLeeway() {
        let producer = SignalProducer<Date, Never>.timer(
            interval: .seconds(1), on: scheduler, leeway: .milliseconds(100))
        let recorder = scheduler.record(producer)
        scheduler.advance(by: .seconds(3))
        #expect(recorder.events.count == 3)
        recorder.disposable?.dispose()
    }

    @Test func `P1: each start iterates the sequence again, with its own start time`() {
        let producer = SignalProducer.interval("abc", interval: .seconds(2), on: scheduler)
        let first = scheduler.record(producer)
        scheduler.advance(by: .seconds(3))
        let second = scheduler.record(producer)
        scheduler.advance(by: .seconds(20))
        #expect(first.marbles == "--a-b-c-|")
        #expect(second.marbles == "--a-b-c-|")
        #expect(scheduler.pendingCount == 0)
    }

    @Test func numbers() {
        let recorder = scheduler.record(SignalProducer.interval(.seconds(1), on: scheduler))
        scheduler.advance(by: .seconds(4))
        #expect(recorder.marbles == "-0123")
        recorder.disposable?.dispose()
        #expect(scheduler.pendingCount == 0)
    }
}
