#if !NaiveLocks
    /// A bounded queue in front of one thread: others post, and it takes.
    ///
    /// Each cell has a number beside its element, as in Vyukov's bounded queue. The cell of position *p* is free while that
    /// number is *p*, and full while it is *p* + 1; taking sets it to the position that comes a round later.
    ///
    /// Two things come on top of that:
    /// - The taking thread may go to sleep. Whoever posts then wakes it up: ``blockingWait(unlessSignalledSince:until:)``.
    /// - Whoever finds the ring full waits for room, in turn, unless that would be to wait for itself: ``WaitGraph`` knows. The
    ///   taking thread puts its element in when there is room, and then wakes it up. One that must not wait goes past the
    ///   bound: what it posts is *late*. Its
    ///   position is that of the first element which is posted after it. So all that one thread posts stays in order, and so
    ///   does what threads post that know of one another. What the taking thread posts is late by definition.
    @safe
    final class Ring<Element>: @unchecked Sendable {  // Its words are atomic, the rest is handed over through them.
        /// How many turns a thread spins for room before it sleeps.
        static var spinningTurns: Int {
            #if Exploration
                Explorer.limit(.spinning, usually: 128)
            #else
                128
            #endif
        }

        // What every post writes, what is rarely written, and what the taking thread writes have cache lines of their own.

        /// The position of the next post.
        private var tailStorage: UInt64 = 0
        private var tailPadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
        private var parkedStorage: UInt64 = 0
        private var waitingStorage: UInt64 = 0
        private var lateStorage: UInt64 = 0
        private var signalsStorage: UInt64 = 0
        private var producerStorage: UInt64 = 0

        let cells: UnsafeMutableRawPointer
        private let stride: Int
        private let offset: Int
        private let isForOne: Bool
        let isParking: Bool

        /// How many elements there is room for.
        let capacity: UInt64
        private var padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)

        /// The position of the next take. Owned by the taking thread, as is the rest.
        @safe @exclusivity(unchecked) private var head: UInt64 = 0

        /// Late elements, in order, and the position of the first: `.max` if there is none.
        @safe @exclusivity(unchecked) private var late = Fifo<(position: UInt64, element: Element)>()
        @safe @exclusivity(unchecked) private var lateHead = UInt64.max

        /// What those wait for who find no room, and what has to run so that there is some.
        let place: Permits

        // Guarded by the flag of ``WaitGraph``.
        @safe @exclusivity(unchecked) private var posters = Fifo<RingPoster<Element>>()
        @safe @exclusivity(unchecked) private var isClosed = false

        #if Exploration
            /// Stand for the cells' elements, which are plain memory.
            private let marks: [Mark]
            private final class Mark {}
        #endif

        /// - Parameters:
        ///   - capacity: At least 1. Rounded up to a power of two, and to 2.
        ///   - isForOne: Whether it is for the first thread that posts: what others post is late.
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
            place = Permits(nil, servedBy: taker)
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
            // Nobody else is left. What is late is released with its list.
            while take() != nil {}
            unsafe cells.deallocate()
        }

        private var tail: AtomicWord { AtomicWord(of: self) }

        /// 1 while the taking thread sleeps, or is about to.
        private var parked: AtomicWord { AtomicWord(of: self, at: 64) }

        /// Whether somebody waits for room.
        private var waiting: AtomicWord { AtomicWord(of: self, at: 72) }

        /// The newest node of the late ones that the taking thread has not collected, or 0.
        private var lateNodes: AtomicWord { AtomicWord(of: self, at: 80) }

        /// Counted up for news that are no elements.
        private var signalCount: AtomicWord { AtomicWord(of: self, at: 88) }

        /// The token of the one thread that posts to a ring which is for one; 0 before its first post.
        private var producer: AtomicWord { AtomicWord(of: self, at: 96) }

        private func address(_ position: UInt64) -> UnsafeMutableRawPointer {
            unsafe cells + Int(position & (capacity - 1)) * stride
        }

        private func number(_ position: UInt64) -> AtomicWord {
            unsafe AtomicWord(address(position).assumingMemoryBound(to: UInt64.self))
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

        /// Puts an element behind what was posted before. Called by any thread but the taking one.
        ///
        /// - Parameter mayWait: Whether to wait for room if there is none. Else the element goes past the bound.
        /// - Returns: Whether it was put in; false if the ring was closed while there was no room.
        @discardableResult
        func post(_ element: Element, mayWait: Bool) -> Bool {
            if isForOne, !isProducer {
                postLate(element)
            } else if mayWait && waiting.load(.relaxed) != 0 {
                // relaxed: a hint. Nobody overtakes those who wait, but for whoever comes at the same time.
                return waitForRoom(element)
            } else if let position = isForOne ? claimAlone() : claim() {
                put(element, at: position)
            } else if mayWait {
                return waitForRoom(element)
            } else {
                postLate(element)
            }
            return true
        }

        /// Whether the calling thread is the one that the ring is for; the first that asks is.
        private var isProducer: Bool {
            let me = ThreadState.current.token
            // relaxed: only this thread can have written its own token, or one that had ended before this one began.
            let known = producer.load(.relaxed)
            return known == me || known == 0 && producer.compareExchange(0, me, .relaxed).won
        }

        private func postLate(_ element: Element) {
            push(LateNode(element, at: latePosition()))
            wakeTaker()
        }

        /// Puts an element behind what was posted before. Called by the taking thread.
        func postByTaker(_ element: Element) {
            if lateNodes.load(.relaxed) != 0 { collect() }
            append(element, at: latePosition())
        }

        /// relaxed: what this thread knows to be posted has raised the tail before; whoever knows of this raises it after.
        private func latePosition() -> UInt64 { tail.load(.relaxed) }

        /// A position for one element; nil if there is no room.
        ///
        /// - Parameter order: Acquire: sees that the cell's last element was taken out, and pairs with the store in `free(_:)`. Or
        ///   sequential, as said in `join(_:)`.
        private func claim(_ order: LoadOrder = .acquire) -> UInt64? {
            // relaxed: the cell's number tells whether the position is free.
            var position = tail.load(.relaxed)
            while true {
                let distance = number(position).load(order) &- position
                if distance == 0 {
                    // sequential: as said in `discard()`.
                    let result = tail.compareExchange(position, position + 1, .sequential)
                    if result.won { return position }
                    position = result.seen
                } else {
                    let newest = tail.load(.relaxed)
                    // Full, unless somebody else was faster.
                    if newest == position, distance > UInt64.max / 2 { return nil }
                    position = newest
                }
            }
        }

        /// The same where nobody else posts.
        private func claimAlone(_ order: LoadOrder = .acquire) -> UInt64? {
            let position = tail.load(.relaxed)
            guard number(position).load(order) == position else { return nil }
            // sequential: as said in `discard()`. If the taking thread sleeps, publishing is enough for that, as nobody else
            // posts.
            tail.store(position + 1, isParking ? .relaxed : .sequential)
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
            if isParking {
                // sequential: release, which publishes the element and pairs with the acquire in `take()`; and, with the load in
                // `wakeTaker()`, against the store and the load of the taking thread before it sleeps. One of the two sides
                // sees the other; else it could sleep beside an element.
                number(position).store(position + 1, .sequential)
            } else {
                number(position).store(position + 1, .release)
            }
        }

        private func push(_ node: LateNode<Element>) {
            let retained = unsafe Unmanaged.passRetained(node)
            let address = unsafe UInt64(UInt(bitPattern: retained.toOpaque()))
            var seen = lateNodes.load(.relaxed)
            while true {
                PlainAccess.write(node)
                node.next = seen
                // sequential: release, which publishes the node and pairs with `collect()`; and as in `publish(_:)`.
                let result = lateNodes.compareExchange(seen, address, .sequential)
                if result.won { return }
                seen = result.seen
            }
        }

        // MARK: Waiting for room

        /// Waits for room, in turn.
        ///
        /// - Returns: Whether the element was put in; false if nothing is taken any more.
        private func waitForRoom(_ element: Element) -> Bool {
            for turn in 0..<Ring.spinningTurns {
                // relaxed: as in `post(_:mayWait:)`.
                if waiting.load(.relaxed) != 0 { break }
                if let position = isForOne ? claimAlone() : claim() {
                    put(element, at: position)
                    return true
                }
                tail.spin(turn: turn)
            }
            let poster = RingPoster(element)
            switch join(poster) {
            case .posted: wakeTaker()
            case .late: postLate(element)
            case .closed: return false
            case .waiting:
                while !poster.isGranted { poster.blockingWaitUntilGranted() }
                return poster.wasPosted
            }
            return true
        }

        private enum Joining {
            case posted, late, closed, waiting
        }

        private func join(_ poster: RingPoster<Element>) -> Joining {
            let context = SerialContext.current
            var granted = Waiter.List()
            WaitGraph.flag.acquire()
            let result: Joining
            if isClosed {
                result = .closed
            } else if WaitGraph.wouldWaitForItself(on: place, owning: nil, in: context) {
                place.beyond.fetchAdd(1, .relaxed)
                Probe.beyond(place)
                result = .late
            } else {
                posters.append(poster)
                poster.block(context, on: place)
                // sequential: this store and the loads of cells' numbers, against the store of the number and the load of this in
                // `free(_:)`. One of the two sides sees the other; else a thread could sleep beside an empty ring.
                waiting.store(1, .sequential)
                putWaiting(&granted)
                result = poster.wasPosted ? .posted : .waiting
            }
            WaitGraph.flag.release()
            if result == .posted { granted.wake(but: poster) } else { granted.wake() }
            return result
        }

        /// Puts in what those have who wait longest, as far as there is room. Called with the flag of the graph held.
        private func putWaiting(_ granted: inout Waiter.List) {
            while let poster = posters.first, let position = isForOne ? claimAlone(.sequential) : claim(.sequential) {
                _ = posters.popFirst()
                store(poster.element, at: position)
                poster.wasPosted = true
                granted.add(poster)
            }
            // relaxed: who still reads 1 joins the queue, and finds room there.
            if posters.isEmpty { waiting.store(0, .relaxed) }
        }

        /// There is room, and somebody waits. Called by the taking thread.
        @inline(never)
        private func handOut() {
            var granted = Waiter.List()
            WaitGraph.flag.acquire()
            putWaiting(&granted)
            WaitGraph.flag.release()
            granted.wake()
        }

        /// Nothing is taken from here on: who waits for room goes on without. Called by the taking thread.
        func close() {
            var granted = Waiter.List()
            WaitGraph.flag.acquire()
            isClosed = true
            while let poster = posters.popFirst() { granted.add(poster) }
            waiting.store(0, .relaxed)
            WaitGraph.flag.release()
            granted.wake()
        }

        // MARK: Taking

        /// Takes out the oldest element, if there is one. Called by the taking thread.
        func take() -> Element? {
            // acquire: sees the element, and whatever was posted late before it. Pairs with `publish(_:)`.
            let isReady = number(head).load(.acquire) == head + 1
            // relaxed: what must come before the element is seen here, thanks to the acquire above.
            if lateNodes.load(.relaxed) != 0 { collect() }
            if lateHead <= head { return popLate() }
            guard isReady else { return nil }
            noteAccess(head)
            let element = unsafe slot(head).move()
            free(head)
            head += 1
            return element
        }

        private func free(_ position: UInt64) {
            // sequential: release, which lets the cell be written again and pairs with `claim(_:)`; and as said in `join(_:)`.
            number(position).store(position + capacity, .sequential)
            if waiting.load(.sequential) != 0 { handOut() }
        }

        private func popLate() -> Element? {
            let element = late.popFirst()?.element
            lateHead = late.first?.position ?? .max
            return element
        }

        private func append(_ element: Element, at position: UInt64) {
            if late.isEmpty { lateHead = position }
            late.append((position, element))
        }

        /// Takes over what others have posted late.
        private func collect() {
            // acquire: sees the nodes. Pairs with `push(_:)`.
            var rest = lateNodes.exchange(0, .acquire)
            var nodes: [LateNode<Element>] = []
            while let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(rest)) {
                // Retained by `push(_:)`.
                let node = unsafe Unmanaged<LateNode<Element>>.fromOpaque(pointer).takeRetainedValue()
                PlainAccess.read(node)
                rest = node.next
                nodes.append(node)
            }
            for node in nodes.reversed() { append(node.element, at: node.position) }
        }

        /// Takes out what is left, and lets go of it, when nobody will take anything any more. Called by the taking thread.
        ///
        /// What it doesn't find is posted by a thread that sees whatever was stored sequentially before this.
        func discard() {
            var turn = 0
            while true {
                while take() != nil {}
                // sequential, all of these: against the update of the tail, or the post, and what the posting thread loads after it.
                let end = tail.load(.sequential)
                if lateNodes.load(.sequential) != 0 || number(head).load(.sequential) == head + 1 { continue }
                if end == head { return }
                // Somebody is in the middle of a post.
                if turn < Ring.spinningTurns { number(head).spin(turn: turn) } else { blockingWaitForPost() }
                turn += 1
            }
        }

        /// Sleeps while a thread that has claimed the next position is not through with its post: it may have been interrupted for
        /// any time.
        private func blockingWaitForPost() {
            if isParking {
                blockingWait(unlessSignalledSince: signals, until: nil)
            } else {
                // Nobody is to be woken where the taking thread never sleeps: it looks again after a millisecond.
                let seen = number(head).load(.relaxed)
                number(head).blockingWait(
                    while: UInt32(truncatingIfNeeded: seen), untilMonotonic: MonotonicTime.now + 1_000_000)
            }
        }

        /// Whether everything that was posted has been taken. Called by the taking thread.
        var isDrained: Bool {
            // acquire: sees what came before the posts that it counts.
            tail.load(.acquire) == head && lateNodes.load(.acquire) == 0 && late.isEmpty
        }

        // MARK: Sleeping

        /// How often ``signal()`` was called. Read by the taking thread before it looks at whatever is signalled.
        var signals: UInt64 {
            // acquire: sees what was done before the signal.
            signalCount.load(.acquire)
        }

        /// Wakes the taking thread up for something that isn't an element.
        func signal() {
            // sequential: as in `publish(_:)`.
            signalCount.fetchAdd(1, .sequential)
            wakeTaker()
        }

        private func wakeTaker() {
            // sequential: as said in `publish(_:)`.
            guard isParking, parked.load(.sequential) != 0 else { return }
            // relaxed: it only settles who of several wakes it up.
            if parked.exchange(0, .relaxed) != 0 { parked.wake(1) }
        }

        /// Sleeps until there may be something to take, or a signal since `signals` was read, or until the
        /// monotonic clock shows `deadline`, in nanoseconds; nil if no time ends it.
        /// Called by the taking thread, after ``take()`` found nothing.
        func blockingWait(unlessSignalledSince signals: UInt64, until deadline: UInt64?) {
            announceSleep()
            if !hasNews(since: signals) { parked.blockingWait(while: 1, untilMonotonic: deadline) }
            // relaxed: whoever still reads 1 wakes nobody.
            parked.store(0, .relaxed)
        }

        private func announceSleep() {
            // sequential: as said in `publish(_:)`.
            parked.store(1, .sequential)
        }

        private func hasNews(since signals: UInt64) -> Bool {
            // sequential: as said in `publish(_:)`.
            number(head).load(.sequential) == head + 1 || lateNodes.load(.sequential) != 0
                || signalCount.load(.sequential) != signals
        }

        /// One turn of a spin loop of the taking thread.
        ///
        /// - Parameter isYielding: Whether to give the rest of the time slice to others.
        func spin(isYielding: Bool) { number(head).spin(turn: isYielding ? .max : 0) }
    }

    /// A thread that waits for room, with its element in hand.
    private final class RingPoster<Element>: Waiter, @unchecked Sendable {  // As its superclass.
        let element: Element

        /// Whether the element was put in. Written before the thread is served.
        var wasPosted = false

        init(_ element: Element) {
            self.element = element
            super.init(takesPlace: true)
        }
    }

    /// An element past the bound.
    private final class LateNode<Element> {
        let element: Element
        let position: UInt64

        /// The address of the node that was pushed before. Written by the pushing thread until the push.
        var next: UInt64 = 0

        init(_ element: Element, at position: UInt64) {
            self.element = element
            self.position = position
        }
    }
#endif
