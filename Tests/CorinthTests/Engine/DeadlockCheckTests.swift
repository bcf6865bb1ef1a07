#if DEBUG && !NaiveLocks && !Exploration
    import Foundation
    import Testing

    @testable import Corinth

    /// A `modify` inside the `modify` of another value, in opposite orders. It is detected when threads wait for each other.
    struct DeadlockCheckTests {
        /// A barrier between neighbours: each thread waits until the next thread has arrived.
        private final class Ring: Sendable {
            private let arrivals: [DispatchSemaphore]

            init(_ count: Int) {
                arrivals = (0..<count).map { _ in DispatchSemaphore(value: 0) }
            }

            /// Returns when the thread with the next number has arrived, too.
            func meet(_ index: Int) {
                arrivals[index].signal()
                arrivals[(index + 1) % arrivals.count].wait(
                    orElse: "thread \(index) waits for a thread that doesn't arrive")
            }
        }

        @Test func propertiesInOppositeOrders() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (number, text) = (MutableProperty(1), MutableProperty("a"))
                let ring = Ring(2)
                ThreadGroup.run([
                    {
                        number.modify { number in
                            ring.meet(0)
                            text.modify { $0 = "\(number)" }
                        }
                    },
                    {
                        text.modify { _ in
                            ring.meet(1)
                            number.modify { $0 += 1 }
                        }
                    },
                ])
            }
            #expect(result.says("deadlock: modify was called inside modify, in opposite orders"))
            #expect(result.says("changes MutableProperty<Int> (0x"))
            #expect(result.says("and waits for MutableProperty<String> (0x"))
            #expect(result.says("changes MutableProperty<String> (0x"))
            #expect(result.says("and waits for MutableProperty<Int> (0x"))
        }

        /// The check covers atomic values, and every kind of value through which a property is changed.
        @Test func aRingOfThree() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (small, large, flag) = (Atomic(1), Atomic([1]), MutableProperty(false))
                let ring = Ring(3)
                let name: @Sendable (String) -> Void = { Foundation.Thread.current.name = $0 }
                ThreadGroup.run([
                    {
                        name("first")
                        small.modify { _ in
                            ring.meet(0)
                            large.value = []
                        }
                    },
                    {
                        name("second")
                        large.modify { _ in
                            ring.meet(1)
                            flag.value = true
                        }
                    },
                    {
                        name("third")
                        flag.modify { _ in
                            ring.meet(2)
                            small.modify { $0 += 1 }
                        }
                    },
                ])
            }
            #expect(result.says("“first” changes Atomic<Int> ("))
            #expect(result.says("and waits for Atomic<Array<Int>> ("))
            #expect(result.says("“second” changes Atomic<Array<Int>> ("))
            #expect(result.says("and waits for MutableProperty<Bool> ("))
            #expect(result.says("“third” changes MutableProperty<Bool> ("))
            #expect(result.says("and waits for Atomic<Int> ("))
        }
    }
#endif
