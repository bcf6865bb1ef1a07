#if !NaiveLocks
    /// A bounded queue in front of one thread: other threads post, and this thread takes.
    ///
    /// Each cell has a number beside its element, as in Vyukov's bounded queue. The cell of position *p* is free if the
    /// number is *p*, and full if it is *p* + 1. Taking sets the number to the position one round later.
    ///
    /// Two features are added:
    /// - The taking thread may sleep. A post wakes it: ``blockingWait(unlessSignalledSince:until:)``.
    /// - A thread that finds the ring full waits for capacity in FIFO order, unless it would wait for itself (``WaitGraph``).
    ///   When there is capacity, the taking thread puts the waiter's element in and wakes the waiter. A thread that must not
    ///   wait exceeds the bound: its element is *late*. The position of a late element is that of the first element posted
    ///   after it. So elements posted by one thread stay in order, and so do elements of threads that synchronise with one
    ///   another. Elements posted by the taking thread are always late.
    @safe
    final class Ring<Element>: @unchecked Sendable {  // Its words are atomic; they publish the rest.
        /// How often a thread spins for capacity before it sleeps.
        static var spinLimit: Int {
            #if Exploration
                Explorer.limit(.spinning, usually: 128)
            #else
                128
            #endif
        }

        // Three groups have their own cache lines: what every post writes, what is rarely written, what the taking thread
        // writes.

        /// The position of the next post.
        let tail = AtomicWord()
        private let tailPadding = CacheLinePadding()
        /// Raised while the taking thread sleeps or is about to sleep.
        private let parked = AtomicFlag()

        /// Raised while a thread waits for capacity.
        private let waiting = AtomicFlag()

        /// The newest late node that the taking thread has not collected, or 0.
        private let lateNodes = AtomicStack()

        /// Incremented for signals that carry no element.
        private let signalCount = AtomicWord()

        /// The token of the posting thread, if the ring is for one; 0 before its first post.
        private let producer = AtomicWord()

        let cells: UnsafeMutableRawPointer
        private let stride: Int
        private let offset: Int
        private let isForOne: Bool
        let isParking: Bool

        /// How many elements the ring holds.
        let capacity: UInt64
        private let padding = CacheLinePadding()

        /// What the taking thread owns.
        private struct TakingSide {
            /// The position of the next take.
            var head: UInt64 = 0
            /// Late elements, in order, and the position of the first; `.max` if there is none.
            var late = Deque<(position: UInt64, element: Element)>()
            var lateHead = UInt64.max
        }

        @safe @exclusivity(unchecked)
        private var taking = TakingSide()

        /// What posters wait for when the ring is full, and the context that frees capacity.
        let permits: Permits

        // Guarded by the flag of ``WaitGraph``.
        /// What the flag of ``WaitGraph`` guards.
        private struct Waiters {
            var posters = Deque<RingPoster<Element>>()
            var isClosed = false
        }

        @safe @exclusivity(unchecked)
        private var waiters = Waiters()

        #if Exploration
            /// Represent the cells' elements, which are plain memory, for the explorer.
            private let marks: [Mark]
            private final class Mark {}
        #endif

        /// - Parameters:
        ///   - capacity: At least 1. Rounded up to a power of two, and at least to 2.
        ///   - isForOne: Whether only the first posting thread uses cells. Elements of other threads are late.
        ///   - isParking: Whether the taking thread ever sleeps.
        ///   - taker: What the taking thread runs.
        init(capacity: Int, isForOne: Bool, isParking: Bool, takenBy taker: SerialContext? = nil) {
            precondition(
                capacity > 0 && capacity <= 1 << 30,
                "capacity is \(capacity), but must be at least 1 and at most \(1 << 30)")
            var size = 2
            while size < capacity { size *= 2 }
            self.capacity = UInt64(size)
            self.isForOne = isForOne
            self.isParking = isParking
            permits = Permits(nil, servedBy: taker)
            let alignment = max(MemoryLayout<Element>.alignment, 8)
            offset = alignment
            stride = (alignment + MemoryLayout<Element>.size + alignment - 1) / alignment * alignment
            unsafe cells = .allocate(byteCount: size * stride, alignment: max(alignment, 64))
            #if Exploration
                marks = (0..<size).map { _ in Mark() }
            #endif
            for index in 0..<size {
                unsafe (cells + index * stride).initializeMemory(as: UInt64.self, to: UInt64(index))
            }
        }

        deinit {
            // No other thread has a reference. Late elements are released with their list.
            while take() != nil {}
            unsafe cells.deallocate()
        }

        private func address(_ position: UInt64) -> UnsafeMutableRawPointer {
            unsafe cells + Int(position & (capacity - 1)) * stride
        }

        private func number(_ position: UInt64) -> UnsafeMutablePointer<AtomicWord> {
            unsafe AtomicWord.at(address(position))
        }

        private func slot(_ position: UInt64) -> UnsafeMutablePointer<Element> {
            unsafe (address(position) + offset).assumingMemoryBound(to: Element.self)
        }

        private func noteAccess(_ position: UInt64) {
            #if Exploration
                PlainAccess.write(marks[Int(position & (capacity - 1))])
            #endif
        }

        // MARK: Posting

        /// Appends an element. Called by any thread except the taking one.
        ///
        /// - Parameter mayWait: Whether to wait for capacity if the ring is full. Otherwise the element exceeds the bound.
        /// - Returns: Whether it was put in; false if the ring was closed while it was full.
        @discardableResult
        func post(_ element: Element, mayWait: Bool) -> Bool {
            if isForOne, !isProducer {
                postLate(element)
            } else if mayWait && waiting.isRaised(.relaxed) {
                // relaxed: a hint. Only threads that come at the same time overtake the waiters.
                return waitForCapacity(element)
            } else if let position = isForOne ? claimAlone() : claim() {
                put(element, at: position)
            } else if mayWait {
                return waitForCapacity(element)
            } else {
                postLate(element)
            }
            return true
        }

        /// Whether the ring is for the calling thread. The first thread that asks becomes the producer.
        private var isProducer: Bool {
            let me = ThreadState.current.token
            // relaxed: only this thread, or one that ended before this one began, can have written its token.
            let known = producer.load(.relaxed)
            return known == me || known == 0 && producer.compareExchange(0, me, .relaxed).won
        }

        private func postLate(_ element: Element) {
            push(LateNode(element, at: latePosition()))
            wakeTaker()
        }

        /// Appends an element. Called by the taking thread.
        func postByTaker(_ element: Element) {
            if !lateNodes.isEmpty { collect() }
            append(element, at: latePosition())
        }

        /// relaxed: posts that this thread knows of have raised the tail; posts of threads that know of this one raise it
        /// later.
        private func latePosition() -> UInt64 { tail.load(.relaxed) }

        /// A position for one element; nil if the ring is full.
        ///
        /// - Parameter order: Acquire: sees that the cell's last element was moved out. Pairs with the store in `free(_:)`.
        ///   Or sequential: see `join(_:)`.
        private func claim(_ order: LoadOrder = .acquire) -> UInt64? {
            // relaxed: the cell's number tells whether the position is free.
            var position = tail.load(.relaxed)
            while true {
                let distance = unsafe number(position).pointee.load(order) &- position
                if distance == 0 {
                    // relaxed: publishing the element orders it. See also `discard()`.
                    let result = tail.compareExchange(position, position + 1, .relaxed)
                    if result.won { return position }
                    position = result.seen
                } else {
                    let newest = tail.load(.relaxed)
                    // The ring is full, unless another thread has moved the tail.
                    if newest == position, distance > UInt64.max / 2 { return nil }
                    position = newest
                }
            }
        }

        /// The same for a single producer.
        private func claimAlone(_ order: LoadOrder = .acquire) -> UInt64? {
            let position = tail.load(.relaxed)
            guard unsafe number(position).pointee.load(order) == position else { return nil }
            // relaxed: as in `claim(_:)`.
            tail.store(position + 1, .relaxed)
            return position
        }

        private func put(_ element: Element, at position: UInt64) {
            store(element, at: position)
            wakeTaker()
        }

        private func store(_ element: Element, at position: UInt64) {
            noteAccess(position)
            unsafe slot(position).initialize(to: element)
            publish(position)
        }

        private func publish(_ position: UInt64) {
            // release: publishes the element. Pairs with the acquire in `take()`.
            unsafe number(position).pointee.store(position + 1, .release)
        }

        private func push(_ node: LateNode<Element>) {
            // release: publishes the node.
            lateNodes.push(node, .release)
        }

        // MARK: Waiting for capacity

        /// Waits for capacity, in FIFO order.
        ///
        /// - Returns: Whether the element was put in; false if the ring is closed.
        private func waitForCapacity(_ element: Element) -> Bool {
            for spins in 0..<Ring.spinLimit {
                // relaxed: as in `post(_:mayWait:)`.
                if waiting.isRaised(.relaxed) { break }
                if let position = isForOne ? claimAlone() : claim() {
                    put(element, at: position)
                    return true
                }
                tail.spin(iteration: spins)
            }
            let poster = RingPoster(element)
            switch join(poster) {
            case .posted: wakeTaker()
            case .late: postLate(element)
            case .closed: return false
            case .waiting:
                while !poster.takeEvent().isServed { poster.blockingWait() }
                return poster.wasPosted
            }
            return true
        }

        private enum Joining {
            case posted, late, closed, waiting
        }

        private func join(_ poster: RingPoster<Element>) -> Joining {
            var graph = WaitGraph.acquire()
            let result: Joining
            if waiters.isClosed {
                result = .closed
            } else if graph.wouldWaitForItself(poster, on: permits.stateAddress) {
                permits.noteExcess(depth: capacity, capacity: capacity)
                result = .late
            } else {
                waiters.posters.append(poster)
                poster.block(on: permits.stateAddress, in: graph)
                // sequential: this store and the loads of the cells' numbers, against the store of a number and the load of
                // this word in `free(_:)`. One side sees the other; otherwise a thread could sleep beside an empty ring.
                waiting.store(.raised, .sequential)
                putWaiting(&graph)
                result = poster.wasPosted ? .posted : .waiting
            }
            graph.release(wakingAllBut: result == .posted ? poster : nil)
            return result
        }

        /// Puts in the elements of the oldest waiters, while there is capacity.
        private func putWaiting(_ graph: inout WaitGraph.Held) {
            while let poster = waiters.posters.first,
                let position = isForOne ? claimAlone(.sequential) : claim(.sequential)
            {
                _ = waiters.posters.popFirst()
                store(poster.element, at: position)
                poster.wasPosted = true
                graph.end(poster)
            }
            // relaxed: a thread that still reads that it is raised joins the queue and finds capacity there.
            if waiters.posters.isEmpty { waiting.store(.lowered, .relaxed) }
        }

        /// Serves waiters when there is capacity. Called by the taking thread.
        @inline(never)
        private func handOut() {
            var graph = WaitGraph.acquire()
            putWaiting(&graph)
            graph.release()
        }

        /// Closes the ring: nothing is taken any more. Wakes the waiters; their elements aren't put in. Called by the taking
        /// thread.
        func close() {
            var graph = WaitGraph.acquire()
            waiters.isClosed = true
            while let poster = waiters.posters.popFirst() { graph.end(poster) }
            waiting.store(.lowered, .relaxed)
            graph.release()
        }

        // MARK: Taking

        /// Takes the oldest element, if there is one. Called by the taking thread.
        func take() -> Element? {
            // acquire: sees the element and all late posts before it. Pairs with `publish(_:)`.
            let isReady = unsafe number(taking.head).pointee.load(.acquire) == taking.head + 1
            // relaxed: late elements that must come before the element are visible because of the acquire above.
            if !lateNodes.isEmpty { collect() }
            if taking.lateHead <= taking.head { return popLate() }
            guard isReady else { return nil }
            noteAccess(taking.head)
            let element = unsafe slot(taking.head).move()
            free(taking.head)
            taking.head += 1
            return element
        }

        /// Whether ``take()`` would probably return an element. Called by the taking thread.
        var hasWork: Bool {
            // relaxed, both: a hint.
            unsafe number(taking.head).pointee.load(.relaxed) == taking.head + 1 || taking.lateHead <= taking.head
                || !lateNodes.isEmpty
        }

        private func free(_ position: UInt64) {
            // sequential: release, which lets the cell be written again and pairs with `claim(_:)`; also see `join(_:)`.
            unsafe number(position).pointee.store(position + capacity, .sequential)
            if waiting.isRaised(.sequential) { handOut() }
        }

        private func popLate() -> Element? {
            let element = taking.late.popFirst()?.element
            taking.lateHead = taking.late.first?.position ?? .max
            return element
        }

        private func append(_ element: Element, at position: UInt64) {
            if taking.late.isEmpty { taking.lateHead = position }
            taking.late.append((position, element))
        }

        /// Collects the late elements of other threads.
        private func collect() {
            var rest = lateNodes.takeAllInOrder(LateNode<Element>.self)
            while let node = rest {
                rest = node.takeBelow()
                append(node.element, at: node.position)
            }
        }

        /// Takes all elements that are posted completely. Called by the taking thread.
        func takeAll() -> [Element] {
            var taken: [Element] = []
            while let element = take() { taken.append(element) }
            return taken
        }

        /// Takes the remaining elements when the ring isn't used any more. Called by the taking thread, which releases them when
        /// it holds nothing.
        ///
        /// An element that it misses is posted by a thread that sees, after its next light barrier, all stores made before
        /// this call.
        func discard() -> [Element] {
            AsymmetricBarrier.heavy()
            var taken: [Element] = []
            var spins = 0
            while true {
                taken += takeAll()
                // relaxed, all of these: the barrier makes the posts before it visible.
                let end = tail.load(.relaxed)
                if unsafe number(taking.head).pointee.load(.relaxed) == taking.head + 1 || !lateNodes.isEmpty {
                    continue
                }
                if end == taking.head { return taken }
                // A post is in progress.
                if spins < Ring.spinLimit {
                    unsafe number(taking.head).pointee.spin(iteration: spins)
                } else {
                    blockingWaitForPost()
                }
                spins += 1
            }
        }

        /// Sleeps while the thread that has claimed the next position is still posting. That thread may be preempted for any
        /// time.
        private func blockingWaitForPost() {
            if isParking {
                blockingWait(unlessSignalledSince: signals, until: nil)
            } else {
                // If the taking thread never sleeps, posts don't wake it: it checks again after a millisecond.
                let seen = unsafe number(taking.head).pointee.load(.relaxed)
                unsafe number(taking.head).pointee.poll(while: UInt32(truncatingIfNeeded: seen), for: 1_000_000)
            }
        }

        /// Whether every posted element has been taken. Called by the taking thread.
        var isDrained: Bool {
            // acquire: sees the writes before the posts that it counts.
            tail.load(.acquire) == taking.head && lateNodes.word.load(.acquire) == 0 && taking.late.isEmpty
        }

        /// How many elements are in the cells, or about to be. Those that exceed the bound don't count. Called by any thread.
        var count: UInt64 {
            // relaxed, both: a look. Cells are freed in order.
            let end = tail.load(.relaxed)
            var (taken, queued) = (end > capacity ? end - capacity : 0, end)
            while taken < queued {
                let middle = taken + (queued - taken) / 2
                let number = unsafe number(middle).pointee.load(.relaxed)
                if Int64(bitPattern: number &- middle) >= Int64(capacity) {
                    taken = middle + 1
                } else {
                    queued = middle
                }
            }
            return end - taken
        }

        // MARK: Sleeping

        /// How often ``signal()`` was called. The taking thread reads it before it checks for what is signalled.
        var signals: UInt64 {
            // acquire: sees the writes before the signal.
            signalCount.load(.acquire)
        }

        /// Wakes the taking thread without an element.
        func signal() {
            // release: publishes what is signalled. Pairs with `signals`.
            signalCount.fetchAdd(1, .release)
            wakeTaker()
        }

        private func wakeTaker() {
            guard isParking else { return }
            // Against the heavy barrier in `announceSleep()`: either this thread sees that the taking thread is about to
            // sleep, or that thread sees what this one has posted.
            AsymmetricBarrier.light()
            // relaxed: the barrier orders it.
            guard parked.isRaised(.relaxed) else { return }
            // relaxed: it only decides which thread wakes the taking thread.
            if parked.tryLower(.relaxed) { parked.wake(1) }
        }

        /// Sleeps until there may be an element, or a signal since `signals` was read, or until the monotonic clock shows
        /// `deadline`, in nanoseconds; nil for no deadline. Called by the taking thread, after ``take()`` found nothing.
        func blockingWait(unlessSignalledSince signals: UInt64, until deadline: UInt64?) {
            announceSleep()
            if !hasNews(since: signals) { parked.blockingWait(while: .raised, untilMonotonic: deadline) }
            // relaxed: a thread that still reads that it is raised wakes no thread.
            parked.store(.lowered, .relaxed)
        }

        private func announceSleep() {
            // relaxed: the barrier orders it. See `wakeTaker()`.
            parked.store(.raised, .relaxed)
            AsymmetricBarrier.heavy()
        }

        private func hasNews(since signals: UInt64) -> Bool {
            // relaxed: as in `announceSleep()`.
            unsafe number(taking.head).pointee.load(.relaxed) == taking.head + 1 || !lateNodes.isEmpty
                || signalCount.load(.relaxed) != signals
        }

        /// One iteration of a spin loop of the taking thread.
        ///
        /// - Parameter isYielding: Whether to yield the rest of the time slice.
        func spin(isYielding: Bool) { unsafe number(taking.head).pointee.spin(iteration: isYielding ? .max : 0) }
    }

    /// A thread that waits for capacity with its element.
    private final class RingPoster<Element>: ThreadWaiter, @unchecked Sendable {  // See the superclass.
        let element: Element

        /// Whether the element was put in. Written before the thread is served.
        var wasPosted = false

        init(_ element: Element) {
            self.element = element
            super.init(takesPermit: true)
        }
    }

    /// An element beyond the bound.
    private final class LateNode<Element>: StackNode {
        let element: Element
        let position: UInt64

        var below: UInt64 = 0

        init(_ element: Element, at position: UInt64) {
            self.element = element
            self.position = position
        }
    }
#endif
