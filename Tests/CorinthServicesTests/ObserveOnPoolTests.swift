import Corinth
import CorinthServices
import CorinthTesting
import Dispatch
import Testing

struct ObserveOnPoolTests {
    @Test(arguments: [false, true])
    func `Each partition is told the scheduler on which it runs`(isProducer: Bool) {
        let pool = QueueSchedulerPool(count: 3, name: "partitions")
        let wrong = Atomic(0)
        let done = DispatchSemaphore(value: 0)
        let transform: @Sendable (Signal<Int, Never>, PooledScheduler) -> Signal<Bool, Never> = {
            partition, scheduler in
            partition.map { pool.scheduler(for: $0) === scheduler }
        }
        let (output, input) = Signal<Int, Never>.pipe()
        let observer = Signal<Bool, Never>.Observer(
            value: { isRight in if !isRight { wrong.modify { $0 += 1 } } }, completed: { done.signal() })
        if isProducer {
            SignalProducer(output).observe(on: pool, by: { $0 }, transform).start(observer)
        } else {
            output.observe(on: pool, by: { $0 }, transform).observe(observer)
        }
        for value in 0..<300 { input.send(value: value) }
        input.sendCompleted()
        done.wait()
        #expect(wrong.value == 0)
    }
}
