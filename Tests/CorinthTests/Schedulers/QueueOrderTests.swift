import Corinth
import Dispatch
import Testing

/// The order of actions and of blocks that are posted to the queue itself, and the wake-ups of a burst.
struct QueueOrderTests {
    @Test func `A block that is posted to the queue runs behind all actions that were scheduled before it`() {
        let scheduler = QueueScheduler(name: "order")
        let (hop, input) = Signal<Int, Never>.pipe()
        let done = Atomic(0)
        hop.observe(on: scheduler).observeValues { _ in done.modify { $0 += 1 } }
        var sent = 0
        for round in 0..<2_000 {
            // Now and then the queue runs already, and rests.
            for _ in 0..<round % 5 {
                scheduler.schedule { done.modify { $0 += 1 } }
                input.send(value: 0)
                sent += 2
            }
            let seen = scheduler.queue.sync { done.value }
            #expect(seen == sent)
        }
    }

    @Test func `A burst of actions and of hops that take turns wakes the queue once`() {
        let scheduler = QueueScheduler(name: "order")
        let log = Atomic<[Int]>([])
        let inputs = (0..<2).map { _ in
            let (hop, input) = Signal<Int, Never>.pipe()
            hop.observe(on: scheduler).observeValues { value in log.modify { $0.append(value) } }
            return input
        }
        scheduler.queue.suspend()
        // It is behind the wake-up for the first value, and before one for a later value, if there were any.
        inputs[0].send(value: 0)
        scheduler.queue.async { log.modify { $0.append(-1) } }
        for value in 1..<100 {
            inputs[value % 2].send(value: value)
            if value % 3 == 0 { scheduler.schedule { log.modify { $0.append(1_000 + value) } } }
        }
        scheduler.queue.resume()
        scheduler.queue.sync {}
        let expected: [Int] = (0..<100).flatMap { (value: Int) -> [Int] in
            value > 0 && value % 3 == 0 ? [value, 1_000 + value] : [value]
        }
        #expect(log.value == expected + [-1])
        withExtendedLifetime(inputs) {}
    }

    @Test func `On the main queue, actions and blocks keep their order`() async {
        let log = Atomic<[Int]>([])
        DispatchQueue.main.async {
            for number in stride(from: 0, to: 20, by: 2) {
                QueueScheduler.main.schedule { log.modify { $0.append(number) } }
                DispatchQueue.main.async { log.modify { $0.append(number + 1) } }
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { DispatchQueue.main.async { continuation.resume() } }
        }
        #expect(log.value == Array(0..<20))
    }

    @Test func `An action that is disposed of among others doesn't run, and is released at once`() {
        let scheduler = QueueScheduler(name: "order")
        let log = Atomic<[Int]>([])
        scheduler.queue.suspend()
        let actions = (0..<5).map { number in scheduler.schedule { log.modify { $0.append(number) } } }
        actions[0]?.dispose()
        actions[3]?.dispose()
        scheduler.queue.resume()
        scheduler.queue.sync {}
        #expect(log.value == [1, 2, 4])
        #expect(actions.allSatisfy { $0?.isDisposed == true })
    }
}
