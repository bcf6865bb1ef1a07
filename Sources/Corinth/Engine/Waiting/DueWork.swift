#if !NaiveLocks
    internal import CCorinth

    /// What a thread does when it has left a strand, in one word. Bit 0 says that it waits for something, so that one test tells.
    ///
    ///                                              1      0
    ///     | 0                                    | 0 |    0   |  nothing
    ///     | address of the follower              | 0 |    0   |  it calls the follower
    ///     | address of the permits               | 0 | waits  |  it has exceeded this bound, and waits when it owns no strand
    ///     | address of the ``DueList``           | 1 | waits  |  several of these
    struct DueWork {
        let bits: UInt

        static var nothing: DueWork { DueWork(bits: 0) }

        static func follower(_ follower: DeliveryFollower) -> DueWork {
            DueWork(bits: TaggedReference.word(retaining: follower, tag: 0))
        }

        static func wait(for permits: Permits) -> DueWork {
            DueWork(bits: TaggedReference.word(retaining: permits, tag: 1))
        }

        static func several(_ waits: [Permits], _ follower: DeliveryFollower?) -> DueWork {
            DueWork(bits: TaggedReference.word(retaining: DueList(waits, follower), tag: 3))
        }

        var follower: Unmanaged<DeliveryFollower>? { unsafe TaggedReference.object(of: bits, tagged: 0) }
        var permits: Unmanaged<Permits>? { unsafe TaggedReference.object(of: bits, tagged: 1) }
        var list: Unmanaged<DueList>? { unsafe TaggedReference.object(of: bits, tagged: 3) }

        var isNothing: Bool { bits == 0 }

        var hasFollower: Bool {
            unsafe list?._withUnsafeGuaranteedRef { $0.follower != nil } ?? (follower != nil)
        }
    }

    /// Several bounds that a thread has exceeded, or some and a follower.
    final class DueList {
        /// At least one.
        var waits: [Permits]
        var follower: DeliveryFollower?

        init(_ waits: [Permits], _ follower: DeliveryFollower?) {
            self.waits = waits
            self.follower = follower
        }
    }

    extension ThreadState {
        /// A thread that writes it has taken over what the word before has retained.
        var due: DueWork {
            get { unsafe DueWork(bits: state.pointee.due) }
            nonmutating set {
                unsafe state.pointee.due = newValue.bits
                noteDue()
            }
        }

        // MARK: Followers

        /// Remembers a follower; false if there is one.
        func follow(with follower: DeliveryFollower) -> Bool {
            let due = due
            if due.hasFollower { return false }
            if let list = unsafe due.list {
                unsafe list._withUnsafeGuaranteedRef { $0.follower = follower }
            } else if let permits = unsafe due.permits {
                self.due = unsafe .several([permits.takeRetainedValue()], follower)
            } else {
                self.due = .follower(follower)
            }
            return true
        }

        /// This thread has left a strand.
        func callFollower() {
            let due = due
            if let follower = unsafe due.follower {
                self.due = .nothing
                unsafe follower.takeRetainedValue().followDelivery()
            } else if let list = unsafe due.list {
                unsafe list.takeUnretainedValue().takeFollower()?.followDelivery()
            }
        }

        // MARK: Deferred waits

        /// Makes this thread wait for a permit after it has left its last strand.
        func deferWait(for permits: Permits) {
            let due = due
            if let list = unsafe due.list {
                unsafe list._withUnsafeGuaranteedRef { $0.add(permits) }
            } else if let first = unsafe due.permits {
                if unsafe first.toOpaque() == Unmanaged.passUnretained(permits).toOpaque() { return }
                self.due = unsafe .several([first.takeRetainedValue(), permits], nil)
            } else if let follower = unsafe due.follower {
                self.due = unsafe .several([permits], follower.takeRetainedValue())
            } else {
                self.due = .wait(for: permits)
            }
        }

        /// Takes this thread's deferred waits. It has none afterwards.
        @usableFromInline
        func takeDeferredWaits() -> DeferredWaits? {
            let due = due
            if let permits = unsafe due.permits {
                self.due = .nothing
                return unsafe DeferredWaits(first: permits.takeRetainedValue(), others: [])
            }
            guard let list = unsafe due.list?.takeRetainedValue() else { return nil }
            self.due = list.follower.map { .follower($0) } ?? .nothing
            return DeferredWaits(first: list.waits[0], others: Array(list.waits.dropFirst()))
        }
    }

    extension DueList {
        fileprivate func add(_ permits: Permits) {
            if !waits.contains(where: { $0 === permits }) { waits.append(permits) }
        }

        fileprivate func takeFollower() -> DeliveryFollower? {
            defer { follower = nil }
            return follower
        }
    }
#endif
