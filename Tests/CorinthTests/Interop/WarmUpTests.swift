import Dispatch
import Testing

@testable import Corinth

@Suite("Warming up")
struct WarmUpTests {
    private struct Order: Sendable {
        var name = ""
    }

    @Test func `It says what it has touched, each part once and in order, and then each type`() {
        let result = warmUp(Order.self, [Int].self)
        #expect(
            result.steps.map(\.name)
                == ["processors", "barriers", "queues", "streams", "hops", "timers", "actions", "Order", "Array<Int>"])
        #expect(result.steps.allSatisfy { $0.duration >= .zero } && result.duration > .zero)
        #expect(result.description.hasPrefix("processors ") && result.description.contains(", Order "))
        #expect(warmUp().steps.count == 7)
    }

    /// In a process of its own, since objects of other tests end while it runs. Some of the first time may still be ending when
    /// it is looked at, but not ten times as many.
    @Test(.enabled(if: LiveObjects.isCounting))
    func `Nothing of it remains`() async {
        await #expect(processExitsWith: .success) {
            warmUp(Order.self)
            let before = LiveObjects.now
            for _ in 1...10 { warmUp(Order.self) }
            let isBack = Stress.eventually {
                let now = LiveObjects.now
                return now.signals <= before.signals && now.starts <= before.starts
                    && now.observations <= before.observations
            }
            precondition(isBack, "\(LiveObjects.now); before it was \(before)")
        }
    }

    @Test func `After it, the first value of a type goes through a queue`() {
        warmUp(Order.self)
        let queue = QueueScheduler(name: "first")
        let (output, input) = Signal<Order, Never>.pipe()
        let arrived = DispatchSemaphore(value: 0)
        output.observe(on: queue).observeValues { _ in arrived.signal() }
        input.send(value: Order())
        arrived.wait(orElse: "the value hasn't arrived")
    }
}
