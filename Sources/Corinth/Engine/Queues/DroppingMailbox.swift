#if !NaiveLocks
    /// A mailbox of fixed capacity. An element posted to a full mailbox is refused, or replaces the oldest one.
    ///
    /// Elements lie in slots. A ring holds the slot numbers, in FIFO order. A thread that increments ``taken`` claims the
    /// oldest element: the draining side delivers it, the posting side drops it. The claimer owns the slot. The draining side
    /// moves the element out and returns the slot through a second ring. There are `capacity + 2` slots: one is being read,
    /// and one is reserved for the termination, which always fits.
    ///
    /// One thread at a time posts. Drains run one after another, as in ``Mailbox``.
    @safe
    @usableFromInline
    final class DroppingMailbox<Element>: OrderedDrain, @unchecked Sendable {
        // One side posts, one drains; shared fields are atomic.

        @usableFromInline let stage = AtomicState<DrainStage>(.idle)

        /// How many elements have been claimed. Written by both sides.
        @usableFromInline let taken = AtomicWord()
        @usableFromInline let padding = CacheLinePadding()

        /// How many have been posted. Written by the posting side, as are the fields below.
        @usableFromInline let posted = AtomicWord()

        /// How many elements have been dropped: of those that were posted, or that were refused. Written by the posting side.
        @usableFromInline let dropped = AtomicWord()

        /// What the posting side knows.
        @frozen
        @usableFromInline
        struct PostingSide {
            /// How many slots have been used so far, and how many it has received back.
            @usableFromInline var used = 0
            @usableFromInline var received: UInt64 = 0

            /// The order's count with which an element joins the last run.
            @usableFromInline var joinable: UInt64 = 1

            @inlinable
            init() {}
        }

        @safe @exclusivity(unchecked)
        @usableFromInline var posting = PostingSide()
        @usableFromInline let postingPadding = CacheLinePadding()

        /// How many slots the draining side has returned.
        @usableFromInline let returned = AtomicWord()

        /// How many runs have begun. Written by the draining side.
        @usableFromInline let begun = AtomicWord()

        /// What the draining side knows, or the thread that resumes it.
        @frozen
        @usableFromInline
        struct DrainingSide {
            /// Whether the last drain has found an element of a later run.
            @usableFromInline var foundNextRun = false

            /// The permits that the next drain may take out of order.
            @usableFromInline var batchOfResumed = Batch.none

            @inlinable
            init() {}
        }

        @safe @exclusivity(unchecked)
        @usableFromInline var draining = DrainingSide()

        /// As in `Mailbox`.
        @frozen
        @usableFromInline
        struct Turn {
            @usableFromInline var rests = true
            @usableFromInline var isStopped = false

            @inlinable
            init() {}
        }

        @safe @exclusivity(unchecked)
        @usableFromInline var turn = Turn()

        /// What other threads wait for while the drain is stopped. It is unbounded: no thread waits for a permit.
        @usableFromInline let permits: Permits

        @usableFromInline let capacity: UInt64
        @usableFromInline let dropsOldest: Bool
        @usableFromInline let slots: MailboxSlots<Element>
        @usableFromInline let strand: Strand
        @usableFromInline let deliver: (Element) -> Void
        @usableFromInline let abandon: ((Element) -> Void)?

        /// - Parameters:
        ///   - scheduler: Runs the drains.
        ///   - order: That of the scheduler; ``ScheduleOrder/none`` if the elements need not keep it.
        ///   - strand: Owned while elements are delivered.
        ///   - capacity: How many elements the mailbox holds, not counting the last.
        ///   - dropsOldest: Whether a new element replaces the oldest or is refused.
        ///   - abandon: As of a ``Mailbox``.
        ///   - deliver: Receives each element, in order.
        @inlinable
        init(
            on scheduler: any WorkItemScheduler, in order: ScheduleOrder? = nil, through strand: Strand, capacity: Int,
            dropsOldest: Bool, abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            self.capacity = UInt64(capacity)
            self.dropsOldest = dropsOldest
            slots = MailboxSlots(count: capacity + 2)
            permits = Permits(nil, servedBy: scheduler.context)
            self.strand = strand
            self.deliver = deliver
            self.abandon = abandon
            super.init(on: scheduler, in: order) { mailbox, runs, isServed in
                unsafe unsafeDowncast(mailbox, to: DroppingMailbox<Element>.self).beginRuns(runs, isServed: isServed)
            }
            if Registry.isOn { enter(as: .droppingHop, permits, self.strand) }
        }

        @inlinable
        deinit {
            if Registry.mayContainAny { Registry.leave(self) }
            // relaxed: no other thread has a reference.
            begun.store(runs.load(.relaxed), .relaxed)
            while let element = next() { abandon?(element) }
            slots.deallocate()
        }

        // MARK: The posting side

        /// Queues an element.
        ///
        /// - Returns: Whether no element was dropped, neither an older one nor this one.
        @inlinable
        func post(_ element: Element) -> Bool {
            // relaxed: only this side writes it.
            let count = posted.load(.relaxed)
            // acquire: sees the slots returned before. Pairs with the compare-exchange in `claimOldest()`.
            var seen = taken.load(.acquire)
            while count - seen >= capacity {
                if !dropsOldest {
                    countDrop()
                    return false
                }
                // relaxed: this side wrote it.
                let slot = unsafe slots.number(at: seen).pointee.load(.relaxed) & 0xffff_ffff
                // release: publishes nothing. acquire: as above, if it fails.
                let result = taken.compareExchange(seen, seen + 1, .acquireRelease)
                if result.won {
                    // The dropped element is released after the new one is in place.
                    countDrop()
                    let dropped = slots.take(at: slot)
                    put(element, in: slot, as: count)
                    _ = dropped
                    return false
                }
                seen = result.seen
            }
            put(element, in: freeSlot(), as: count)
            return true
        }

        @inlinable
        func countDrop() {
            Probe.drop(self)
            // relaxed: a count that only this side writes.
            dropped.store(dropped.load(.relaxed) &+ 1, .relaxed)
        }

        /// Queues the last element. It always fits.
        @inlinable
        func postLast(_ element: Element) { put(element, in: freeSlot(), as: posted.load(.relaxed)) }

        @inlinable
        func put(_ element: Element, in slot: UInt64, as count: UInt64) {
            Probe.hop(self)
            slots.put(element, at: slot)
            // While more runs wait than there may be elements, an element joins the last one: those of dropped elements are left in
            // the scheduler's queue, which would grow without a bound.
            // relaxed: a count. With an older value, more runs seem to wait.
            let begins = hasMoved(since: posting.joinable) && runs.load(.relaxed) &- begun.load(.relaxed) <= capacity
            // relaxed: published by the next store. The old contents were claimed a whole ring ago.
            let run = keepsOrder ? runs.load(.relaxed) &+ (begins ? 1 : 0) : 0
            unsafe slots.number(at: count).pointee.store(slot | run &<< 32, .relaxed)
            // release: publishes the element and the number of its slot. Pairs with the acquire in `claimOldest()`.
            posted.store(count + 1, .release)
            // release: a drain that sees this stage sees the posted element. acquire: the drain scheduled here comes after
            // the one that ended before.
            let rested = stage.exchange(.renewed, .acquireRelease) == .idle
            if begins || rested { scheduleRun(&posting.joinable) }
        }

        /// A free slot. One exists: of `capacity + 2` slots, at most `capacity` hold queued elements, and one holds the
        /// element claimed last. All others have been returned.
        @inlinable
        func freeSlot() -> UInt64 {
            if posting.used < slots.count {
                posting.used += 1
                return UInt64(posting.used - 1)
            }
            // relaxed: the slot taken here is the oldest one returned. It was returned before the last claim that `post(_:)`
            // saw.
            guard posting.received < returned.load(.relaxed) else {
                preconditionFailure("a bounded mailbox has no free slot")
            }
            posting.received += 1
            return slots.returned(at: posting.received - 1)
        }

        // MARK: The draining side

        @inlinable
        func beginRuns(_ runs: UInt64, isServed: Bool) {
            if runs > 0 {
                // relaxed: as in `put(_:in:as:)`.
                if keepsOrder { begun.store(begun.load(.relaxed) &+ runs, .relaxed) }
                turn.rests = false
            }
            // As in `Mailbox`.
            if turn.rests || turn.isStopped && !isServed { return }
            drain()
        }

        @inlinable
        func drain() {
            let thread = ThreadState.current
            // A scheduler's thread never waits for a permit: other work may be queued behind it.
            ThreadState.withoutWaiting {
                var delivered: UInt64 = 0
                turn.isStopped = false
                while true {
                    if delivered >= Mailbox<Element>.drainLimit {
                        if yields(begun.load(.relaxed)) { return }
                        delivered = 0
                    }
                    guard let owned = strand.enter() else { return goOn(after: strand) }
                    // acquire: sees all elements posted before the stage was renewed. A later post renews it again.
                    _ = stage.exchange(.scheduled, .acquireRelease)
                    if draining.batchOfResumed.left > 0 {
                        thread.use(draining.batchOfResumed)
                        draining.batchOfResumed = .none
                    }
                    var batch: UInt64 = 0
                    while batch < Mailbox<Element>.batch, let element = next() {
                        deliver(element)
                        thread.countDelivery()
                        batch += 1
                        if thread.hasDeferredWait { break }
                    }
                    strand.leave(owned)
                    delivered += max(batch, 1)
                    if thread.hasDeferredWait, let waits = thread.takeDeferredWaits() {
                        // While the stage is scheduled, no post schedules another drain.
                        guard waits.areFull(owning: permits) else { continue }
                        turn.isStopped = true
                        return stop(for: waits, owning: permits)
                    }
                    if batch == Mailbox<Element>.batch { continue }
                    // The next run delivers the rest.
                    if draining.foundNextRun { return }
                    turn.rests = true
                    // release: the next drain comes after this one. It fails if an element was posted since the exchange.
                    if stage.tryUpdate(from: .scheduled, .acquireRelease, { $0.finishing() }).won { return }
                    turn.rests = false
                }
            }
        }

        @usableFromInline
        override func resume(with batch: Batch) {
            let schedule = resumeAction.take()
            draining.batchOfResumed = batch
            // release: as in `Mailbox`. Pairs with the exchange in `drain()`.
            stage.word.fetchAdd(0, .release)
            schedule?()
        }

        /// Claims the oldest element, moves it out, and returns its slot.
        @inlinable
        func next() -> Element? {
            guard let slot = claimOldest() else { return nil }
            let element = slots.take(at: slot)
            giveBack(slot)
            return element
        }

        /// The slot of the oldest element, now owned by the caller; nil if the mailbox is empty.
        @inlinable
        func claimOldest() -> UInt64? {
            var slot: UInt64?
            draining.foundNextRun = false
            // acquire, for the first load and a failed exchange: a thread that sees that an element was dropped sees that it
            // was posted. release: a thread that sees this claim sees the slots returned before. Pairs with the acquire in
            // `post(_:)`.
            taken.update(.acquireRelease, reading: .acquire) { (seen: UInt64) in
                // acquire: sees the elements and the numbers of their slots. Pairs with the release in `put(_:in:as:)`.
                if posted.load(.acquire) == seen {
                    slot = nil
                    return nil
                }
                // relaxed: if the number is newer, `taken` has moved on and the exchange fails.
                let number = unsafe slots.number(at: seen).pointee.load(.relaxed)
                if keepsOrder, Int32(truncatingIfNeeded: (number &>> 32) &- begun.load(.relaxed)) > 0 {
                    draining.foundNextRun = true
                    slot = nil
                    return nil
                }
                slot = number & 0xffff_ffff
                return seen + 1
            }
            return slot
        }

        @inlinable
        func giveBack(_ slot: UInt64) {
            // relaxed: only this side writes it.
            let count = returned.load(.relaxed)
            slots.setReturned(slot, at: count)
            // relaxed: published by the next exchange in `claimOldest()`. The slot isn't needed before.
            returned.store(count + 1, .relaxed)
        }
    }

    /// Raw memory for elements, for the ring of queued slots, and for the ring of returned slots. Untouched memory costs
    /// address space only.
    @frozen
    @usableFromInline
    @safe struct MailboxSlots<Element> {
        @usableFromInline let memory: UnsafeMutableRawPointer
        @usableFromInline let count: Int

        #if Exploration
            /// Represents the slots for the explorer, which checks that accesses don't overlap.
            @usableFromInline let marks: [Explorer.Mark]
        #endif

        @inlinable
        init(count: Int) {
            self.count = count
            unsafe memory = .allocate(
                byteCount: MailboxSlots.offset(count) + count * MemoryLayout<Element>.stride,
                alignment: max(MemoryLayout<Element>.alignment, 8))
            #if Exploration
                marks = (0..<count).map { _ in Explorer.Mark() }
            #endif
        }

        /// Where the elements begin, after two rings of words.
        @inlinable
        static func offset(_ count: Int) -> Int {
            let alignment = max(MemoryLayout<Element>.alignment, 8)
            return (count * 16 + alignment - 1) / alignment * alignment
        }

        @inlinable
        func word(_ index: Int) -> UnsafeMutablePointer<UInt64> {
            unsafe memory.assumingMemoryBound(to: UInt64.self) + index
        }

        /// The slot number of the `position`th element.
        @inlinable
        func number(at position: UInt64) -> UnsafeMutablePointer<AtomicWord> {
            unsafe AtomicWord.at(word(Int(position % UInt64(count))))
        }

        @inlinable
        func returned(at position: UInt64) -> UInt64 {
            unsafe word(count + Int(position % UInt64(count))).pointee
        }

        @inlinable
        func setReturned(_ slot: UInt64, at position: UInt64) {
            unsafe word(count + Int(position % UInt64(count))).pointee = slot
        }

        @inlinable
        func slot(_ index: UInt64) -> UnsafeMutablePointer<Element> {
            unsafe (memory + MailboxSlots.offset(count)).assumingMemoryBound(to: Element.self) + Int(index)
        }

        @inlinable
        func put(_ element: Element, at index: UInt64) {
            #if Exploration
                PlainAccess.write(marks[Int(index)])
            #endif
            unsafe slot(index).initialize(to: element)
        }

        @inlinable
        func take(at index: UInt64) -> Element {
            #if Exploration
                PlainAccess.write(marks[Int(index)])
            #endif
            return unsafe slot(index).move()
        }

        @inlinable
        func deallocate() { unsafe memory.deallocate() }
    }
#endif
