import Corinth
import CorinthTesting
import Foundation
import Dispatch
import Testing

struct WindowTests {
    /// Returns each window as a separate line, starting at the beginning of time.
    private func windows(
        _ line: Marbles,
        _ split: (Signal<String, MarbleError>, TestScheduler) -> Signal<Signal<String, MarbleError>, MarbleError>
    ) -> [Marbles] {
        let scheduler = TestScheduler()
        let start = scheduler.currentDate
        let lines = Atomic<[MarbleRecorder<String, MarbleError>]>([])
        let outer = scheduler.record(
            split(scheduler.hot(line), scheduler).map { window in
                let recorder = scheduler.record(window, since: start)
                lines.modify { $0.append(recorder) }
                return "w"
            })
        scheduler.advance(by: .seconds(50))
        return [outer.marbles] + lines.value.map(\.marbles)
    }

    @Test func byCount() {
        #expect(
            windows("a-b-c-d-e-|") { signal, _ in signal.window(count: 2) } == [
                "w---w---w-|", "a-(b|)", "----c-(d|)", "--------e-|",
            ])
    }

    @Test func byTime() {
        #expect(
            windows("ab--c------d-|") { $0.window(every: .seconds(3), on: $1) } == [
                "w---w------w-|", "ab-|", "----c-|", "-----------d|",
            ])
    }

    @Test func byBoth() {
        #expect(
            windows("abc------d-|") { $0.window(count: 2, within: 3, on: $1) } == [
                "w-w------w-|", "a(b|)", "--c--|", "---------d-|",
            ])
    }

    @Test func failure() {
        #expect(windows("ab#") { signal, _ in signal.window(count: 5) } == ["w-#", "ab#"])
        #expect(windows("ab!") { signal, _ in signal.window(count: 5) } == ["w-!", "ab!"])
    }

    /// A window can be started late. Its first start receives all, and a later one what comes later.
    @Test func ofAProducer() {
        let scheduler = TestScheduler()
        let kept = Atomic<[SignalProducer<String, MarbleError>]>([])
        scheduler.cold("ab--cd-|").window(count: 3).start { event in
            if let window = event.value { kept.modify { $0.append(window) } }
        }
        scheduler.advance(by: .seconds(1))
        let early = scheduler.record(kept.value[0], since: Date(timeIntervalSinceReferenceDate: 0))
        scheduler.advance(by: .seconds(9))
        #expect(early.marbles == "-(ab)--(c|)")
        #expect(kept.value.count == 2)
        for window in kept.value.dropFirst() {
            #expect(scheduler.record(window).marbles == "(d|)")
            #expect(scheduler.record(window).marbles == "!")
        }
    }

    /// Ending the result interrupts the open window.
    @Test func disposal() {
        let scheduler = TestScheduler()
        let inner = EventRecorder<String, MarbleError>()
        let disposable = scheduler.cold("ab-----").window(count: 3, within: 5, on: scheduler).start { event in
            event.value?.start(inner.observer)
        }
        scheduler.advance(by: .seconds(1))
        disposable.dispose()
        #expect(inner.events == [.value("a"), .value("b"), .interrupted])
        #expect(scheduler.pendingCount == 0)
    }
}
