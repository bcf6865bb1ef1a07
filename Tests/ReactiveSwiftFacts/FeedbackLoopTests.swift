import ReactiveSwift
import Testing

/// A loop of feedback, as state containers have it: its effects send events, each event makes a state, and its effects follow the
/// states. `concat` must start the states after the producer before them has returned, or they begin with another state.
struct FeedbackLoopTests {
    /// Events that are sent before the loop runs wait until then, and those that are sent while it runs come in order.
    private final class Loop: @unchecked Sendable {  // Used by one thread.
        let state = MutableProperty(0)
        private var events: [Int] = []
        private var isRunning = false

        func send(_ event: Int) { events.append(event) }

        func run() {
            if isRunning { return }
            isRunning = true
            defer { isRunning = false }
            while !events.isEmpty { state.value += events.removeFirst() }
        }
    }

    /// ReactiveSwift's result. If the states are started inside the end of `first`, the first of them is 0: 0, 2, 1002, …
    @Test func statesFollowAfterTheFirstEventHasBeenHandled() {
        let loop = Loop()
        let first = SignalProducer<Int, Never> { observer, _ in
            observer.send(value: 2)
            observer.sendCompleted()
            loop.run()
        }
        let states = Atomic<[Int]>([])
        loop.state.producer.startWithValues { state in states.modify { $0.append(state) } }
        SignalProducer<Never, Never>.empty.then(first)
            .concat(loop.state.producer.take(first: 4).map { $0 + 1_000 })
            .startWithValues { event in
                loop.send(event)
                if event != 2 { loop.run() }
            }
        #expect(states.value == [0, 2, 1_004, 3_008, 7_016, 15_032])
    }
}
