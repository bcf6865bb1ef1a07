import Corinth
import CorinthTesting
import Dispatch
import Testing

/// Returns what an operator makes of a producer that plays a line, within a minute of virtual time. Expects that no timer is
/// left.
func marbles<Value>(
    cold line: Marbles, at location: SourceLocation = #_sourceLocation,
    _ apply: (SignalProducer<String, MarbleError>, TestScheduler) -> SignalProducer<Value, MarbleError>
) -> Marbles {
    let scheduler = TestScheduler()
    let recorder = scheduler.record(apply(scheduler.cold(line), scheduler))
    scheduler.advance(by: .seconds(60))
    #expect(scheduler.pendingCount == 0, sourceLocation: location)
    return recorder.marbles
}

/// The same of a signal that plays the line.
func marbles<Value>(
    hot line: Marbles, at location: SourceLocation = #_sourceLocation,
    _ apply: (Signal<String, MarbleError>, TestScheduler) -> Signal<Value, MarbleError>
) -> Marbles {
    let scheduler = TestScheduler()
    let recorder = scheduler.record(apply(scheduler.hot(line), scheduler))
    scheduler.advance(by: .seconds(60))
    #expect(scheduler.pendingCount == 0, sourceLocation: location)
    return recorder.marbles
}
