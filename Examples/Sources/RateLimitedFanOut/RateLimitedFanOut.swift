import Corinth
import CorinthTesting
import Dispatch
import ExampleSupport

// Readings of many sensors go to a store. The example limits the rate of each sensor separately. The store receives batches,
// and at most two at a time.

struct Reading: Sendable, Equatable {
    let sensor: String
    let degrees: Int
}

/// A store that takes two seconds for each batch and counts how many batches it stores at the same time.
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

    /// A producer that stores a batch and sends the number of its readings.
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
            // One stream per sensor. A stream without values for ten seconds is closed, and at most 100 are open.
            .group(limit: 100, idle: 10, on: scheduler) { $0.sensor }
            .flatMap(.merge) { sensor in
                sensor.signal.throttle(1, on: scheduler, edges: .both, discardWhenCompleted: false)
            }
            // A batch has three readings, or fewer if a second has passed.
            .collect(count: 3, within: 1, on: scheduler)
            // At most two batches are stored at the same time; the others are queued.
            .flatMap(.concurrent(limit: 2)) { store.save($0) }
            .reduce(0, +)
            .observe { event in
                switch event {
                case .value(let total): transcript("all saved: \(total)")
                case .completed: isDone.value = true
                case .failed, .interrupted: break
                }
            }

        // The kitchen's sensor sends ten times a second for three seconds. The other sensors send rarely.
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
        // Four of the kitchen's thirty readings (one per second, and the last one), and all readings of the other sensors.
        transcript.check("readings stored", store.readings, is: 12)
        transcript.check("completed", isDone.value, is: true)
        transcript.check("actions that still wait", scheduler.pendingCount, is: 0)
    }
}
