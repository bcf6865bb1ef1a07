import Corinth
import CorinthTesting
import Dispatch
import ExampleSupport

// Readings of many sensors go to a store. A sensor that chatters is slowed down without slowing down the others; the
// store gets batches, and never more than two at a time.

struct Reading: Sendable, Equatable {
    let sensor: String
    let degrees: Int
}

/// A store that takes two seconds for each batch, and counts how many it is given at a time.
final class Store: Sendable {
    let scheduler: TestScheduler
    let transcript: Transcript
    private let state = Atomic((running: 0, most: 0, readings: 0))

    var mostAtOnce: Int { state.value.most }
    var readings: Int { state.value.readings }

    init(_ scheduler: TestScheduler, _ transcript: Transcript) {
        self.scheduler = scheduler
        self.transcript = transcript
    }

    /// A producer that stores a batch, and sends how many readings that were.
    func save(_ batch: [Reading]) -> SignalProducer<Int, Never> {
        let text = batch.map { "\($0.sensor) \($0.degrees)" }.joined(separator: ", ")
        return SignalProducer(value: batch.count)
            .delaySubscription(2, on: scheduler)
            .on(
                starting: { [self] in
                    transcript("saving [\(text)]")
                    state.modify {
                        $0.running += 1
                        $0.most = max($0.most, $0.running)
                    }
                },
                terminated: { [self] in
                    state.modify {
                        $0.running -= 1
                        $0.readings += batch.count
                    }
                    transcript("saved  [\(text)]")
                })
    }
}

@main
enum RateLimitedFanOut {
    static func main() {
        let scheduler = TestScheduler()
        let transcript = Transcript(scheduler)
        let store = Store(scheduler, transcript)
        let (readings, input) = Signal<Reading, Never>.pipe()

        let isDone = Atomic(false)
        readings
            // A stream for each sensor. One that has been silent for ten seconds is closed; at most 100 are open.
            .group(limit: 100, idle: 10, on: scheduler) { $0.sensor }
            .flatMap(.merge) { sensor in
                sensor.signal.throttle(1, on: scheduler, edges: .both, discardWhenCompleted: false)
            }
            // Three readings make a batch, or fewer if that takes more than a second.
            .collect(count: 3, within: 1, on: scheduler)
            // Two batches are on their way at a time; the others wait for their turn.
            .flatMap(.concurrent(limit: 2)) { store.save($0) }
            .reduce(0, +)
            .observe { event in
                switch event {
                case .value(let total): transcript("all saved: \(total)")
                case .completed: isDone.value = true
                case .failed, .interrupted: break
                }
            }

        // The kitchen's sensor sends ten times a second, for three seconds; the others now and then.
        for tenth in 0..<30 {
            scheduler.schedule(after: .milliseconds(tenth * 100)) {
                input.send(value: Reading(sensor: "kitchen", degrees: 20 + tenth))
            }
        }
        for second in 0..<4 {
            scheduler.schedule(after: .milliseconds(second * 1000 + 50)) {
                input.send(value: Reading(sensor: "attic", degrees: 30 + second))
                input.send(value: Reading(sensor: "cellar", degrees: 10 + second))
            }
        }
        scheduler.schedule(after: .seconds(5)) {
            transcript("the sensors are switched off")
            input.sendCompleted()
        }
        scheduler.advance(by: .seconds(60))

        transcript.check("batches at once, at most", store.mostAtOnce, is: 2)
        // Four of the kitchen's thirty readings: one for each second, and the last one. All of the others'.
        transcript.check("readings stored", store.readings, is: 12)
        transcript.check("completed", isDone.value, is: true)
        transcript.check("actions that still wait", scheduler.pendingCount, is: 0)
    }
}
