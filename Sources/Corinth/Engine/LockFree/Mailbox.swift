#if !NaiveLocks
    public import CCorinth

    /// A queue of elements for a scheduler: one wake-up for a burst, not one for each element.
    ///
    /// Its ``Permits`` bound the number of queued elements. The number of taken permits is the whole state. A post that finds
    /// 0 schedules a drain. A drain that returns the number to 0 is the last. Elements lie in segments that are reused.
    ///
    /// One thread at a time posts, such as the owner of a strand. Drains run one after another by the scheduler's law C1.
    @safe
    @usableFromInline
    final class Mailbox<Element>: WorkItem, @unchecked Sendable {
        // One side posts, one drains; shared fields are atomic.

        /// How many elements a drain delivers before it yields to the scheduler.
        @inlinable static var drainLimit: UInt64 { 1024 }

        /// How many elements are delivered between two checks of the strand.
        @inlinable static var batch: UInt64 { 64 }

        /// How many used segments are kept, about 1 MiB. Those of a longer burst are freed.
        @inlinable static var kept: Int { 256 }

        /// How many elements ahead of the written one memory is prefetched: some cache lines.
        @inlinable static var ahead: Int { 8 }

        /// How many processor pauses a drain makes when a burst slows down. About a microsecond on x86-64, nothing where a
        /// pause is a hint that takes no time.
        @inlinable static var pauses: Int { 24 }

        // Fields that both sides write have their own cache line. So has the number of elements, which is in `permits`.
        @usableFromInline var spareStorage: UInt64 = 0
        @usableFromInline let padding = CacheLinePadding()

        /// The segment being written, and the position. Owned by the posting side, as is `reserve`.
        @safe @exclusivity(unchecked) @usableFromInline var tail: MailboxSegment<Element>
        @safe @exclusivity(unchecked) @usableFromInline var written = 0
        @safe @exclusivity(unchecked) @usableFromInline var reserve: MailboxSegment<Element>?
        @usableFromInline let tailPadding = CacheLinePadding()

        /// The segment being read, and the position. Owned by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var head: MailboxSegment<Element>
        @safe @exclusivity(unchecked) @usableFromInline var read = 0

        /// 1 if the drain has stopped after an element that was delivered and is still counted as queued; otherwise 0. Owned
        /// by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var owed: UInt64 = 0

        /// Reschedules the stopped drain.
        @safe @exclusivity(unchecked) @usableFromInline var resumeAction: (@Sendable () -> Void)?

        /// The permits that the next drain may take out of order. Owned by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var batchOfResumed = Batch.none

        /// How many segments were put aside since the last trim. Owned by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var putAsideCount = 0

        @usableFromInline let scheduler: any WorkItemScheduler
        @usableFromInline let permits: Permits
        @usableFromInline let strand: Strand
        @usableFromInline let deliver: (Element) -> Void
        @usableFromInline let abandon: ((Element) -> Void)?

        /// - Parameters:
        ///   - scheduler: Runs the drains.
        ///   - strand: Owned while elements are delivered.
        ///   - bound: Where senders wait for capacity; nil if unbounded.
        ///   - abandon: Receives the remaining elements after posting has ended and the scheduler has released the mailbox.
        ///   - deliver: Receives each element, in order.
        @inlinable
        init(
            on scheduler: any WorkItemScheduler, through strand: Strand, bound: MailboxBound? = nil,
            abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            self.scheduler = scheduler
            permits = Permits(bound, servedBy: scheduler.context)
            self.strand = strand
            self.deliver = deliver
            self.abandon = abandon
            resumeAction = nil
            head = MailboxSegment()
            tail = head
            super.init { workItem in unsafe unsafeDowncast(workItem, to: Mailbox<Element>.self).drain() }
            assert(spare.word.isStored(in: &spareStorage))
        }

        @inlinable
        deinit {
            // relaxed: no other thread has a reference.
            var left = waiting.load(.relaxed) - owed
            while left > 0 {
                let element = next()
                abandon?(element)
                left -= 1
            }
            head.deallocate()
            MailboxSegment<Element>.deallocate(from: reserve)
            MailboxSegment<Element>.deallocate(from: MailboxSegment(address: spare.word.load(.relaxed)))
        }

        @inlinable
        var waiting: AtomicWord { permits.used }

        /// Segments that were read to the end. The draining side pushes to this list; the posting side takes the whole list.
        @inlinable
        var spare: AtomicStack { AtomicStack(AtomicWord(of: self, at: WorkItem.size)) }

        /// Queues an element. If the mailbox is full, the thread waits as soon as it can.
        @inlinable
        func post(_ element: Element) {
            // relaxed: as in `Permits.take()`.
            if put(element) >= permits.limit.load(.relaxed) { overfill() }
        }

        @usableFromInline
        @inline(never)
        func overfill() {
            permits.overfill()
            Strand.waitForDeferred()
        }

        /// Queues the last element. It always fits.
        @inlinable
        func postLast(_ element: Element) { _ = put(element) }

        /// Queues an element, and returns how many were queued before it.
        @inlinable @inline(__always)
        func put(_ element: Element) -> UInt64 {
            Probe.hop(self)
            // The other side wrote it last. It is fetched while the element is written.
            waiting.prefetch()
            if written == MailboxSegment<Element>.capacity { extend() }
            PlainAccess.write(self)
            tail.put(element, at: written)
            written += 1
            tail.prefetch(at: written + Mailbox.ahead)
            // release: publishes the element and its segment. Pairs with the acquire in `drain()`. acquire: sees what the
            // drain that reached 0 did to schedule itself, on any thread.
            let before = waiting.fetchAdd(1, .acquireRelease)
            if before == 0 { schedule() }
            return before
        }

        @inlinable
        func schedule() {
            // On the line of the reference count. The scheduler increments it when it has found a place.
            spare.word.prefetch()
            post(to: scheduler)
        }

        @inlinable
        func drain() {
            // The posting side wrote both last: both fetches overlap.
            head.prefetch(at: read)
            waiting.prefetch()
            let thread = ThreadState.current
            // A scheduler's thread never waits for a permit: other work may be queued behind it.
            ThreadState.withoutWaiting {
                var delivered: UInt64 = 0
                // acquire: sees the writes of the previous drain and of `resume(with:)`.
                _ = waiting.load(.acquire)
                if owed > 0 { thread.use(batchOfResumed) }
                while delivered < Mailbox.drainLimit {
                    if owed > 0 {
                        owed = 0
                        if permits.giveBack(1) == 0 { return trimIfLong() }
                    }
                    guard strand.tryEnter() else {
                        // Another thread ends the stream or changes the observers. A worker schedules the rest after that.
                        // The strand's owner must not: a scheduler that runs it at once would find the strand owned again,
                        // for ever.
                        let resumeAction = scheduler.rescheduleToken(for: self)
                        strand.enqueueEdit { Worker.submitSurely(resumeAction) }
                        return
                    }
                    // acquire: sees the elements. Pairs with the release in `put(_:)`.
                    let ready = min(waiting.load(.acquire), Mailbox.batch)
                    var taken: UInt64 = 0
                    repeat {
                        deliver(next())
                        countDelivery()
                        taken += 1
                    } while taken < ready && !thread.hasDeferredWait
                    delivered += taken
                    if thread.hasDeferredWait, let waits = thread.takeDeferredWaits() {
                        guard waits.areFull(owning: permits) else {
                            let left = permits.giveBack(taken)
                            strand.leave()
                            if left == 0 { return trimIfLong() }
                            continue
                        }
                        // The last element counts as queued until this drain resumes, so no post schedules another drain.
                        owed = 1
                        _ = permits.giveBack(taken - 1)
                        strand.leave()
                        resumeAction = scheduler.rescheduleToken(for: self)
                        if !waits.stop(self, owning: permits) { resume(with: .none) }
                        return
                    }
                    if taken < Mailbox.batch && delivered >= Mailbox.batch { pauseBriefly() }
                    let left = permits.giveBack(taken)
                    strand.leave()
                    if left == 0 { return trimIfLong() }
                }
                schedule()
            }
        }

        /// Counts a delivery, if a thread may wait for one.
        @inlinable @inline(__always)
        func countDelivery() {
            if permits.capacity != .max { permits.countDelivery() }
        }

        /// Lets elements accumulate. A drain faster than the posts would end in the middle of a burst and be rescheduled at
        /// once, or contend for the count every few elements.
        @inlinable
        func pauseBriefly() {
            for _ in 0..<Mailbox.pauses { corinth_pause() }
        }

        @usableFromInline
        override func resume(with batch: Batch) {
            let schedule = resumeAction.take()
            batchOfResumed = batch
            // release: the next drain sees the writes made here, whatever the scheduler does. Pairs with `drain()`.
            waiting.fetchAdd(0, .release)
            schedule?()
        }

        @inlinable
        func next() -> Element {
            if read == MailboxSegment<Element>.capacity {
                let finished = head
                guard let following = finished.next else { preconditionFailure("a mailbox has lost its elements") }
                head = following
                read = 0
                putAside(finished)
            }
            let element = head.take(at: read)
            read += 1
            return element
        }

        @inlinable
        func putAside(_ segment: MailboxSegment<Element>) {
            putAsideCount += 1
            // release: this side is done with the segment. Pairs with the acquire in `takeSpare()`.
            spare.push(segment.address) { segment.next = MailboxSegment(address: $0) }
        }

        /// Frees the segments that remain from a long burst.
        @inlinable
        func trimIfLong() {
            if putAsideCount <= Mailbox.kept { return }
            var rest = takeSpare()
            putAsideCount = 0
            while let segment = rest {
                rest = segment.next
                putAside(segment)
            }
        }

        /// The used segments, at most `kept` of them, now owned by the caller; the others are freed.
        @inlinable
        func takeSpare() -> MailboxSegment<Element>? {
            // acquire: sees that the draining side is done with them.
            let taken = MailboxSegment<Element>(address: spare.takeAddress())
            var last = taken
            for _ in 1..<Mailbox.kept { last = last?.next }
            MailboxSegment<Element>.deallocate(from: last?.next)
            last?.next = nil
            return taken
        }

        /// Appends an empty segment to the tail, reused if possible.
        @inlinable
        func extend() {
            if reserve == nil { reserve = takeSpare() }
            let segment: MailboxSegment<Element>
            if let used = reserve {
                reserve = used.next
                segment = used
            } else {
                segment = MailboxSegment()
            }
            segment.next = nil
            tail.next = segment
            tail = segment
            written = 0
        }
    }
#endif
