import Dispatch
import Foundation
import Testing

@testable import Corinth

/// A `modify` inside the `modify` of another value, where that works. `DeadlockCheckTests` has the orders that deadlock.
struct NestedModifyTests {
    /// The check reports nothing if the orders agree, even if threads often wait for each other.
    @Test func theSameOrder() {
        let (first, second, third) = (MutableProperty(0), Atomic(0), MutableProperty([0]))
        let rounds = 2000
        ThreadGroup.run(4) { index in
            for _ in 0..<rounds {
                switch index {
                case 0, 1:
                    first.modify { first in
                        second.modify { second in
                            third.modify { $0[0] += 1 }
                            second += 1
                        }
                        first += 1
                    }
                case 2:
                    second.modify { second in
                        third.modify { $0[0] += 1 }
                        second += 1
                    }
                default:
                    first.modify { first in
                        third.modify { $0[0] += 1 }
                        first += 1
                    }
                }
            }
        }
        #expect(first.value == 3 * rounds)
        #expect(second.value == 3 * rounds)
        #expect(third.value == [4 * rounds])
    }

    /// Opposite orders are allowed as long as no two threads wait for each other.
    @Test func oppositeOrdersOfOneThread() {
        let (first, second) = (MutableProperty(0), MutableProperty(0))
        first.modify { _ in second.modify { $0 += 1 } }
        second.modify { _ in first.modify { $0 += 1 } }
        #expect(first.value == 1)
        #expect(second.value == 1)
    }

    #if !NaiveLocks
        @Test func `A modify of the same value is refused, also while another thread takes the value's bias back`()
            async
        {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let value = Atomic(0)
                // Now the value is biased to this thread.
                for _ in 0..<1_000 { value.modify { $0 += 1 } }
                let begins = DispatchSemaphore(value: 0)
                value.modify { number in
                    Thread.detachNewThread {
                        begins.signal()
                        value.modify { $0 += 1 }
                    }
                    begins.wait()
                    Thread.sleep(forTimeInterval: 0.02)
                    value.modify { $0 += number }
                }
            }
            #expect(result.says("modify was called from inside a modify of the same value"))
        }
    #endif
}
