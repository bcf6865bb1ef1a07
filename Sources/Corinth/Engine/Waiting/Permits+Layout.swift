#if !NaiveLocks
    internal import CCorinth

    extension ccorinth_layout {
        /// Says where the figures of queues lie.
        mutating func describeQueues() {
            let (permits, blocker) = (Permits.sample(capacity: 1_001), Permits.sample(capacity: 1_002))
            let address = permits.stateAddress
            counters = unsafe LayoutSample(permits).offset(of: UnsafeRawPointer(permits.lazyState.word.address))
            let state = unsafe LayoutSample(at: UnsafeRawPointer(address.pointer))
            used = unsafe state.offset(of: UnsafeRawPointer(address.pointee.used.address))
            progress = unsafe state.offset(of: UnsafeRawPointer(address.pointee.progress.address))
            stalls = unsafe state.offset(of: UnsafeRawPointer(address.pointee.stalls.address))
            excesses = unsafe state.offset(of: UnsafeRawPointer(address.pointee.excesses.address))
            // relaxed: no other thread knows these permits. The limit is the same number.
            address.pointee.limit.store(.max, .relaxed)
            capacity = state.offset(of: 1_001)
            let queue = WaitQueue(of: permits)
            waiter_count = queue.offsetOfCount
            permits.set(queue: queue, blocker: blocker.stateAddress)
            waiters = state.offset(of: queue)
            self.blocker = state.offset(of: UInt(blocker.stateAddress.bits))
            permits.set(queue: nil, blocker: nil)

            let strand = Strand()
            word = unsafe LayoutSample(strand).offset(of: UnsafeRawPointer(strand.bias.word.address))
            inside = unsafe LayoutSample(strand).offset(of: UnsafeRawPointer(strand.bias.inside.address))
            let mailbox = DroppingMailbox<Int>(
                on: Nowhere(), through: strand, capacity: 1_001, dropsOldest: true
            ) { _ in }
            let sample = LayoutSample(mailbox)
            dropping_capacity = sample.offset(of: 1_001)
            dropping_posted = unsafe sample.offset(of: UnsafeRawPointer(mailbox.posted.address))
            dropping_taken = unsafe sample.offset(of: UnsafeRawPointer(mailbox.taken.address))
            withExtendedLifetime((permits, blocker, queue, strand, mailbox)) {}
        }
    }

    extension Permits {
        fileprivate static func sample(capacity: UInt64) -> Permits {
            Permits(capacity: capacity, stallTimeout: .max, countsPosts: true)
        }

        fileprivate final func set(queue: WaitQueue?, blocker: PermitStateAddress?) {
            let graph = WaitGraph.acquire()
            graph.use(queue, for: stateAddress)
            graph.block(self, on: blocker)
            graph.release()
        }
    }

    /// The scheduler of a mailbox to which nothing is posted.
    private final class Nowhere: WorkItemScheduler {
        func post(_ workItem: WorkItem) {}
        func perform(_ action: @escaping @Sendable () -> Void) {}
    }
#endif
