import CorinthTesting
import Dispatch
import Foundation
import Testing

@testable import Corinth

struct PaceTests {
    private static func paced(_ line: Marbles, _ count: Int, per interval: Double, burst: Int = 1) -> Marbles {
        marbles(hot: line) { source, scheduler in source.pace(count, per: interval, burst: burst, on: scheduler) }
    }

    @Test func valuesThatComeFasterWait() {
        #expect(Self.paced("abcd----e|", 1, per: 2) == "a-b-c-d-e|")
        #expect(Self.paced("abcd----e|", 1, per: 2, burst: 2) == "abc-d---e|")
        #expect(Self.paced("a--b--c--|", 1, per: 2) == "a--b--c--|")
        // Two per two seconds is one per second.
        #expect(Self.paced("(abc)----|", 2, per: 2) == "abc--|")
        #expect(Self.paced("(abc)----|", 2, per: 2, burst: 3) == "(abc)----|")
    }

    @Test func theCompletionWaitsForTheValuesAndForNothingElse() {
        #expect(Self.paced("(abc|)", 1, per: 3) == "a--b--(c|)")
        #expect(Self.paced("|", 1, per: 3) == "|")
        #expect(Self.paced("a|", 1, per: 3) == "a|")
    }

    @Test func aFailureAndAnInterruptionOvertake() {
        #expect(Self.paced("(abc)-#", 1, per: 3) == "a-#")
        #expect(Self.paced("(abc)-!", 1, per: 3) == "a-!")
    }

    /// After a pause there are `burst` tokens, and no more.
    @Test func theBucketFillsAndIsBounded() {
        #expect(Self.paced("(abc)----------(defg)----|", 1, per: 2, burst: 2) == "(ab)-c--------(de)-f-g|")
    }

    @Test func aPolicyLimitsWhatWaits() {
        let (scheduler, statistics) = (TestScheduler(), BufferStatistics())
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        output.pace(1, per: 1, on: scheduler, bufferingPolicy: .dropOldest(capacity: 2), statistics: statistics)
            .observe(recorder.observer)
        // Each is replaced before its turn: what was dropped has taken no token.
        for number in 0..<100 { input.send(value: number) }
        scheduler.advance(by: .seconds(10))
        #expect(recorder.values == [98, 99])
        for number in 100..<103 { input.send(value: number) }
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == [98, 99, 101, 102])
        #expect((statistics.sent, statistics.delivered, statistics.dropped, statistics.waiting) == (103, 4, 99, 0))
    }

    @Test func eachStartHasABucketOfItsOwn() {
        let scheduler = TestScheduler()
        let paced = SignalProducer<Int, Never>([1, 2, 3]).pace(1, per: .seconds(2), on: scheduler)
        let recorders = (0..<2).map { _ in scheduler.record(paced) }
        scheduler.advance(by: .seconds(10))
        for recorder in recorders { #expect(recorder.marbles == "1-2-(3|)") }
    }

    /// In real time, and with a sender that waits.
    @Test func noMoreThanSoManyPassInRealTime() async {
        let (output, input) = Signal<Int, Never>.pipe()
        let times = Atomic<[UInt64]>([])
        let isOver = Flag()
        let scheduler = QueueScheduler(qos: .userInitiated, name: "pace")
        let (count, burst, period) = (200, 10, 0.002)
        output.pace(1, per: period, burst: burst, on: scheduler, bufferingPolicy: .blocking(capacity: 16))
            .observe { event in
                if event.isTerminating { isOver.raise() } else { times.modify { $0.append(MonotonicTime.now) } }
            }
        let depth = Counter()
        Thread.detachNewThread {
            for number in 0..<count {
                input.send(value: number)
                if number - times.value.count > 16 + 2 { depth.increment() }
            }
            input.sendCompleted()
        }
        #expect(await Stress.eventually { isOver.isRaised })
        let seen = times.value
        #expect(seen.count == count && depth.value == 0)
        // Of any values in a row, the last one comes no earlier than the bucket allows. A timer may be a little early.
        for first in seen.indices {
            for last in stride(from: first + burst, to: seen.count, by: 7) {
                let least = Double(last - first - burst) * period
                #expect(Double(seen[last] - seen[first]) / 1e9 > least - period)
            }
        }
    }
}
