#if !NaiveLocks
    internal import CCorinth
    internal import Dispatch

    /// What has a bound on what waits in it. Whoever overfills it while owning a strand has a debt, and settles it when it owns
    /// none: a thread of the user's waits there for room.
    ///
    /// A scheduler's thread doesn't wait: others are queued behind it. Its drain *stops* instead, with what it still has to
    /// deliver in its own mailbox, and goes on when half of the room is free. So the bound holds along a whole stream, and what
    /// waits is where the stream begins.
    ///
    /// Drains that have stopped are in a list, whose head is a word. Whoever makes room takes the list whole; a drain that is
    /// added to it looks again whether there is room, so that one of the two sides sees the other. What has stopped might be
    /// what the deliveries wait for: as long as drains have stopped, a watch looks from time to time whether anything is
    /// delivered, and loses patience as a waiting sender does.
    @usableFromInline
    class Creditor: @unchecked Sendable {  // Its words are a subclass's, and atomic.
        @usableFromInline
        init() {}

        /// Waits until there is room. Called by a thread that owns no strand.
        func blockingWaitForRoom() {}

        // MARK: What a subclass that drains stop for says

        /// Where its six words are, in bytes.
        class var words: Int { preconditionFailure("a creditor has no words") }

        /// How many elements wait.
        var waitingCount: UInt64 { 0 }

        /// How many may wait.
        @usableFromInline var capacity: UInt64 { .max }

        /// How much has been delivered.
        var deliveries: UInt64 { 0 }

        /// How long senders wait and drains stop without a delivery, in seconds; infinite if they don't lose patience.
        var usualPatience: Double { .infinity }

        /// The drain that stopped last: the head of a list.
        private var stopped: AtomicWord { AtomicWord(of: self, at: Self.words) }

        /// Whether there is a watch: 0 or 1.
        private var watched: AtomicWord { AtomicWord(of: self, at: Self.words + 8) }

        /// 1 more than the number of deliveries at which patience was lost; how many may wait until the next one; and how
        /// often patience was doubled. Hints: who reads old ones waits once more, or doesn't wait when it should.
        private var stall: AtomicWord { AtomicWord(of: self, at: Self.words + 16) }
        private var allowance: AtomicWord { AtomicWord(of: self, at: Self.words + 24) }
        private var doublings: AtomicWord { AtomicWord(of: self, at: Self.words + 32) }

        /// How often the watch has doubled its patience since the last delivery. Owned by the watch.
        private var watchDoublings: AtomicWord { AtomicWord(of: self, at: Self.words + 40) }

        // MARK: Patience

        /// How many may wait now.
        final var bound: UInt64 { isStalled(at: deliveries) ? allowance.load(.relaxed) : capacity }

        /// In seconds.
        final var patience: Double { usualPatience * Double(1 << doublings.load(.relaxed)) }

        private func isStalled(at mark: UInt64) -> Bool { stall.load(.relaxed) == mark + 1 }

        /// Nothing was delivered for as long as anybody has patience: until something is, twice as many may wait.
        final func losePatience(at mark: UInt64) {
            allowance.store(min(bound, .max / 4) * 2, .relaxed)
            stall.store(mark + 1, .relaxed)
        }

        /// Something was delivered since, while a sender waited. If patience was lost before that, it was too short.
        final func seeDelivery(since mark: UInt64) {
            if isStalled(at: mark) { doublings.store(min(doublings.load(.relaxed) + 1, 10), .relaxed) }
        }

        // MARK: Drains

        /// What a drain has to stop for that has overfilled this; nil if it can go on.
        ///
        /// - Parameter own: Where the drain makes room itself, for which it can't wait.
        @usableFromInline
        func obstacle(besides own: Creditor?) -> Creditor? {
            self === own || waitingCount <= bound || usualPatience == 0 ? nil : self
        }

        /// Stops a drain, and has it go on when there is room, or at once if there is.
        @usableFromInline
        @inline(never)
        final func stop(_ drain: Resumable) {
            let address = unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(drain).toOpaque()))
            var seen = stopped.load(.relaxed)
            while true {
                drain.touchLink()
                unsafe drain.link = Creditor.drain(at: seen)
                // sequential: this and the load in `hasRoom`, against the subtraction and the load of whoever makes room.
                // One of the two sides sees the other; else a drain could stop for ever beside an empty mailbox. release
                // is in it: publishes the link, and what the drain has done so far.
                let result = stopped.compareExchange(seen, address, .sequential)
                if result.won { break }
                seen = result.seen
            }
            if hasRoom { resumeStopped() }
            watch()
        }

        // sequential: as said in `stop(_:)`.
        private var hasRoom: Bool { waitingCount <= capacity / 2 }

        /// Has all drains go on that have stopped. Called by whoever has made room, and sees by a sequential load that there
        /// are some, as said in `stop(_:)`.
        @usableFromInline
        @inline(never)
        final func resumeStopped() {
            // acquire: sees the links. Pairs with the compare-exchange in `stop(_:)`.
            var rest = unsafe Creditor.drain(at: stopped.exchange(0, .acquire))
            while let taken = unsafe rest {
                let drain = unsafe taken.takeRetainedValue()
                drain.touchLink()
                // Read first: from `resume()` on, it may be in another list.
                unsafe rest = drain.link
                drain.resume()
            }
        }

        /// Sees to it that there is a watch.
        private func watch() {
            // sequential: after the list, as said in `look(_:)`.
            if watched.exchange(1, .sequential) == 0 { lookLater() }
        }

        private func lookLater() {
            if usualPatience == .infinity { return }
            let mark = deliveries
            // relaxed: one watch follows another by the word that says that there is one.
            let patience = usualPatience * (isStalled(at: mark) ? Double(1 << watchDoublings.load(.relaxed)) : 1)
            #if Exploration
                // At any moment from here on.
                if Explorer.submit({ self.look(mark) }) { return }
            #endif
            let date = WallTime.now.adding(UInt64(min(patience * 1e9, 8e18)))
            TimerEntry({ self.look(mark) }, at: date, on: Creditor.watchers).start()
        }

        private static let watchers = DispatchQueue(label: "corinth.patience")

        /// What the watch does from time to time.
        ///
        /// - Parameter mark: How much had been delivered the last time.
        private func look(_ mark: UInt64) {
            if stopped.load(.relaxed) != 0 {
                if deliveries != mark { return lookLater() }
                // Once more, and it hasn't helped: what is slow or dead is looked at less and less often.
                watchDoublings.store(isStalled(at: mark) ? min(watchDoublings.load(.relaxed) + 1, 10) : 0, .relaxed)
                losePatience(at: mark)
                resumeStopped()
            }
            // sequential: this store and the load after it, against the list and the exchange in `watch()`. Either it sees a
            // drain that has stopped meanwhile, or that one sees that there is no watch.
            watched.store(0, .sequential)
            if stopped.load(.sequential) != 0 { watch() }
        }

        private static func drain(at address: UInt64) -> Unmanaged<Resumable>? {
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
            return unsafe Unmanaged<Resumable>.fromOpaque(pointer)
        }
    }

    /// What one thread has overfilled since it last waited: streams that part, and are full one as the other.
    private final class SeveralCreditors: Creditor, @unchecked Sendable {  // One thread's.
        private var all: [ObjectIdentifier: Creditor]

        init(_ first: Creditor, _ second: Creditor) {
            all = [ObjectIdentifier(first): first, ObjectIdentifier(second): second]
            super.init()
        }

        func add(_ creditor: Creditor) { all[ObjectIdentifier(creditor)] = creditor }

        override func blockingWaitForRoom() {
            for creditor in all.values { creditor.blockingWaitForRoom() }
        }

        override func obstacle(besides own: Creditor?) -> Creditor? {
            // One. When the drain goes on, it overfills the others again.
            for creditor in all.values {
                if let obstacle = creditor.obstacle(besides: own) { return obstacle }
            }
            return nil
        }
    }

    extension ThreadState {
        /// Makes this thread wait for room when it has left its last strand.
        func incurDebt(to creditor: Creditor) {
            guard let debt = unsafe state.pointee.debt else {
                unsafe state.pointee.debt = Unmanaged.passRetained(creditor).toOpaque()
                owned |= ThreadState.debtOnly
                return
            }
            // The thread's own, retained where it was put there.
            let first = unsafe Unmanaged<Creditor>.fromOpaque(debt).takeUnretainedValue()
            if first === creditor { return }
            if let several = first as? SeveralCreditors {
                several.add(creditor)
            } else {
                let several = SeveralCreditors(first, creditor)
                unsafe state.pointee.debt = Unmanaged.passRetained(several).toOpaque()
                unsafe Unmanaged<Creditor>.fromOpaque(debt).release()
            }
        }

        /// Whether it has to wait for something.
        @inlinable @inline(__always)
        var hasDebt: Bool { owned & ThreadState.debtOnly != 0 }

        /// What this thread has to wait for. It has no debt any more.
        func takeDebt() -> Creditor? {
            owned &= ~ThreadState.debtOnly
            guard let debt = unsafe state.pointee.debt else { return nil }
            unsafe state.pointee.debt = nil
            return unsafe Unmanaged<Creditor>.fromOpaque(debt).takeRetainedValue()
        }

        /// What the drain that this thread runs has to stop for. The thread has no debt any more.
        ///
        /// - Parameter own: Where the drain makes room itself, for which it can't wait.
        @usableFromInline
        @inline(never)
        func takeObstacle(besides own: Creditor?) -> Creditor? { takeDebt()?.obstacle(besides: own) }

        /// Runs `body` as if this thread owned a strand: it waits for no room, now or later.
        @inlinable
        static func withoutWaiting(_ body: () -> Void) {
            let thread = ThreadState.current
            thread.owned &+= 2
            body()
            thread.owned &-= 2
            if thread.owned == debtOnly { thread.forgiveDebt() }
        }

        @usableFromInline
        func forgiveDebt() { _ = takeDebt() }
    }
#endif
