#if !NaiveLocks
    public import CCorinth

    /// A queue of elements for a scheduler: one wake-up for a burst, not one for each element.
    ///
    /// How many may wait is the business of its ``Permits``. The number of taken places is the whole state: the post that
    /// finds 0 schedules a drain, and the drain that brings it back to 0 is the last. Elements lie in segments that are used again.
    ///
    /// Posts are made by one thread at a time, such as the owner of a strand; drains follow one another by the scheduler's
    /// law C1.
    @safe
    @usableFromInline
    final class Mailbox<Element>: Errand, @unchecked Sendable {
        // One side posts, one drains; what both touch is atomic.

        /// How many elements a drain delivers before it lets the scheduler do something else.
        @inlinable static var turn: UInt64 { 1024 }

        /// How many elements are delivered between two looks at the gate.
        @inlinable static var batch: UInt64 { 64 }

        /// How many used segments are kept for later, about 1 MiB: a burst that was longer leaves nothing more behind.
        @inlinable static var kept: Int { 256 }

        /// How many elements ahead of the one that is written memory is asked for: some cache lines.
        @inlinable static var ahead: Int { 8 }

        /// How many pauses of the processor a drain makes when a burst lets up. On x86-64 about a microsecond; where a pause is
        /// a hint that takes no time, nothing.
        @inlinable static var pauses: Int { 24 }

        // What both sides write has a cache line of its own, as has the number of elements, which is in `permits`.
        @usableFromInline var spareStorage: UInt64 = 0
        @usableFromInline var padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

        /// The segment that is written to, and how far. Owned by the posting side, as are `reserve` and its count.
        @safe @exclusivity(unchecked) @usableFromInline var tail: MailboxSegment<Element>
        @safe @exclusivity(unchecked) @usableFromInline var written = 0
        @safe @exclusivity(unchecked) @usableFromInline var reserve: MailboxSegment<Element>?
        @usableFromInline var tailPadding: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

        /// The segment that is read from, and how far. Owned by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var head: MailboxSegment<Element>
        @safe @exclusivity(unchecked) @usableFromInline var read = 0

        /// An element that was delivered and is counted as waiting, because of which the drain has stopped; or none. Owned by
        /// the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var owed: UInt64 = 0

        /// What schedules the drain that has stopped.
        @safe @exclusivity(unchecked) @usableFromInline var again: (@Sendable () -> Void)?

        /// What the next drain may take out of turn. Owned by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var batchOfResumed = Batch.none

        /// How many segments were put aside since the last trim. Owned by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var putAsideCount = 0

        @usableFromInline let scheduler: any Scheduler

        /// The same one, if it runs errands.
        @usableFromInline let errands: (any ErrandScheduler)?
        @usableFromInline let permits: Permits
        @usableFromInline let gate: Strand
        @usableFromInline let deliver: (Element) -> Void
        @usableFromInline let abandon: ((Element) -> Void)?

        /// - Parameters:
        ///   - scheduler: Runs the drains.
        ///   - gate: Owned while elements are delivered.
        ///   - bound: Where senders wait for room; nil if nowhere.
        ///   - abandon: Gets what is left when nobody posts any more and the scheduler has let go of the mailbox.
        ///   - deliver: Takes each element, in order.
        @inlinable
        init(
            on scheduler: any Scheduler, through gate: Strand, bound: MailboxBound? = nil,
            abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            self.scheduler = scheduler
            errands = scheduler as? any ErrandScheduler
            permits = Permits(bound, servedBy: errands?.context)
            self.gate = gate
            self.deliver = deliver
            self.abandon = abandon
            again = nil
            head = MailboxSegment()
            tail = head
            super.init { errand in unsafe unsafeDowncast(errand, to: Mailbox<Element>.self).drain() }
        }

        @inlinable
        deinit {
            // relaxed: nobody else is left.
            var left = waiting.load(.relaxed) - owed
            while left > 0 {
                let element = next()
                abandon?(element)
                left -= 1
            }
            head.deallocate()
            MailboxSegment<Element>.deallocate(from: reserve)
            MailboxSegment<Element>.deallocate(from: MailboxSegment(address: spare.load(.relaxed)))
        }

        @inlinable
        var waiting: AtomicWord { permits.used }

        /// Segments that were read to the end: the top of a list that the draining side pushes to, and the posting side
        /// takes whole.
        @inlinable
        var spare: AtomicWord { AtomicWord(of: self, at: Errand.size) }

        /// Queues an element, and waits for room as soon as that can be, if there was none.
        @inlinable
        func post(_ element: Element) {
            // relaxed: as in `Permits.take()`.
            if put(element) >= permits.limit.load(.relaxed) { overfill() }
        }

        @usableFromInline
        @inline(never)
        func overfill() {
            permits.overfill()
            Strand.settle()
        }

        /// Queues the last element of all, for which there always is room.
        @inlinable
        func postLast(_ element: Element) { _ = put(element) }

        /// Queues an element, and returns how many waited before it.
        @inlinable @inline(__always)
        func put(_ element: Element) -> UInt64 {
            Probe.hop(self)
            // The other side wrote to it last. It is fetched while the element is written.
            waiting.prefetch()
            if written == MailboxSegment<Element>.capacity { extend() }
            PlainAccess.write(self)
            tail.put(element, at: written)
            written += 1
            tail.prefetch(at: written + Mailbox.ahead)
            // release: publishes the element, and the segment that it is in. Pairs with the acquire in `drain()`. acquire:
            // sees what the drain that came to 0 did to schedule itself, on whatever thread.
            let before = waiting.fetchAdd(1, .acquireRelease)
            if before == 0 { schedule() }
            return before
        }

        @inlinable
        func schedule() {
            // On the line of the reference count, which the scheduler counts up when it has found a place.
            spare.prefetch()
            post(to: scheduler, errands)
        }

        @inlinable
        func drain() {
            // The posting side wrote to both last: they come together.
            head.prefetch(at: read)
            waiting.prefetch()
            let thread = ThreadState.current
            // A scheduler's thread never waits for a place: others may be queued behind it.
            ThreadState.withoutWaiting {
                var delivered: UInt64 = 0
                // acquire: sees what the drain before has left, and `resume()`.
                _ = waiting.load(.acquire)
                if owed > 0 { thread.use(batchOfResumed) }
                while delivered < Mailbox.turn {
                    if owed > 0 {
                        owed = 0
                        if permits.giveBack(1) == 0 { return trimIfLong() }
                    }
                    guard gate.tryEnter() else {
                        // Somebody ends the stream at this moment, or changes the observers. The rest is scheduled when that
                        // is done, and not by its owner: a scheduler that runs it at once would find the gate owned again,
                        // for ever.
                        let again = promise(to: scheduler, errands)
                        gate.enqueueEdit { Worker.submitSurely(again) }
                        return
                    }
                    // acquire: sees the elements. Pairs with the release in `post(_:)`.
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
                            gate.leave()
                            if left == 0 { return trimIfLong() }
                            continue
                        }
                        // The last one counts as waiting until this drain goes on: nobody schedules another one.
                        owed = 1
                        _ = permits.giveBack(taken - 1)
                        gate.leave()
                        again = promise(to: scheduler, errands)
                        if !waits.stop(self, owning: permits) { resume(with: .none) }
                        return
                    }
                    if taken < Mailbox.batch && delivered >= Mailbox.batch { linger() }
                    let left = permits.giveBack(taken)
                    gate.leave()
                    if left == 0 { return trimIfLong() }
                }
                schedule()
            }
        }

        /// Counts a delivery, if anybody may wait for one.
        @inlinable @inline(__always)
        func countDelivery() {
            if permits.capacity != .max { permits.countDelivery() }
        }

        /// Lets elements come together. A drain that is quicker than the posts would end in the middle of a burst and be
        /// scheduled again at once, or take the count from the other side for every few elements.
        @inlinable
        func linger() {
            for _ in 0..<Mailbox.pauses { corinth_pause() }
        }

        @usableFromInline
        override func resume(with batch: Batch) {
            let schedule = again.take()
            batchOfResumed = batch
            // release: whoever drains next sees what was done here, whatever the scheduler does. Pairs with `drain()`.
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
            var seen = spare.load(.relaxed)
            while true {
                segment.next = MailboxSegment(address: seen)
                // release: this side is done with the segment. Pairs with the exchange in `takeSpare()`.
                let result = spare.compareExchange(seen, segment.address, .release)
                if result.won { return }
                seen = result.seen
            }
        }

        /// Frees the segments that a long burst has left, if there was one.
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

        /// The used segments, as many as are kept, and the caller's now; the others are freed.
        @inlinable
        func takeSpare() -> MailboxSegment<Element>? {
            // acquire: sees that the draining side is done with them. Taking all of them at once leaves no chance for an
            // address to come back in between.
            let taken = MailboxSegment<Element>(address: spare.exchange(0, .acquire))
            var last = taken
            for _ in 1..<Mailbox.kept { last = last?.next }
            MailboxSegment<Element>.deallocate(from: last?.next)
            last?.next = nil
            return taken
        }

        /// Puts an empty segment behind the tail: a used one, if there is one.
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
