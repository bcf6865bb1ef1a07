@testable import Corinth
import Foundation
import Testing

/// One property and one action, used by many threads.
@Suite("Stress: properties and actions", .serialized)
struct PropertyStressTests {
    /// A value with its setter, the setter's sequence number, and a large payload.
    private struct Large: Sendable {
        let setter: Int
        let number: Int
        let token: LeakCounter.Token
    }

    /// The last number of each setter that an observer received.
    private final class Watch: @unchecked Sendable {  // The property serialises its callbacks.
        private var last: [Int]
        let mistakes: Counter
        private let received = Counter()

        init(setters: Int, _ mistakes: Counter) {
            last = Array(repeating: -1, count: setters)
            self.mistakes = mistakes
        }

        func receive(setter: Int, number: Int) {
            // From the first value of a setter on, no value is missing.
            if last[setter] >= 0, number != last[setter] + 1 { mistakes.increment() }
            last[setter] = number
            received.increment()
        }

        /// How many values were received, on any thread.
        var count: Int { received.value }
    }

    @Test(arguments: [2, 8])
    func `R1 to R3: threads concurrently set, modify, read, observe and stop observing one property`(setters: Int) {
        Stress.repeated(share: 0.3) {
            let leaks = LeakCounter()
            let mistakes = Counter()
            let done = Counter()
            let rounds = 400
            do {
                let property = MutableProperty(Large(setter: 0, number: -1, token: leaks.token()))
                let all = Watch(setters: setters, mistakes)
                let final = Holder((0, 0))
                property.signal.observeValues { value in
                    final.held = (value.setter, value.number)
                    all.receive(setter: value.setter, number: value.number)
                }
                ThreadGroup.run(setters + 2) { index in
                    if index < setters {
                        for number in 0..<rounds {
                            let value = Large(setter: index, number: number, token: leaks.token())
                            switch number % 3 {
                            case 0: property.value = value
                            case 1: property.modify { $0 = value }
                            default: property.swap(value)
                            }
                        }
                        done.increment()
                    } else {
                        while done.value < setters {
                            let watch = Watch(setters: setters, mistakes)
                            let disposable = property.producer.startWithValues { value in
                                if value.number >= 0 { watch.receive(setter: value.setter, number: value.number) }
                            }
                            Work.yield()
                            disposable.dispose()
                        }
                    }
                }
                #expect(Stress.eventually { all.count == setters * rounds }, "\(all.count) changes")
                let value = property.value
                #expect(final.held == (value.setter, value.number), "R3: the last notification is not the value")
            }
            #expect(mistakes.value == 0, "R2: observers missed changes or received one twice")
            #expect(Stress.eventually { leaks.count == 0 }, "\(leaks.count) values are still alive")
        }
    }

    // If a mutex is held during delivery, threads that go round the ring wait for each other.
    #if !NaiveLocks
        @Test func `R4: properties that are bound in a ring can be set by several threads`() {
            Stress.repeated(share: 0.2) {
                let ring = (0..<4).map { _ in MutableProperty(0) }
                for index in 0..<4 {
                    let next = ring[(index + 1) % 4]
                    // Values only increase; otherwise they would go round forever.
                    next <~ ring[index].producer.filter { [weak next] in $0 > next?.value ?? .max }
                }
                ThreadGroup.run(4) { index in
                    for number in 1...500 { ring[index].value = number * 4 + index }
                }
                // A late change of another thread can lower a value, but only until the next increase.
                let isEven = Stress.eventually {
                    ring[0].value = 1_000_000
                    return ring.allSatisfy { $0.value == 1_000_000 }
                }
                #expect(isEven, "\(ring.map(\.value))")
            }
        }
    #endif

    @Test func `A1: when many threads apply one action, executions never overlap`() {
        Stress.repeated(share: 0.3) {
            let mistakes = Counter()
            let executed = Counter()
            let refused = Counter()
            let told = Counter()
            let inside = Counter()
            let left = Counter()
            let action = Action<Int, Int, Never> { input in
                SignalProducer { observer, _ in
                    if inside.increment() != left.value + 1 { mistakes.increment() }
                    left.increment()
                    observer.send(value: input)
                    observer.sendCompleted()
                }
            }
            action.disabledErrors.observeValues { told.increment() }
            let flips = Counter()
            action.isExecuting.signal.observeValues { value in
                if flips.increment() % 2 != (value ? 1 : 0) { mistakes.increment() }
            }
            ThreadGroup.run(6) { index in
                for _ in 0..<500 {
                    action.apply(index).start { event in
                        switch event {
                        case .completed: executed.increment()
                        case .failed: refused.increment()
                        default: break
                        }
                    }
                }
            }
            // Another thread may still run the work that one thread has left.
            #expect(Stress.eventually { executed.value + refused.value == 3_000 })
            #expect(Stress.eventually { told.value == refused.value })
            #expect(Stress.eventually { flips.value == 2 * executed.value })
            #expect(mistakes.value == 0, "A1: executions overlapped, or isExecuting was wrong")
            #expect(Stress.eventually { action.isEnabled.value && !action.isExecuting.value })
        }
    }

    #if !NaiveLocks
        @Test(arguments: [2, 8])
        func `X2: starts and proposals that were queued give their permits back`(threads: Int) {
            Stress.repeated(share: 0.3) {
                let property = MutableProperty(1)
                let validating = ValidatingProperty<Int, TestError>(property) { _ in .valid }
                ThreadGroup.run(threads) { thread in
                    for number in 0..<5_000 {
                        if thread % 2 == 0 {
                            property.producer.startWithValues { _ in }.dispose()
                        } else {
                            validating.value = number
                        }
                    }
                }
                let strand = property.engine.core.strand
                #expect(Stress.eventually { strand.state.taken(.relaxed) == 0 })
            }
        }
    #endif

    @Test func `A change of the inner property beside the creation of a validating property is validated`() {
        Stress.repeated(share: 0.1) {
            let inner = MutableProperty(0)
            let made = Atomic<[ValidatingProperty<Int, TestError>]>([])
            ThreadGroup.run([
                { for number in 1...200 { inner.value = number } },
                {
                    for _ in 0..<50 {
                        let property = ValidatingProperty<Int, TestError>(inner) { _ in .valid }
                        made.modify { $0.append(property) }
                    }
                },
            ])
            #expect(Stress.eventually { made.value.allSatisfy { $0.result.value.value == 200 } })
        }
    }

    @Test
    func `R1, R3: the first observer of a property that other threads set misses no change after the value it reads`() {
        Stress.repeated(share: 0.1) {
            let properties = (0..<200).map { _ in MutableProperty(0) }
            let latest = properties.map { _ in Atomic(-1) }
            let read = properties.map { _ in Atomic(-1) }
            ThreadGroup.run([
                { for property in properties { for number in 1...3 { property.value = number } } },
                { for property in properties { property.modify { $0 += 10 } } },
                {
                    for (index, property) in properties.enumerated() {
                        property.signal.observeValues { latest[index].value = $0 }
                        read[index].value = property.value
                    }
                },
            ])
            // The last change was delivered, or stored before the observer read the value.
            for (index, property) in properties.enumerated() {
                let final = property.value
                #expect(Stress.eventually { latest[index].value == final || read[index].value == final })
            }
        }
    }

    @Test func `A validation result always belongs to the latest proposed value`() {
        Stress.repeated(share: 0.2) {
            let inner = MutableProperty(1)
            let property = ValidatingProperty<Int, TestError>(inner) { $0 % 3 == 0 ? .invalid(.first) : .valid }
            let mistakes = Counter()
            property.result.producer.startWithValues { result in
                if result.isInvalid != (result.proposed % 3 == 0) { mistakes.increment() }
            }
            ThreadGroup.run(4) { index in
                for number in 0..<300 {
                    if index == 3 { inner.value = number * 3 + 1 } else { property.value = number * 4 + index }
                }
            }
            // The result belongs to the latest proposal or the latest direct change. If that was accepted, it is the value.
            let isConsistent = Stress.eventually {
                let result = property.result.value
                return result.isInvalid || result.value == inner.value
            }
            #expect(isConsistent, "\(property.result.value), \(inner.value)")
            #expect(mistakes.value == 0)
        }
    }
}
