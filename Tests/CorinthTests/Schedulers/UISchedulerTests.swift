import Corinth
import Dispatch
import Testing

struct UISchedulerTests {
    /// An action that is scheduled inside another one is queued.
    @Test @MainActor func `C2: an action runs at once on the main thread if nothing is queued`() async {
        let scheduler = UIScheduler()
        let order = Atomic<[Int]>([])
        let returned = scheduler.schedule {
            order.modify { $0.append(1) }
            scheduler.schedule { order.modify { $0.append(3) } }
            order.modify { $0.append(2) }
        }
        #expect(returned == nil)
        #expect(order.value == [1, 2])
        // The action runs behind the queued ones, although the main thread schedules it.
        await withCheckedContinuation { continuation in
            let queued = scheduler.schedule {
                order.modify { $0.append(4) }
                continuation.resume()
            }
            #expect(queued != nil)
        }
        #expect(order.value == [1, 2, 3, 4])
        let again = scheduler.schedule { order.modify { $0.append(5) } }
        #expect(again == nil || order.value.count == 4)
    }

    @Test func `C1: actions from other threads run in FIFO order on the main queue`() async {
        let scheduler = UIScheduler()
        let order = Atomic<[Int]>([])
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                for number in 0..<100 {
                    scheduler.schedule {
                        dispatchPrecondition(condition: .onQueue(.main))
                        order.modify { $0.append(number) }
                    }
                }
                scheduler.schedule { continuation.resume() }
            }
        }
        #expect(order.value == Array(0..<100))
    }

    @Test @MainActor func disposal() async {
        let scheduler = UIScheduler()
        let (runs, leaks) = (Counter(), LeakCounter())
        await withCheckedContinuation { continuation in
            scheduler.schedule {
                let disposed = scheduler.schedule { [token = leaks.token()] in
                    token.touch()
                    runs.increment()
                }
                disposed?.dispose()
                scheduler.schedule { continuation.resume() }
            }
        }
        #expect(runs.value == 0)
        #expect(leaks.count == 0)
    }
}
