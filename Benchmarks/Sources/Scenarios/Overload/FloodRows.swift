import BenchmarkKit
import Corinth
import Dispatch
import Foundation
import Synchronization

extension Floods {
    /// The floods by name. `make` gets the number of threads.
    static let all: [(name: String, make: @Sendable (_ threads: Int) -> Flood)] = [
        ("property-set", { _ in propertySet() }), ("property-modify", { _ in propertyModify() }),
        ("atomic-modify", { _ in atomicModify() }), ("send", { _ in send() }), ("send-slow", { _ in sendSlowly() }),
        ("observe", { _ in observe() }), ("start", start), ("start-property", startProperty),
        ("combine", { _ in combine() }), ("flatmap-latest", { _ in flatMapLatest() }),
        ("flatmap-merge", { _ in flatMapMerge() }), ("throttle", { _ in throttle() }),
        ("debounce", { _ in debounce() }), ("schedule", { _ in schedule() }),
        ("schedule-after", { _ in scheduleAfter() }), ("take-until", { _ in takeUntil() }),
        ("hop-churn", { _ in hopChurn() }), ("composite", { _ in composite() }), ("action", { _ in action() }),
        ("replay", replay),
    ]

    /// The last value, which the threads never send.
    private static let last = -1

    private static func scheduler() -> QueueScheduler { QueueScheduler(name: "corinth-bench.flood") }

    /// Waits until a scheduler has run its actions.
    private static func drain(_ scheduler: QueueScheduler) throws {
        let isDone = Count()
        scheduler.schedule { isDone.add() }
        try CheckFailure.unless("whether the scheduler has run everything", is: 1, got: isDone.wait(for: 1))
    }

    /// All threads send to one input.
    private static func sending(
        to input: Signal<Int, Never>.Observer, verify: @escaping @Sendable (_ calls: Int) throws -> Void
    ) -> Flood {
        Flood { _, number in
            input.send(value: number)
        } verify: { calls in
            try verify(calls)
        } end: {
            input.sendCompleted()
        }
    }

    // MARK: Properties and atomics

    private static func propertySet() -> Flood {
        let property = MutableProperty(0)
        let seen = Count()
        property.signal.observeValues { _ in seen.add() }
        return Flood {
            _, number in
            property.value = number
        } verify: { calls in
            try CheckFailure.unless("values of the property", is: calls, got: seen.wait(for: calls))
        }
    }

    private static func propertyModify() -> Flood {
        let property = MutableProperty(0)
        return Flood {
            _, _ in
            property.modify { $0 &+= 1 }
        } verify: { calls in
            try CheckFailure.unless("the property's value", is: calls, got: property.value)
        }
    }

    private static func atomicModify() -> Flood {
        let atomic = Corinth.Atomic(0)
        return Flood {
            _, _ in
            atomic.modify { $0 &+= 1 }
        } verify: { calls in
            try CheckFailure.unless("the value", is: calls, got: atomic.value)
        }
    }

    // MARK: Signals

    private static func send() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Count()
        output.observeValues { _ in seen.add() }
        return sending(to: input) { calls in
            try CheckFailure.unless("values that arrived", is: calls, got: seen.wait(for: calls))
        }
    }

    /// The observer sleeps for 50 µs for one value of 16.
    private static func sendSlowly() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Count()
        output.observeValues { number in
            if number % 16 == 0 { usleep(50) }
            seen.add()
        }
        return sending(to: input) { calls in
            try CheckFailure.unless("values that arrived", is: calls, got: seen.wait(for: calls))
        }
    }

    private static func observe() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Count()
        return Flood {
            _, _ in
            output.observeValues { _ in seen.add() }?.dispose()
        } verify: { _ in
            input.send(value: last)
            try CheckFailure.unless("disposed observers that received a value", is: 0, got: seen.value)
        } end: {
            input.sendCompleted()
        }
    }

    private static func takeUntil() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let late = Count()
        return Flood { _, number in
            let (trigger, end) = Signal<Void, Never>.pipe()
            output.take(until: trigger).observeValues { if $0 == last { late.add() } }
            end.send(value: ())
            if number % 64 == 0 { input.send(value: number) }
        } verify: { _ in
            input.send(value: last)
            try CheckFailure.unless("ended observers that received a value", is: 0, got: late.value)
        } end: {
            input.sendCompleted()
        }
    }

    private static func combine() -> Flood {
        let (left, leftInput) = Signal<Int, Never>.pipe()
        let (right, rightInput) = Signal<Int, Never>.pipe()
        let seen = Count()
        left.combineLatest(with: right).observeValues { _ in seen.add() }
        leftInput.send(value: 0)
        rightInput.send(value: 0)
        return Flood {
            thread, number in
            (thread % 2 == 0 ? leftInput : rightInput).send(value: number)
        } verify: { calls in
            try CheckFailure.unless("pairs that arrived", is: calls + 1, got: seen.wait(for: calls + 1))
        } end: {
            leftInput.sendCompleted()
            rightInput.sendCompleted()
        }
    }

    // MARK: Producers

    private static func start(_ threads: Int) -> Flood {
        let producer = SignalProducer<Int, Never>([1, 2, 3]).map { $0 + 1 }
        let tallies = (0..<threads).map { _ in Tally() }
        return Flood { thread, _ in
            let tally = tallies[thread]
            producer.startWithValues { tally.add($0) }
        } verify: { calls in
            try CheckFailure.unless("values", is: 3 * calls, got: tallies.reduce(0) { $0 + $1.count })
            try CheckFailure.unless("their sum", is: 9 * calls, got: tallies.reduce(0) { $0 + $1.sum })
        }
    }

    private static func startProperty(_ threads: Int) -> Flood {
        let property = MutableProperty(1)
        let tallies = (0..<threads).map { _ in Tally() }
        return Flood { thread, _ in
            let tally = tallies[thread]
            property.producer.startWithValues { tally.add($0) }.dispose()
        } verify: { calls in
            try CheckFailure.unless("first values", is: calls, got: tallies.reduce(0) { $0 + $1.sum })
        }
    }

    private static func replay(_ threads: Int) -> Flood {
        let producer = SignalProducer<Int, Never>([1, 2, 3]).concat(.never).replayLazily(upTo: 3)
        producer.start()
        let tallies = (0..<threads).map { _ in Tally() }
        return Flood { thread, _ in
            let tally = tallies[thread]
            producer.startWithValues { tally.add($0) }.dispose()
        } verify: { calls in
            try CheckFailure.unless(
                "the sum of the replayed values", is: 6 * calls, got: tallies.reduce(0) { $0 + $1.sum })
        }
    }

    private static func action() -> Flood {
        let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
        let ends = Count()
        return Flood { _, number in
            action.apply(number).start { if $0.isTerminating { ends.add() } }
        } verify: { calls in
            try CheckFailure.unless("applications that ended", is: calls, got: ends.wait(for: calls))
        }
    }

    // MARK: Streams of streams

    private static func flatMapLatest() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let scheduler = scheduler()
        let ends = Count()
        output.flatMap(.latest) { SignalProducer<Int, Never>(value: $0).start(on: scheduler) }
            .observeValues { if $0 == last { ends.add() } }
        return sending(to: input) { _ in
            try arrives(input, ends)
            try drain(scheduler)
        }
    }

    private static func flatMapMerge() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let seen = Count()
        output.flatMap(.merge) { SignalProducer<Int, Never>(value: $0) }.observeValues { _ in seen.add() }
        return sending(to: input) { calls in
            try CheckFailure.unless("values that arrived", is: calls, got: seen.wait(for: calls))
        }
    }

    /// Sends one more value and waits until it arrives.
    private static func arrives(_ input: Signal<Int, Never>.Observer, _ arrivals: Count) throws {
        let before = arrivals.value
        input.send(value: last)
        try CheckFailure.unless(
            "times that the last value arrived", is: before + 1, got: arrivals.wait(for: before + 1))
    }

    // MARK: Time

    private static func throttle() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let scheduler = scheduler()
        let ends = Count()
        output.throttle(0.01, on: scheduler).observeValues { if $0 == last { ends.add() } }
        return timed(input, ends)
    }

    private static func debounce() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let scheduler = scheduler()
        let ends = Count()
        output.debounce(0.01, on: scheduler).observeValues { if $0 == last { ends.add() } }
        return timed(input, ends)
    }

    /// The last value always arrives.
    private static func timed(_ input: Signal<Int, Never>.Observer, _ ends: Count) -> Flood {
        sending(to: input) { _ in try arrives(input, ends) }
    }

    /// A scheduler's queue has no bound.
    private static func schedule() -> Flood {
        let scheduler = scheduler()
        let done = Count()
        return Flood {
            _, _ in
            scheduler.schedule { done.add() }
        } verify: { calls in
            try CheckFailure.unless("actions that ran", is: calls, got: done.wait(for: calls))
        }
    }

    private static func scheduleAfter() -> Flood {
        let scheduler = scheduler()
        let fired = Count()
        return Flood { _, _ in
            scheduler.schedule(after: Date(timeIntervalSinceNow: 3600)) { fired.add() }?.dispose()
        } verify: { _ in
            try drain(scheduler)
            try CheckFailure.unless("cancelled timeouts that fired", is: 0, got: fired.value)
        }
    }

    // MARK: Creation and disposal

    private static func hopChurn() -> Flood {
        let (output, input) = Signal<Int, Never>.pipe()
        let scheduler = scheduler()
        let late = Count()
        return Flood { thread, number in
            let observation = output.observe(on: scheduler).observeValues { if $0 == last { late.add() } }
            if thread == 0 { input.send(value: number) }
            observation?.dispose()
        } verify: { _ in
            input.send(value: last)
            try drain(scheduler)
            try CheckFailure.unless("disposed hops that delivered a value", is: 0, got: late.value)
        } end: {
            input.sendCompleted()
        }
    }

    private static func composite() -> Flood {
        let composite = CompositeDisposable()
        let ran = Count()
        return Flood { _, _ in
            // Removed without being disposed.
            composite.add { ran.add() }?.dispose()
        } verify: { _ in
            try CheckFailure.unless("removed closures that ran", is: 0, got: ran.value)
        } end: {
            composite.dispose()
        }
    }
}
