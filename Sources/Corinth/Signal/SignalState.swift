/// How far the end of a stream has come: bits of a word, 0 while nothing has ended it.
@usableFromInline
enum EndMark {
    /// The end is settled.
    @inlinable static var ended: UInt64 { 1 }

    /// An interruption is queued: values in front of it are dropped (law E6).
    @inlinable static var interrupting: UInt64 { 2 }

    /// Another end is queued.
    @inlinable static var ending: UInt64 { 4 }
}

/// What a signal's engine is apart from the types of its values and errors.
///
/// A class of its own because deinitialisers of generic classes run unspecialised code: what a ``Signal`` does when it
/// goes, and what happens up a chain that is let go of, is here.
@usableFromInline
class SignalState: @unchecked Sendable {  // The strand's owner alone touches what is not immutable or atomic.
    /// An ``EndMark``. Atomic, so that observing a terminated signal needs no strand: ``EndMark/ended`` from the moment the end is settled.
    @usableFromInline final var terminatedStorage: UInt64 = 0

    /// Room for the first observer. Raw memory, reached through ``firstSlot``.
    @usableFromInline final var slotStorage: SlotPlace.Storage = SlotPlace.empty

    /// Observations that were disposed of while the strand was owned: the newest, or 0.
    private final var removalsStorage: UInt64 = 0

    @usableFromInline final let strand: Strand

    /// What ends with the signal. Immutable: the composite is its own synchronisation.
    @usableFromInline final let resources: CompositeDisposable?

    /// Where a derived signal is attached. Owned by whoever owns the strand, as all that follows.
    @safe @exclusivity(unchecked)
    @usableFromInline final var upstream: Upstream?

    /// How many observe this now.
    @safe @exclusivity(unchecked)
    @usableFromInline final var observerCount = 0

    /// Whether the observer list, whose type is not known here, has anything to release.
    @safe @exclusivity(unchecked)
    @usableFromInline final var hasList = false

    /// Whether a ``Signal`` refers to this.
    @safe @exclusivity(unchecked)
    @usableFromInline final var isReachable = true

    @inlinable
    init(strand: Strand, resources: CompositeDisposable?) {
        self.strand = strand
        self.resources = resources
        LiveCounts.add(.signals)
    }

    deinit {
        if let resources { SignalState.dispose(of: resources) }
        LiveCounts.remove(.signals)
    }

    /// On the trampoline: what ends with a signal may be its observation of another one, which ends with that, and so on.
    @usableFromInline
    static func dispose(of resources: CompositeDisposable) {
        Trampoline.dispose(of: resources, with: ()) { resources, _ in resources.dispose() }
    }

    @inlinable
    final var terminated: AtomicWord {
        @inline(__always)
        get { AtomicWord(of: self) }
    }

    /// Whether values that wait are dropped.
    @inlinable
    final var dropsQueued: Bool {
        // relaxed: a hint, but for the thread that has sent the interruption; what it sends reaches nobody.
        get { terminated.load(.relaxed) & EndMark.interrupting != 0 }
    }

    /// Whether the end is settled: nothing is delivered from here on, but perhaps the end itself.
    @inlinable
    final var isTerminated: Bool {
        // acquire: what led to the end is seen. Pairs with the release in `markTerminated()`.
        @inline(__always)
        get { terminated.load(.acquire) & EndMark.ended != 0 }
    }

    @inlinable
    final var firstSlot: SlotPlace { SlotPlace(of: self, at: 8) }

    private final var removals: AtomicWord { AtomicWord(of: self, at: 8 + MemoryLayout<SlotPlace.Storage>.size) }

    /// Leaves an observation to the owner of the strand, who takes it out of the list.
    ///
    /// - Returns: Whether it is the first: then the owner has to be told, once for all that follow.
    @usableFromInline
    final func pushRemoval(_ observation: Observation) -> Bool {
        let address = unsafe UInt64(UInt(bitPattern: Unmanaged.passRetained(observation).toOpaque()))
        var seen = removals.load(.relaxed)
        while true {
            observation.nextRemoved = seen
            // release: publishes the link. Pairs with the exchange in `takeRemovals()`.
            let result = removals.compareExchange(seen, address, .release)
            if result.won { return seen == 0 }
            seen = result.seen
        }
    }

    /// What has been left. Called by the owner of the strand.
    @usableFromInline
    final func takeRemovals() -> Observation? {
        // acquire: sees the links. Whoever comes after this tells the owner again.
        Observation.removed(at: removals.exchange(0, .acquire))
    }

    /// Gives up the place in the source's list, which is the caller's to detach.
    @inlinable
    final func takeUpstream() -> Upstream? {
        upstream.take()
    }

    /// Lets go of what a signal holds that has ended. A function of its own to keep the stack small on which ends go down a
    /// chain.
    @usableFromInline
    @inline(never)
    final func letGo() {
        resources?.dispose()
        strand.withState({ takeUpstream() })?.detach()
    }

    /// Settles the end; false if it was before.
    @inlinable
    final func markTerminated() -> Bool {
        if isTerminated { return false }
        // release: as said at `isTerminated`. No exchange, since only the strand's owner settles anything.
        terminated.store(EndMark.ended, .release)
        return true
    }

    /// Ends a signal that is neither reachable nor observed (law S3): silently, as nobody is there to hear of it.
    @usableFromInline
    final func settleIfUnused() -> Leftovers {
        if isReachable || observerCount > 0 || !markTerminated() { return Leftovers() }
        return Leftovers(upstream: takeUpstream(), resources: resources)
    }

    /// The ``Signal`` is gone: nobody will observe this any more who doesn't yet.
    @usableFromInline
    final func becomeUnreachable() {
        if isTerminated { return }
        if strand.beginEdit() {
            isReachable = false
            let leftovers = settleIfUnused()
            strand.endEdit()
            leftovers.release()
        } else {
            strand.enqueueEdit {
                self.isReachable = false
                self.settleIfUnused().release()
            }
        }
    }

    /// What a signal that ends silently holds on to: released after the change, when nothing is in the making. Whoever gets
    /// it releases it.
    @frozen
    @usableFromInline
    @safe struct Leftovers: ~Copyable {
        @usableFromInline var upstream: Upstream?

        /// Retained; not a reference, which unspecialised code would destroy where there is none.
        @usableFromInline let resources: Unmanaged<CompositeDisposable>?

        @inlinable @inline(__always)
        init(upstream: consuming Upstream? = nil, resources: CompositeDisposable? = nil) {
            self.upstream = upstream
            unsafe self.resources = resources.map { unsafe Unmanaged.passRetained($0) }
        }

        @inlinable @inline(__always)
        consuming func release() {
            // Taken over from `init`.
            if let resources = unsafe resources?.takeRetainedValue() { SignalState.dispose(of: resources) }
            upstream?.detach()
        }
    }
}

/// A derived signal's place in its source, with the source's type erased. Not copyable, so that it is moved about without
/// reference counting.
@frozen
@usableFromInline
struct Upstream: ~Copyable {
    @usableFromInline let source: SignalState
    @usableFromInline let slot: UInt64

    /// Gives the place up, and says what the source leaves if that was its last observer.
    @usableFromInline let remove: (SignalState, UInt64) -> SignalState.Leftovers

    @inlinable @inline(__always)
    init(
        source: SignalState, slot: UInt64,
        remove: @escaping (SignalState, UInt64) -> SignalState.Leftovers
    ) {
        self.source = source
        self.slot = slot
        self.remove = remove
    }

    /// Gives the place up, and those above it that were kept for it alone: a loop, so that chains may be long.
    @usableFromInline
    consuming func detach() {
        var next: Upstream? = consume self
        while let place = next.take() {
            var leftovers = place.remove(place.source, place.slot)
            // Taken over, as in `release()`.
            if let resources = unsafe leftovers.resources?.takeRetainedValue() { SignalState.dispose(of: resources) }
            next = leftovers.upstream.take()
        }
    }
}
