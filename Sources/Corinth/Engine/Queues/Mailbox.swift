#if !NaiveLocks
    public import CCorinth

    /// A queue of elements for a scheduler: one wake-up for a burst, not one for each element.
    ///
    /// One side posts and one side drains, so no word is written by both for each element: the posting side counts what it has
    /// posted, the drain what it has delivered. Whether there is a drain is in a word of its own, ``MailboxStage``. The post
    /// that finds none schedules one. The mailbox's ``Permits`` bound the number of queued elements. Elements lie in segments
    /// that are reused.
    ///
    /// A drain that has delivered everything may *linger* for the next element, if that usually comes soon:
    /// ``ArrivalHistory``. A stream of some hundred thousand elements a second then costs few wake-ups.
    ///
    /// One thread at a time posts, such as the owner of a strand. Drains run one after another by the scheduler's law C1.
    @safe
    @usableFromInline
    final class Mailbox<Element>: OrderedDrain, @unchecked Sendable {
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

        /// After how many posts to a busy mailbox the posting side streams: enough for a heavy barrier to cost little.
        @inlinable
        static var streamingThreshold: UInt32 {
            #if Exploration
                UInt32(Explorer.limit(.streaming, usually: Int(UInt32.max)))
            #else
                64
            #endif
        }

        // First what both sides write, rarely, and what is never written. Then each side's fields, on their own cache lines. So
        // are the counts, in `permits`.
        @usableFromInline let stage = AtomicState<MailboxStage>(.idle)

        /// Segments that were read to the end. The draining side pushes to this list; the posting side takes the whole list.
        @usableFromInline let spare = AtomicStack()

        /// How many runs have been marked: see ``ScheduleOrder``. Written by the posting side. A drain may see a mark before the element
        /// that it stands for is published.
        @usableFromInline let marks = AtomicWord()

        /// The first segment of marks. Written by the posting side before it publishes the first mark.
        @safe @exclusivity(unchecked)
        @usableFromInline var firstMarks: MailboxSegment<RunMark>?

        /// When the posting side has scheduled a drain last. In nanoseconds.
        @usableFromInline let wakeTime = AtomicWord()

        @usableFromInline let permits: Permits

        /// The counts of `permits`, for the path of each element.
        @usableFromInline let counts: PermitStateAddress
        @usableFromInline let strand: Strand
        @usableFromInline let deliver: (Element) -> Void
        @usableFromInline let abandon: ((Element) -> Void)?
        @usableFromInline let padding = CacheLinePadding()

        /// What the posting side owns.
        @usableFromInline
        @safe struct PostingSide {
            /// The segment being written, and the position.
            @usableFromInline var tail: MailboxSegment<Element>
            @usableFromInline var written = 0
            /// How many elements were ever posted, and how many of them were delivered as far as this side knows.
            @usableFromInline var posted: UInt64 = 0
            @usableFromInline var knownDelivered: UInt64 = 0
            /// How many posts in a row have found a drain, and whether posts only read the stage.
            @usableFromInline var busyPosts: UInt32 = 0
            @usableFromInline var isStreaming = false
            @usableFromInline var reserve: MailboxSegment<Element>?
            /// The order's count with which an element joins the last run.
            @usableFromInline var joinable: UInt64 = 1
            /// Where the runs begin that don't follow a rest.
            @usableFromInline var markTail: MailboxSegment<RunMark>?
            @usableFromInline var marksWritten: UInt64 = 0

            @inlinable @inline(__always)
            init(tail: __owned MailboxSegment<Element>) {
                self.tail = tail
            }
        }

        @safe @exclusivity(unchecked)
        @usableFromInline var posting: PostingSide
        @usableFromInline let tailPadding = CacheLinePadding()

        /// What the draining side owns.
        @usableFromInline
        @safe struct DrainingSide {
            /// The segment being read, and the position.
            @usableFromInline var head: MailboxSegment<Element>
            @usableFromInline var read = 0
            @usableFromInline var deliveredStorage: UInt64 = 0
            /// The marks that were read.
            @usableFromInline var markHead: MailboxSegment<RunMark>?
            @usableFromInline var marksRead: UInt64 = 0
            /// Whether all marks of the head have been read.
            @usableFromInline var isMarkHeadRead = false
            /// The permits that the next drain may take out of order.
            @usableFromInline var batchOfResumed = Batch.none
            /// How many segments were put aside since the last trim.
            @usableFromInline var putAsideCount = 0
            @usableFromInline var arrivals = ArrivalHistory()
            /// When the last drain came to rest, in nanoseconds; 0 if a drain hasn't.
            @usableFromInline var restTime: UInt64 = 0

            @inlinable @inline(__always)
            init(head: __owned MailboxSegment<Element>) {
                self.head = head
            }
        }

        @safe @exclusivity(unchecked)
        @usableFromInline var draining: DrainingSide

        /// What a run looks at before it drains. Not in ``draining``, which the thread that serves a stopped drain writes meanwhile.
        @usableFromInline
        @safe struct Turn {
            /// How many runs have begun.
            @usableFromInline var runs: UInt64 = 0
            /// Whether the last drain has come to rest: nothing is delivered before the next run begins.
            @usableFromInline var rests = true
            /// Whether the drain has stopped after the last element, which still counts as queued.
            @usableFromInline var isStopped = false

            @inlinable @inline(__always)
            init() {}
        }

        @safe @exclusivity(unchecked)
        @usableFromInline var turn = Turn()

        #if Exploration
            /// Represents these fields for the explorer.
            @usableFromInline let drainingSide = Explorer.Mark()
            /// Represent the slots of marks, as many as wait at the same time in explorations.
            @usableFromInline let markSlots = (0..<4).map { _ in Explorer.Mark() }
        #endif

        /// - Parameters:
        ///   - scheduler: Runs the drains.
        ///   - order: That of the scheduler; ``ScheduleOrder/none`` if the elements need not keep it.
        ///   - strand: Owned while elements are delivered.
        ///   - bound: Where senders wait for capacity; nil if unbounded.
        ///   - abandon: Receives the remaining elements after posting has ended and the scheduler has released the mailbox.
        ///   - deliver: Receives each element, in order.
        @inlinable
        init(
            on scheduler: any WorkItemScheduler, in order: ScheduleOrder? = nil, through strand: Strand,
            bound: MailboxBound? = nil, abandon: ((Element) -> Void)? = nil, deliver: @escaping (Element) -> Void
        ) {
            permits = Permits(bound, servedBy: scheduler.context, countsPosts: true)
            counts = permits.stateAddress
            self.strand = strand
            self.deliver = deliver
            self.abandon = abandon
            let segment = MailboxSegment<Element>()
            posting = PostingSide(tail: segment)
            draining = DrainingSide(head: segment)
            super.init(on: scheduler, in: order) { mailbox, runs, isServed in
                unsafe unsafeDowncast(mailbox, to: Mailbox<Element>.self).beginRuns(runs, isServed: isServed)
            }
            if Registry.isOn { enter(as: .hop, permits, self.strand) }
        }

        @inlinable
        deinit {
            if Registry.mayContainAny { Registry.leave(self) }
            // Not marked for the explorer, which doesn't know that a release of the last reference is ordered after all others.
            while draining.deliveredStorage != posting.posted {
                let element = next()
                abandon?(element)
                draining.deliveredStorage += 1
            }
            draining.head.deallocate()
            MailboxSegment<RunMark>.deallocate(from: draining.markHead ?? firstMarks)
            MailboxSegment<Element>.deallocate(from: posting.reserve)
            // relaxed: no other thread has a reference.
            MailboxSegment<Element>.deallocate(from: MailboxSegment(address: spare.word.load(.relaxed)))
        }

        /// How many elements were ever delivered.
        @inlinable
        var delivered: UInt64 {
            @inline(__always)
            get {
                #if Exploration
                    PlainAccess.read(drainingSide)
                #endif
                return draining.deliveredStorage
            }
            @inline(__always)
            set {
                #if Exploration
                    PlainAccess.write(drainingSide)
                #endif
                draining.deliveredStorage = newValue
            }
        }

        // MARK: The posting side

        /// Queues an element. If the mailbox is full, the thread waits as soon as it can.
        ///
        /// - Returns: Whether it was queued. If not, it would have been dropped.
        @inlinable
        @discardableResult
        func post(_ element: Element) -> Bool {
            // relaxed: see `Permits.endWaits()`.
            if counts.pointee.over.load(.relaxed) != 0 { return false }
            put(element)
            // relaxed: as in `Permits.take()`.
            if posting.posted &- 1 &- posting.knownDelivered >= counts.pointee.limit.load(.relaxed) { overfill() }
            return true
        }

        /// Looks how many elements are queued. If there is no permit for the last one, the thread waits as soon as it can.
        @inlinable
        @inline(never)
        func overfill() {
            // relaxed: a count. An older value leads to the slow path.
            posting.knownDelivered = counts.pointee.progress.load(.relaxed)
            if posting.posted &- 1 &- posting.knownDelivered < counts.pointee.limit.load(.relaxed) { return }
            permits.overfill()
            Strand.waitForDeferred()
        }

        /// Queues the last element. It always fits.
        @inlinable
        func postLast(_ element: Element) { put(element) }

        /// Queues an element, and makes sure that a drain sees it.
        @inlinable @inline(__always)
        func put(_ element: Element) {
            Probe.hop(self)
            if posting.written == MailboxSegment<Element>.capacity { extend() }
            PlainAccess.write(self)
            posting.tail.put(element, at: posting.written)
            posting.written += 1
            posting.tail.prefetch(at: posting.written + Mailbox.ahead)
            posting.posted += 1
            if hasMoved(since: posting.joinable) { return beginRun() }
            // release: publishes the element and its segment. Pairs with the acquire in `drain()`.
            counts.pointee.used.store(posting.posted, .release)
            if posting.isStreaming {
                // Against the heavy barrier in `rest()`: either this side sees that the drain rests, or the drain sees the
                // element.
                AsymmetricBarrier.lightIfAsymmetric()
                // relaxed: the barrier orders it.
                if stage.load(.relaxed) != .idle { return }
            }
            announce()
        }

        /// Publishes an element that must not join the last run, because other work has been scheduled since, and schedules a run
        /// for it.
        @inlinable
        @inline(never)
        func beginRun() {
            mark()
            // release: as in `put(_:)`, and publishes the mark.
            counts.pointee.used.store(posting.posted, .release)
            posting.isStreaming = false
            posting.busyPosts = 0
            // acquireRelease: as in `announce()`.
            _ = stage.exchange(.draining, .acquireRelease)
            scheduleRun(&posting.joinable)
        }

        /// Notes where the next run begins.
        @inlinable
        func mark() {
            let capacity = UInt64(MailboxSegment<RunMark>.capacity)
            if posting.marksWritten % capacity == 0 {
                let segment = MailboxSegment<RunMark>()
                if let tail = posting.markTail { tail.next = segment } else { firstMarks = segment }
                posting.markTail = segment
            }
            posting.markTail?.put(
                RunMark(run: runs.load(.relaxed) &+ 1, position: posting.posted - 1),
                at: Int(posting.marksWritten % capacity))
            #if Exploration
                PlainAccess.write(markSlots[Int(posting.marksWritten % UInt64(markSlots.count))])
            #endif
            posting.marksWritten += 1
            // release: publishes the mark and its segment. Pairs with the acquire in `countBeforeNextRun()`. A drain that sees the
            // element sees the count, too, which is stored before.
            marks.store(posting.marksWritten, .release)
        }

        /// Schedules a drain, unless there is one that sees the element.
        @inlinable
        @inline(never)
        func announce() {
            // relaxed: a hint. The exchange decides.
            posting.busyPosts = stage.load(.relaxed) == .idle ? 0 : posting.busyPosts &+ 1
            posting.isStreaming = posting.busyPosts >= Mailbox.streamingThreshold && Mailbox.mayStream
            // release: a drain that comes to rest after this exchange sees the element. acquire: sees what the drain that has
            // come to rest before did to schedule itself, on any thread.
            if stage.exchange(posting.isStreaming ? .streaming : .draining, .acquireRelease) != .idle { return }
            if lingerLimit > 0 {
                // relaxed: only the drain that is scheduled now reads it.
                wakeTime.store(MonotonicTime.now, .relaxed)
            }
            scheduleRun(&posting.joinable)
        }

        /// Whether posts may rely on heavy barriers.
        @inlinable
        static var mayStream: Bool {
            #if Exploration
                Explorer.isControlled
            #else
                AsymmetricBarrier.isAsymmetric
            #endif
        }

        // MARK: The draining side

        @inlinable
        func beginRuns(_ runs: UInt64, isServed: Bool) {
            if runs > 0 {
                turn.runs &+= runs
                turn.rests = false
            }
            // Another run has delivered the rest, or the thread that serves the stopped drain continues.
            if turn.rests || turn.isStopped && !isServed { return }
            drain()
        }

        /// Whether there is a mark that hasn't been read.
        @inlinable
        var hasMarks: Bool {
            @inline(__always)
            get {
                #if Exploration
                    // As in `hasMoved(since:)`.
                    if !keepsOrder { return false }
                #endif
                // relaxed: who reads a mark looks again.
                return marks.load(.relaxed) != draining.marksRead
            }
        }

        /// How many elements come before the next run; more than there are if no other run waits for its turn.
        @inlinable
        @inline(never)
        func countBeforeNextRun() -> UInt64 {
            let capacity = UInt64(MailboxSegment<RunMark>.capacity)
            // acquire: as in `mark()`.
            while draining.marksRead != marks.load(.acquire) {
                #if Exploration
                    PlainAccess.read(markSlots[Int(draining.marksRead % UInt64(markSlots.count))])
                #endif
                let mark = unsafe nextMarks().slot(Int(draining.marksRead % capacity)).pointee
                if mark.run > turn.runs { return mark.position &- delivered }
                draining.marksRead += 1
                draining.isMarkHeadRead = draining.marksRead % capacity == 0
            }
            return .max
        }

        /// The segment of the next mark, which has been published.
        @inlinable
        func nextMarks() -> MailboxSegment<RunMark> {
            guard var head = draining.markHead ?? firstMarks else {
                preconditionFailure("a mailbox has lost its marks")
            }
            if draining.isMarkHeadRead, let next = head.next {
                head.deallocate()
                head = next
                draining.isMarkHeadRead = false
            }
            draining.markHead = head
            return head
        }

        @inlinable
        func drain() {
            // The posting side wrote it last. It is fetched while the count is.
            draining.head.prefetch(at: draining.read)
            let thread = ThreadState.current
            // A scheduler's thread never waits for a permit: other work may be queued behind it.
            unsafe ThreadState.draining(counting: counts.pointee.progress.address) {
                var lingering = Lingering()
                // acquire: sees the writes of the previous drain and of `resume(with:)`.
                _ = stage.load(.acquire)
                if turn.isStopped { continueStopped(thread) } else if lingerLimit > 0 { noteArrival() }
                var first = delivered
                // How often in a row the drain has found a few elements at once.
                var fewCount = 0
                while true {
                    if delivered &- first >= Mailbox.drainLimit {
                        if yields(turn.runs) { return }
                        first = delivered
                    }
                    // acquire: sees the elements. Pairs with the release in `put(_:)`.
                    var ready = counts.pointee.used.load(.acquire) &- delivered
                    if ready == 0 {
                        switch waitForNext(&lingering, after: delivered &- first) {
                        case .arrived: fewCount = 0
                        case .arrivedAtOnce: fewCount += 1
                        case .ends: return
                        }
                        continue
                    }
                    if ready >= Mailbox.batch {
                        fewCount = 0
                    } else if fewCount < 8 {
                        fewCount += 1
                    } else {
                        pauseBriefly()
                        ready = counts.pointee.used.load(.acquire) &- delivered
                    }
                    if hasMarks {
                        let own = countBeforeNextRun()
                        // The next run delivers the rest.
                        if own == 0 { return }
                        ready = min(ready, own)
                    }
                    guard let owned = strand.enter() else { return goOn(after: strand) }
                    deliver(min(ready, Mailbox.batch), on: thread)
                    if thread.hasDeferredWait, let waits = thread.takeDeferredWaits() {
                        if waits.areFull(owning: permits) { return stop(for: waits, leaving: owned) }
                        counts.pointee.count(delivered: delivered)
                    }
                    permits.handOutIfAwaited()
                    strand.leave(owned)
                }
            }
        }

        /// Delivers up to `count` elements. It ends early if the drain has to stop; the last element isn't counted then.
        @inlinable @inline(__always)
        func deliver(_ count: UInt64, on thread: ThreadState) {
            var left = count
            repeat {
                deliver(next())
                delivered += 1
                left -= 1
                if thread.hasDeferredWait { return }
                counts.pointee.count(delivered: delivered)
            } while left > 0
        }

        /// Stops the drain until what it has filled has a free permit.
        @inlinable
        @inline(never)
        func stop(for waits: DeferredWaits, leaving owned: consuming Owned) {
            // The last element counts as queued until the drain goes on.
            turn.isStopped = true
            permits.handOutIfAwaited()
            strand.leave(owned)
            stop(for: waits, owning: permits)
        }

        /// Continues a drain that has stopped.
        @inlinable
        @inline(never)
        func continueStopped(_ thread: ThreadState) {
            turn.isStopped = false
            thread.use(draining.batchOfResumed)
            counts.pointee.count(delivered: delivered)
            permits.handOutIfAwaited()
        }

        /// Waits for the next element, if that usually comes soon.
        ///
        /// - Parameter count: How many elements this run has delivered. After many, it pauses before it comes to rest.
        @inlinable
        @inline(never)
        func waitForNext(_ lingering: inout Lingering, after count: UInt64) -> Waiting {
            if lingerLimit > 0, draining.arrivals.isSoon,
                let found = linger(
                    &lingering, with: &draining.arrivals, until: counts, exceed: (delivered, byRun: count),
                    in: turn.runs)
            {
                return found
            }
            if count >= Mailbox.batch {
                pauseBriefly()
                // relaxed: the drain looks again.
                if counts.pointee.used.load(.relaxed) != delivered { return .arrivedAtOnce }
            }
            if lingerLimit > 0 { draining.restTime = MonotonicTime.now }
            trimIfLong()
            if rest() { return .ends }
            draining.restTime = 0
            return .arrivedAtOnce
        }

        /// Notes how long after the last drain's rest the element came that has scheduled this one.
        @inlinable
        @inline(never)
        func noteArrival() {
            if draining.restTime == 0 { return }
            // relaxed: written before this drain was scheduled.
            let time = wakeTime.load(.relaxed)
            draining.arrivals.arrive(isSoon: time < draining.restTime &+ lingerLimit)
            draining.restTime = 0
        }

        /// Ends the drain, unless there is an element.
        ///
        /// - Returns: Whether it has ended. The next post then schedules a drain, which may run at once on the posting thread, if
        ///   the scheduler allows that. So after the exchange, this side's fields are another drain's.
        @inlinable
        @inline(never)
        func rest() -> Bool {
            let known = delivered
            turn.rests = true
            // release: the next drain sees what this one did. acquire: sees the elements of the posts that have exchanged the
            // stage before.
            let before = stage.exchange(.idle, .acquireRelease)
            // Against the light barrier in `put(_:)`.
            if before == .streaming { AsymmetricBarrier.heavy() }
            // relaxed: ordered by the exchange or the barrier.
            if counts.pointee.used.load(.relaxed) == known { return true }
            // The post may see that the drain rests, or this drain goes on. release: as above. acquire: sees what the drains that
            // have run meanwhile did.
            if !stage.tryUpdate(from: .idle, .acquireRelease, { _ in before }).won { return true }
            turn.rests = false
            return false
        }

        /// Lets elements accumulate. A drain faster than the posts would end in the middle of a burst and be rescheduled at
        /// once, or contend for the count every few elements.
        @inlinable
        func pauseBriefly() {
            for _ in 0..<Mailbox.pauses { ccorinth_pause() }
        }

        @usableFromInline
        override func resume(with batch: Batch) {
            let schedule = resumeAction.take()
            draining.batchOfResumed = batch
            // release: the next drain sees the writes made here, whatever the scheduler does. Pairs with `drain()`.
            stage.word.fetchAdd(0, .release)
            schedule?()
        }

        @inlinable
        func next() -> Element {
            if draining.read == MailboxSegment<Element>.capacity {
                let finished = draining.head
                guard let following = finished.next else { preconditionFailure("a mailbox has lost its elements") }
                draining.head = following
                draining.read = 0
                putAside(finished)
            }
            let element = draining.head.take(at: draining.read)
            draining.read += 1
            return element
        }

        @inlinable
        func putAside(_ segment: MailboxSegment<Element>) {
            draining.putAsideCount += 1
            // release: this side is done with the segment. Pairs with the acquire in `takeSpare()`.
            spare.push(segment.address) { segment.next = MailboxSegment(address: $0) }
        }

        /// Frees the segments that remain from a long burst.
        @inlinable
        func trimIfLong() {
            if draining.putAsideCount <= Mailbox.kept { return }
            var rest = takeSpare()
            draining.putAsideCount = 0
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
            if posting.reserve == nil { posting.reserve = takeSpare() }
            let segment: MailboxSegment<Element>
            if let used = posting.reserve {
                posting.reserve = used.next
                segment = used
            } else {
                segment = MailboxSegment()
            }
            segment.next = nil
            posting.tail.next = segment
            posting.tail = segment
            posting.written = 0
        }
    }
#endif
