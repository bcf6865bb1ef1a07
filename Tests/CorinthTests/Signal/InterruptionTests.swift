import Corinth
import CorinthTesting
import Dispatch
import Foundation
import Testing

/// E6: an interruption overtakes queued events. The event in progress finishes first.
struct InterruptionTests {
    /// Returns what observers receive if events are queued while 0 is being delivered.
    private func events(
        through transform: (Signal<Int, Never>) -> Signal<Int, Never> = { $0 },
        _ queue: sending @escaping (Signal<Int, Never>.Observer) -> Void
    ) -> [Signal<Int, Never>.Event] {
        let (output, input) = Signal<Int, Never>.pipe()
        let recorder = EventRecorder<Int, Never>()
        let result = transform(output)
        result.observe(recorder.observer)
        result.observeValues { if $0 == 0 { queue(input) } }
        input.send(value: 0)
        return recorder.events
    }

    @Test func overtakesValues() {
        let events = events {
            for value in 1...3 { $0.send(value: value) }
            $0.sendInterrupted()
            $0.send(value: 4)
        }
        #expect(events == [.value(0), .interrupted])
    }

    @Test func overtakesThroughOperators() {
        let events = events(through: { $0.map { $0 }.filter { _ in true } }) {
            $0.send(value: 1)
            $0.sendInterrupted()
        }
        #expect(events == [.value(0), .interrupted])
    }

    /// An earlier queued end takes precedence: the first end counts.
    @Test func comesAfterAnEarlierEnd() {
        let events = events {
            $0.sendCompleted()
            $0.sendInterrupted()
        }
        #expect(events == [.value(0), .completed])
    }

    /// The interruption doesn't drop the events that precede that end, either.
    @Test func dropsNothingBeforeAnEarlierEnd() {
        let events = events {
            $0.send(value: 1)
            $0.sendCompleted()
            $0.sendInterrupted()
        }
        #expect(events == [.value(0), .value(1), .completed])
    }

    @Test func completionWaits() {
        let events = events {
            for value in 1...2 { $0.send(value: value) }
            $0.sendCompleted()
        }
        #expect(events == [.value(0), .value(1), .value(2), .completed])
    }

    @Test func overtakesInAStart() {
        let other = EventRecorder<Int, Never>()
        let held = Atomic<Signal<Int, Never>.Observer?>(nil)
        SignalProducer<Int, Never> { observer, _ in
            held.value = observer
            observer.send(value: 0)
        }
        .on(value: { value in
            guard value == 0, let observer = held.value else { return }
            observer.send(value: 1)
            observer.sendInterrupted()
        })
        .start(other.observer)
        #expect(other.events == [.value(0), .interrupted])
        held.value = nil
    }

    #if !NaiveLocks  // In the naive build, senders wait for the thread that delivers.
        /// Another thread sends while the inbox is full. The event in progress finishes, and the interruption is next.
        @Test func overtakesAFullInbox() {
            let (output, input) = Signal<Int, Never>.pipe(inboxCapacity: 8)
            let recorder = EventRecorder<Int, Never>()
            let inside = DispatchSemaphore(value: 0)
            let gate = DispatchSemaphore(value: 0)
            output.observe(recorder.observer)
            output.observeValues { _ in
                inside.signal()
                gate.wait()
            }
            let through = Atomic(0)
            Thread.detachNewThread {
                input.send(value: 0)
                through.modify { $0 += 1 }
            }
            inside.wait()
            for _ in 0..<3 {
                Thread.detachNewThread {
                    for value in 1...8 { input.send(value: value) }
                    through.modify { $0 += 1 }
                }
            }
            input.sendInterrupted()
            gate.signal()
            #expect(Stress.eventually { through.value == 4 })
            #expect(recorder.events == [.value(0), .interrupted])
        }
    #endif
}
