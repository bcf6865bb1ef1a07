#if !NaiveLocks
    /// A mailbox in which a fixed number of elements wait: one that finds no room is refused, or takes the place of the
    /// oldest.
    ///
    /// Elements lie in slots, and the numbers of the slots in a ring, in order. Whoever moves ``taken`` one on has claimed
    /// the oldest: the draining side, to deliver it, or the posting side, to drop it. The slot of a claimed one is the
    /// claimer's. The draining side gives it back by way of a second ring, once it has moved the element out. There are two
    /// slots more than elements may wait: one is being read, and one is for the end of the stream, which always finds room.
    ///
    /// Posts are made by one thread at a time, and drains follow one another, as in ``Mailbox``.
    @safe
    @usableFromInline
    final class SlidingMailbox<Element>: Errand, @unchecked Sendable {
        // One side posts, one drains; what both touch is atomic.

        /// What is to be done: 0 nothing, ``scheduled`` or being done, or ``renewed`` since the drain last looked.
        @usableFromInline var stageStorage: UInt64 = 0

        /// How many elements have been claimed. Written by both sides.
        @usableFromInline var takenStorage: UInt64 = 0
        @usableFromInline var padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

        /// How many have been posted. Written by the posting side, whose own is what follows.
        @usableFromInline var postedStorage: UInt64 = 0

        /// How many slots have been used yet, and how many came back from the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var used = 0
        @safe @exclusivity(unchecked) @usableFromInline var received: UInt64 = 0
        @usableFromInline var postingPadding: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

        /// How many slots the draining side has given back.
        @usableFromInline var returnedStorage: UInt64 = 0

        /// What schedules a drain that has stopped. Owned by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var again: (@Sendable () -> Void)?

        /// What others wait for while the drain has stopped. It has no bound: nobody waits for a place.
        @usableFromInline let permits: Permits

        /// What the next drain may take out of turn. Owned by the draining side.
        @safe @exclusivity(unchecked) @usableFromInline var batchOfResumed = Batch.none

        @usableFromInline let capacity: UInt64
        @usableFromInline let dropsOldest: Bool
        @usableFromInline let slots: MailboxSlots<Element>
        @usableFromInline let scheduler: any Scheduler
        @usableFromInline let errands: (any ErrandScheduler)?
        @usableFromInline let gate: Strand
        @usableFromInline let deliver: (Element) -> Void
        @usableFromInline let abandon: ((Element) -> Void)?

        @inlinable static var scheduled: UInt64 { 1 }
        @inlinable static var renewed: UInt64 { 2 }

        /// - Parameters:
        ///   - scheduler: Runs the drains.
        ///   - gate: Owned while elements are delivered.
        ///   - capacity: How many elements may wait, besides the last.
        ///   - dropsOldest: Whether a new element takes the place of the oldest, or is refused.
        ///   - abandon: As of a ``Mailbox``.
        ///   - deliver: Takes each element, in order.
        @inlinable
        init(
            on scheduler: any Scheduler, through gate: Strand, capacity: Int, dropsOldest: Bool,
            abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            again = nil
            self.capacity = UInt64(capacity)
            self.dropsOldest = dropsOldest
            slots = MailboxSlots(count: capacity + 2)
            self.scheduler = scheduler
            errands = scheduler as? any ErrandScheduler
            permits = Permits(nil, servedBy: errands?.context)
            self.gate = gate
            self.deliver = deliver
            self.abandon = abandon
            super.init { errand in unsafe unsafeDowncast(errand, to: SlidingMailbox<Element>.self).drain() }
        }

        @inlinable
        deinit {
            while let element = next() { abandon?(element) }
            slots.deallocate()
        }

        @inlinable var stage: AtomicWord { AtomicWord(of: self, at: Errand.size) }
        @inlinable var taken: AtomicWord { AtomicWord(of: self, at: Errand.size + 8) }
        @inlinable var posted: AtomicWord { AtomicWord(of: self, at: Errand.size + 64) }
        @inlinable var returned: AtomicWord { AtomicWord(of: self, at: Errand.size + 128) }

        // MARK: The posting side

        /// Queues an element.
        ///
        /// - Returns: Whether nothing was dropped for it, nor the element itself.
        @inlinable
        func post(_ element: Element) -> Bool {
            // relaxed: only this side writes it.
            let count = posted.load(.relaxed)
            // acquire: sees the slots that were given back before. Pairs with the compare-exchange in `next()`.
            var seen = taken.load(.acquire)
            while count - seen >= capacity {
                if !dropsOldest {
                    Probe.drop(self)
                    return false
                }
                // relaxed: this side wrote it.
                let slot = slots.number(at: seen).load(.relaxed)
                // release: nothing is to be seen by who reads this. acquire: as above, if it fails.
                let result = taken.compareExchange(seen, seen + 1, .acquireRelease)
                if result.won {
                    // Let go of only when the new one is in its place.
                    Probe.drop(self)
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

        /// Queues the last element of all, for which there always is room.
        @inlinable
        func postLast(_ element: Element) { put(element, in: freeSlot(), as: posted.load(.relaxed)) }

        @inlinable
        func put(_ element: Element, in slot: UInt64, as count: UInt64) {
            Probe.hop(self)
            slots.put(element, at: slot)
            // relaxed: published by the store that follows. Its old contents were claimed as long as a whole ring ago.
            slots.number(at: count).store(slot, .relaxed)
            // release: publishes the element and the number of its slot. Pairs with the acquire in `next()`.
            posted.store(count + 1, .release)
            // release: a drain that sees this sees that something was posted. acquireRelease, as the drain that ended before
            // and the one that is scheduled here are one after the other.
            if stage.exchange(SlidingMailbox.renewed, .acquireRelease) == 0 { schedule() }
        }

        /// A slot that nobody uses. There is one: of `capacity + 2`, at most `capacity` hold what waits, and one what was claimed
        /// last. All others have been given back.
        @inlinable
        func freeSlot() -> UInt64 {
            if used < slots.count {
                used += 1
                return UInt64(used - 1)
            }
            // relaxed: one is left that was given back before what `post(_:)` saw claimed last, and it is the oldest that is
            // taken here.
            guard received < returned.load(.relaxed) else {
                preconditionFailure("a bounded mailbox has lost a slot")
            }
            received += 1
            return slots.returned(at: received - 1)
        }

        // MARK: The draining side

        @inlinable
        func schedule() {
            post(to: scheduler, errands)
        }

        @inlinable
        func drain() {
            let thread = ThreadState.current
            // A scheduler's thread never waits for a place: others may be queued behind it.
            ThreadState.withoutWaiting {
                var delivered: UInt64 = 0
                while delivered < Mailbox<Element>.turn {
                    guard gate.tryEnter() else {
                        // As in `Mailbox`.
                        let again = promise(to: scheduler, errands)
                        gate.enqueueEdit { Worker.submitSurely(again) }
                        return
                    }
                    // acquire: sees what was posted before it was renewed. What comes later renews it again.
                    _ = stage.exchange(SlidingMailbox.scheduled, .acquireRelease)
                    if batchOfResumed.count > 0 {
                        thread.use(batchOfResumed)
                        batchOfResumed = .none
                    }
                    var batch: UInt64 = 0
                    while batch < Mailbox<Element>.batch, let element = next() {
                        deliver(element)
                        batch += 1
                        if thread.hasDeferredWait { break }
                    }
                    gate.leave()
                    delivered += max(batch, 1)
                    if thread.hasDeferredWait, let waits = thread.takeDeferredWaits() {
                        // As long as it is scheduled, nobody schedules another one.
                        guard waits.areFull(owning: permits) else { continue }
                        again = promise(to: scheduler, errands)
                        if !waits.stop(self, owning: permits) { resume(with: .none) }
                        return
                    }
                    // release: the next drain comes after this one. It fails if something was posted since the exchange.
                    if batch < Mailbox<Element>.batch,
                        stage.compareExchange(SlidingMailbox.scheduled, 0, .acquireRelease).won
                    {
                        return
                    }
                }
                schedule()
            }
        }

        @usableFromInline
        override func resume(with batch: Batch) {
            let schedule = again.take()
            batchOfResumed = batch
            // release: as in `Mailbox`. Pairs with the exchange in `drain()`.
            stage.fetchAdd(0, .release)
            schedule?()
        }

        /// Claims the oldest element, moves it out, and gives back its slot.
        @inlinable
        func next() -> Element? {
            guard let slot = claimOldest() else { return nil }
            let element = slots.take(at: slot)
            giveBack(slot)
            return element
        }

        /// The slot of the oldest element, which is the caller's to read now; nil if nothing waits.
        @inlinable
        func claimOldest() -> UInt64? {
            // acquire: who sees that an element was dropped sees that it was posted.
            var seen = taken.load(.acquire)
            while true {
                // acquire: sees the elements and the numbers of their slots. Pairs with the release in `put(_:in:as:)`.
                if posted.load(.acquire) == seen { return nil }
                // relaxed: a number that is newer was written when `taken` had moved on, and then the exchange fails.
                let slot = slots.number(at: seen).load(.relaxed)
                // release: what was given back before is seen by who sees that this was claimed. Pairs with the acquire in
                // `post(_:)`. acquire: as above, if it fails.
                let result = taken.compareExchange(seen, seen + 1, .acquireRelease)
                if result.won { return slot }
                seen = result.seen
            }
        }

        @inlinable
        func giveBack(_ slot: UInt64) {
            // relaxed: only this side writes it.
            let count = returned.load(.relaxed)
            slots.setReturned(slot, at: count)
            // relaxed: published by the next exchange in `claimOldest()`. Nobody needs the slot before that.
            returned.store(count + 1, .relaxed)
        }
    }

    /// Raw memory for elements, for the ring of those that wait, and for the ring of slots that were given back. What has not
    /// been used yet costs address space only.
    @frozen
    @usableFromInline
    @safe struct MailboxSlots<Element> {
        @usableFromInline let memory: UnsafeMutableRawPointer
        @usableFromInline let count: Int

        #if Exploration
            /// What stands for the slots where the explorer checks that accesses don't overlap.
            @usableFromInline let marks: [Mark]

            @usableFromInline
            final class Mark: Sendable {
                @usableFromInline
                init() {}
            }
        #endif

        @inlinable
        init(count: Int) {
            self.count = count
            unsafe memory = .allocate(
                byteCount: MailboxSlots.offset(count) + count * MemoryLayout<Element>.stride,
                alignment: max(MemoryLayout<Element>.alignment, 8))
            #if Exploration
                marks = (0..<count).map { _ in Mark() }
            #endif
        }

        /// Where the elements begin: behind two rings of words.
        @inlinable
        static func offset(_ count: Int) -> Int {
            let alignment = max(MemoryLayout<Element>.alignment, 8)
            return (count * 16 + alignment - 1) / alignment * alignment
        }

        @inlinable
        func word(_ index: Int) -> UnsafeMutablePointer<UInt64> {
            unsafe memory.assumingMemoryBound(to: UInt64.self) + index
        }

        /// The number of the slot of the `position`th element.
        @inlinable
        func number(at position: UInt64) -> AtomicWord {
            unsafe AtomicWord(word(Int(position % UInt64(count))))
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
