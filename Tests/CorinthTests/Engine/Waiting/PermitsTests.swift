#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// The queue for permits, one step at a time. ``PermitsExplorationTests`` tries it with threads.
    struct PermitsTests {
        @Test
        func
            `What all threads write, what rarely changes, and what the delivering side writes are on different cache lines`()
        {
            let permits = Permits(capacity: 1, stallTimeout: .max)
            let start = permits.stateAddress.bits
            func line(_ address: UnsafeMutablePointer<UInt64>) -> UInt64 {
                (UInt64(UInt(bitPattern: address)) - start) / UInt64(CacheLinePadding.size)
            }
            #expect(start % UInt64(CacheLinePadding.size) == 0)
            #expect(unsafe line(permits.state.used.address) == 0 && line(permits.state.limit.address) == 0)
            #expect(unsafe line(permits.state.over.address) == 1)
            #expect(unsafe line(permits.state.progress.address) == 2 && line(permits.state.handing.word.address) == 2)
        }

        @Test
        func `A task that is cancelled while it waits lets the drain behind it continue, if there is room for that`() {
            let permits = Permits(capacity: 1, stallTimeout: .max)
            let (isCancelled, isResumed) = (Flag(), Flag())
            #expect(permits.tryTake())
            let task = TaskWaiter()
            task.begin { if $0 == .cancelled { isCancelled.raise() } }
            #expect(!task.takePermit(of: permits))
            // The drain has an element beyond the bound.
            permits.enter()
            #expect(permits.stop(ResumableAction { _ in isResumed.raise() }, owning: nil))
            permits.giveBack(1)
            // The element is within the bound now, but the task that waits for one more comes first.
            #expect(permits.waiterCount == 2)
            #expect(!isResumed.isRaised)
            task.cancel()
            #expect(isCancelled.isRaised && isResumed.isRaised)
            #expect(permits.waiterCount == 0)
            permits.giveBack(1)
        }

        @Test(arguments: 0..<4)
        func `Waiters are resumed while the flag of their queue isn't held`(way: Int) {
            let permits = Permits(capacity: 1, stallTimeout: way == 3 ? 1 : .max)
            let own = Permits(capacity: 1, stallTimeout: .max)
            #expect(permits.tryTake())
            permits.enter()
            let counts = Atomic<[Int]>([])
            // The count takes the flag.
            let drain = ResumableAction { _ in counts.modify { $0.append(permits.waiterCount) } }
            #expect(permits.stop(drain, owning: own))
            switch way {
            case 0: permits.giveBack(1)
            case 1: permits.close()
            case 2:
                own.endWaits()
                // Nobody waits, so a free permit is taken at once.
                #expect(permits.state.limit.load(.relaxed) == permits.state.capacity)
            default:
                // After the stall timeout, one more capacity is admitted.
                #expect(Stress.eventually { !counts.value.isEmpty })
            }
            #expect(counts.value == [0])
        }

        @Test(arguments: [1, 2, 64, 1024])
        func `A drain whose permits are within the bound doesn't stop`(capacity: UInt64) {
            let permits = Permits(capacity: capacity, stallTimeout: .max)
            for _ in 0..<capacity { #expect(permits.tryTake()) }
            #expect(!permits.stop(ResumableAction { _ in }, owning: nil))
        }

        @Test func `After a stall timeout, all drains resume for which one more capacity has room`() {
            let (now, timeout) = (MonotonicTime.now, UInt64(1) << 60)
            let permits = Permits(capacity: 64, stallTimeout: timeout)
            for _ in 0..<64 { #expect(permits.tryTake()) }
            let resumed = Counter()
            for _ in 0..<60 {
                permits.enter()
                #expect(permits.stop(ResumableAction { _ in resumed.increment() }, owning: nil))
            }
            #expect(permits.queue?.check(at: now) != nil)
            #expect(permits.queue?.check(at: now + timeout / 2) != nil)
            #expect(resumed.value == 0)
            #expect(permits.queue?.check(at: now + timeout / 2 * 3) == nil)
            #expect(resumed.value == 60)
        }

        @Test func `A drain that has stopped on permits resumes when they are released`() {
            let isResumed = Flag()
            var permits: Permits? = Permits(capacity: 1, stallTimeout: .max)
            #expect(permits?.tryTake() == true)
            permits?.enter()
            #expect(permits?.stop(ResumableAction { _ in isResumed.raise() }, owning: nil) == true)
            permits = nil
            #expect(isResumed.isRaised)
        }

        @Test func `The last reference to permits may go while the progress thread checks their queue`() {
            for _ in 0..<Stress.fewer(200) {
                let all = (0..<100).map { _ in Atomic<Permits?>(Permits(capacity: 1, stallTimeout: 1_000_000)) }
                for permits in all {
                    permits.value?.enter()
                    permits.value?.enter()
                    #expect(permits.value?.stop(ResumableAction { _ in }, owning: nil) == true)
                }
                let queues = all.map { $0.value?.queue }
                let begun = AtomicWord()
                let ended = AtomicWord()
                ThreadGroup.run(2) { index in
                    for (number, queue) in queues.enumerated() {
                        if index == 0 {
                            begun.store(UInt64(number) + 1, .release)
                            while ended.load(.acquire) == number {
                                for _ in 0..<64 { _ = queue?.check(at: 0) }
                                // The other thread may be waiting for this processor.
                                Work.yield()
                            }
                        } else {
                            while begun.load(.acquire) == number { Work.yield() }
                            all[number].value = nil
                            ended.store(UInt64(number) + 1, .release)
                        }
                    }
                }
                for queue in queues { #expect(queue?.count == 0) }
            }
        }

        @Test func `A thread of a task waits for a task, and one more capacity is admitted now and then`() {
            let permits = Permits(capacity: 1, stallTimeout: .max, servedBy: TaskContext.any)
            permits.blockingTake()
            #expect(TaskContext.isTaskHere)
            // After 100 ms; it would be for ever otherwise.
            permits.blockingTake()
            #expect(permits.state.taken(.relaxed) == 2)
        }

        @Test(arguments: [false, true])
        func
            `A task whose event has filled a hop after it was suspended goes on when there is room, or if it was cancelled`(
                isCancelled: Bool
            )
        {
            let hop = Permits(capacity: 1, stallTimeout: .max)
            let strand = Strand(capacity: 2, stallTimeout: .max)
            #expect(hop.tryTake())
            guard let owned = strand.enter() else { return #expect(Bool(false), "a new strand is owned") }
            let delivery = strand.setWaitsAside(owned)
            // As a delivery that exceeds the bound.
            hop.take()
            let attempt = strand.leave(delivery, suspending: true)
            let isResumed = Flag()
            let waiter = TaskWaiter()
            waiter.begin { _ in isResumed.raise() }
            if isCancelled { waiter.cancel() }
            waiter.join { attempt }
            #expect(isResumed.isRaised == isCancelled)
            hop.giveBack(1)
            #expect(isResumed.isRaised)
            waiter.finish()
            #expect(hop.waiterCount == 0)
            // The strand is idle, in the second case as soon as a worker has continued it.
            #expect(Stress.eventually { strand.enter {} })
        }
    }

    extension Permits {
        fileprivate var queue: WaitQueue? {
            let graph = WaitGraph.acquire()
            let queue = graph.queue(of: stateAddress)
            graph.release()
            return queue
        }
    }
#endif
