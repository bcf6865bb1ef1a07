import Corinth
import CorinthTesting
import Dispatch
import Foundation

extension GrowthOperation {
    /// What stores values.
    static let values = [
        GrowthOperation("a producer of values") { count in
            let recorder = EventRecorder<Int, Never>()
            SignalProducer<Int, Never>(0..<count).start(recorder.observer)
            check(recorder.values.count == count)
        },
        GrowthOperation("replay") { count in
            let replayed = SignalProducer<Int, Never>(0..<count).replayLazily(upTo: .max)
            for _ in 0..<3 {
                let recorder = EventRecorder<Int, Never>()
                replayed.start(recorder.observer)
                check(recorder.values.count == count)
            }
        },
        GrowthOperation("replay of the last 16") { count in
            let recorder = EventRecorder<Int, Never>()
            let replayed = SignalProducer<Int, Never>(0..<count).replayLazily(upTo: 16)
            for _ in 0..<2 { replayed.start(recorder.observer) }
            check(recorder.values.count >= count)
        },
        GrowthOperation("starts of one shared producer") { count in
            let (output, input) = Signal<Int, Never>.pipe()
            let shared = output.producer.share(replay: 1)
            let starts = (0..<count).map { _ in shared.start() }
            input.send(value: 1)
            for start in starts { start.dispose() }
        },
        GrowthOperation("collect") { count in
            let recorder = EventRecorder<[Int], Never>()
            SignalProducer<Int, Never>(0..<count).collect().start(recorder.observer)
            check(recorder.values.first?.count == count)
        },
        GrowthOperation("take(last:)") { count in
            let recorder = EventRecorder<Int, Never>()
            SignalProducer<Int, Never>(0..<2 * count).take(last: count).start(recorder.observer)
            check(recorder.values.count == count)
        },
        GrowthOperation("uniqueValues") { count in
            let recorder = EventRecorder<Int, Never>()
            SignalProducer<Int, Never>(0..<count).uniqueValues().start(recorder.observer)
            check(recorder.values.count == count)
        },
        GrowthOperation("group of many keys") { count in
            let recorder = EventRecorder<Int, Never>()
            SignalProducer<Int, Never>(0..<2 * count).group(limit: count) { $0 % count }.flatMap(.merge) { $0.signal }
                .start(recorder.observer)
            check(recorder.values.count == 2 * count)
        },
        GrowthOperation("window") { count in
            let recorder = EventRecorder<Int, Never>()
            SignalProducer<Int, Never>(0..<count).window(count: 4).flatten(.merge).start(recorder.observer)
            check(recorder.values.count == count)
        },
        GrowthOperation("changes of an atomic") { count in
            let atomic = Atomic(0)
            for _ in 0..<count { atomic.modify { $0 += 1 } }
            check(atomic.value == count)
        },
        GrowthOperation("a line of marbles") { count in
            let line = String(repeating: "a-(bc)[de]", count: count / 4)
            check(Marbles(line).description == line)
        },
    ]

    /// Virtual time, timers and hops.
    static let timers = [
        GrowthOperation("actions of one virtual time", .logarithmic, from: 2_000) { count in
            let scheduler = TestScheduler()
            for _ in 0..<count { scheduler.schedule(after: .seconds(1)) {} }
            scheduler.run()
            check(scheduler.pendingCount == 0)
        },
        GrowthOperation("actions of many virtual times", .logarithmic, from: 2_000) { count in
            let scheduler = TestScheduler()
            for index in 0..<count { scheduler.schedule(after: .seconds(index * 7919 % count)) {} }
            scheduler.run()
            check(scheduler.pendingCount == 0)
        },
        GrowthOperation("actions of one virtual time, cancelled", .logarithmic, from: 2_000) { count in
            let scheduler = TestScheduler()
            let actions = (0..<count).map { _ in scheduler.schedule(after: .seconds(1)) {} }
            for action in actions { action?.dispose() }
            check(scheduler.pendingCount == 0)
        },
        GrowthOperation("ticks of a virtual timer") { count in
            let (scheduler, recorder) = (TestScheduler(), EventRecorder<Int, Never>())
            SignalProducer<Int, Never>.interval(0..<count, interval: .seconds(1), on: scheduler)
                .start(recorder.observer)
            scheduler.run()
            check(recorder.values.count == count)
        },
        GrowthOperation("debounce") { count in
            let (scheduler, recorder) = (TestScheduler(), EventRecorder<Int, Never>())
            SignalProducer<Int, Never>(0..<count).debounce(1, on: scheduler).start(recorder.observer)
            scheduler.run()
            check(recorder.termination == .completed)
        },
        GrowthOperation("delay", .logarithmic) { count in
            let (scheduler, recorder) = (TestScheduler(), EventRecorder<Int, Never>())
            SignalProducer<Int, Never>(0..<count).delay(1, on: scheduler).start(recorder.observer)
            scheduler.run()
            check(recorder.values.count == count)
        },
        GrowthOperation("a hop") { count in
            let (scheduler, recorder) = (TestScheduler(), EventRecorder<Int, Never>())
            SignalProducer<Int, Never>(0..<count).observe(on: scheduler).start(recorder.observer)
            scheduler.run()
            check(recorder.values.count == count)
        },
        GrowthOperation("timeouts that are cancelled") { count in
            let scheduler = QueueScheduler(qos: .default, name: "growth")
            let later = scheduler.currentDate.addingTimeInterval(3_600)
            let timers = (0..<count).map { scheduler.schedule(after: later.addingTimeInterval(Double($0 % 7))) {} }
            for timer in timers { timer?.dispose() }
        },
        GrowthOperation("timeouts that are cancelled backwards") { count in
            let scheduler = QueueScheduler(qos: .default, name: "growth")
            let later = scheduler.currentDate.addingTimeInterval(3_600)
            let timers = (0..<count).map { _ in scheduler.schedule(after: later) {} }
            for timer in timers.reversed() { timer?.dispose() }
        },
    ]
}
