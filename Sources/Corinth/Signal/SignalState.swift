/// The part of a signal's engine that is independent of its value and error types.
///
/// It is a separate class because deinitialisers of generic classes run unspecialised code. The deinitialisation of a
/// ``Signal`` and the release of a chain are implemented here.
// Sendable: the strand's owner owns the mutable, non-atomic state.
@usableFromInline
@safe class SignalState: DeliveryFollower, @unchecked Sendable {
    /// Accessed through ``observers``.
    @usableFromInline final var observerStorage = ObserverList.Storage()

    // Senders read this and the next one. So they are behind the observers, far from the reference count, which owners change.
    /// Atomic, so that observing a terminated signal needs no strand. Only the strand's owner writes ``EndMark/ended``.
    @usableFromInline final let end: AtomicState<EndMark>

    /// Accessed through ``withStrand(_:)``. Retained, unless this signal shares it with its source.
    @usableFromInline final let strandReference: Unmanaged<Strand>

    /// The source of a derived signal, or the resources of another one, retained. Constant until the deinitialisation.
    ///
    /// A source isn't released before this, because it keeps the shared strand alive: a disposal may use the strand of a signal
    /// that has ended. The resources synchronise themselves.
    @safe @exclusivity(unchecked)
    @usableFromInline final var origin: Unmanaged<AnyObject>?

    /// See ``place``. Atomic, because any thread looks whether this signal has only one user: ``unused(without:)``.
    @usableFromInline final let placeWord: AtomicState<SignalPlace>

    /// The size of these properties, in bytes. A subclass has its own behind them.
    @inlinable
    static var size: Int {
        @inline(__always)
        get { MemoryLayout<ObserverList.Storage>.stride + 32 }
    }

    @inlinable
    init(strand: consuming Strand, resources: consuming CompositeDisposable?) {
        end = AtomicState(.open)
        placeWord = AtomicState(SignalPlace())
        unsafe strandReference = .passRetained(strand)
        if let resources { unsafe origin = .passRetained(resources) } else { origin = nil }
        super.init()
    }

    /// A signal that derives from `source`.
    @inlinable @inline(__always)
    init(from source: SignalState) {
        // relaxed: a signal that holds no values any more stays so. An older state leads only to a look up the chain.
        end = AtomicState(source.end.load(.relaxed).derived)
        placeWord = AtomicState(source.place.below)
        unsafe strandReference = Strand.isShared ? source.strandReference : .passRetained(source.strand.derived())
        unsafe origin = .passRetained(source)
        super.init()
    }

    deinit {
        observers.release()
        if !Strand.isShared || !place.isDerived { unsafe strandReference.release() }
        if place.isDerived {
            releaseSource()
            return
        }
        if Registry.mayContainAny { Registry.leave(self) }
        if let resources = unsafe ownResources {
            SignalState.dispose(of: unsafe resources.takeRetainedValue())
        }
    }

    /// The place of a derived signal in its source, and who uses this signal. Written by the strand's owner.
    // relaxed: the strand orders its owners. See also `unused(without:)`.
    @inlinable
    final var place: SignalPlace {
        @inline(__always)
        get { placeWord.load(.relaxed) }
        @inline(__always)
        set { placeWord.store(newValue, .relaxed) }
    }

    /// The source of a derived signal.
    @inlinable
    final var source: Unmanaged<SignalState>? {
        guard place.isDerived, let origin else { return nil }
        return unsafe Unmanaged<SignalState>.fromOpaque(origin.toOpaque())
    }

    /// Disposed of when the signal terminates.
    @usableFromInline
    final var resources: CompositeDisposable? {
        unsafe place.isDerived ? resourcesOfDerived : ownResources?.takeUnretainedValue()
    }

    /// The resources of a signal that derives from none.
    final var ownResources: Unmanaged<CompositeDisposable>? {
        guard !place.isDerived, let origin else { return nil }
        return unsafe Unmanaged<CompositeDisposable>.fromOpaque(origin.toOpaque())
    }

    /// The resources of a derived signal: few have any.
    @usableFromInline
    var resourcesOfDerived: CompositeDisposable? { nil }

    /// Whether the strand is this signal's, and it keeps what it has queued while it is alive: see ``StrandNode``.
    @inlinable
    final var hasOwnStrand: Bool {
        @inline(__always)
        get { Strand.isShared && !place.isDerived }
    }

    /// The address of the strand of the root, which identifies the stream.
    final var stream: UInt {
        let signal = Strand.isShared ? self : root
        return unsafe UInt(bitPattern: signal.strandReference.toOpaque())
    }

    /// The type of the signal.
    @usableFromInline
    var signalType: Any.Type { SignalState.self }

    /// Releases the observers of a signal that is being deinitialised, before its resources are disposed of.
    @usableFromInline
    final func releaseObservers() { _ = observers.takeAll() }

    /// On the trampoline: these resources may observe another signal, which then terminates too, and so on.
    @usableFromInline
    static func dispose(of resources: CompositeDisposable) {
        Trampoline.dispose(of: resources, with: ()) { resources, _ in resources.dispose() }
    }

    /// Releases the source, and the signals above that only this refers to. A loop, so that chains may be long.
    private final func releaseSource() {
        var rest = unsafe source
        origin = nil
        while let reference = unsafe rest.take() {
            var state = unsafe reference.takeRetainedValue()
            if isKnownUniquelyReferenced(&state), let above = unsafe state.source {
                state.origin = nil
                unsafe rest = above
            }
        }
    }

    /// The strand, which this signal keeps alive. Retained for the caller: see ``withStrand(_:)``.
    @inlinable
    final var strand: Strand { unsafe strandReference.takeUnretainedValue() }

    /// Whether queued values are dropped.
    @inlinable
    final var dropsQueued: Bool {
        // relaxed: a hint, except for the thread that has sent the interruption. Its later values aren't delivered.
        get { end.load(.relaxed).isInterrupting }
    }

    /// Whether the signal has terminated. Afterwards, at most the termination itself is still delivered.
    @inlinable
    final var isTerminated: Bool {
        // acquire: sees the writes before the termination. Pairs with the release in `markTerminated()`.
        @inline(__always)
        get { end.load(.acquire).isEnded }
    }

    @inlinable
    final var observers: ObserverList {
        @inline(__always)
        get { ObserverList(of: self, at: 0) }
    }

    /// Takes the place in the source's list. The caller detaches it.
    @inlinable
    final func takeUpstream() -> Upstream? {
        let slot = place.slot
        guard slot != 0, let source = unsafe source else { return nil }
        place.slot = 0
        return unsafe Upstream(source: source, slot: slot)
    }

    /// Releases the resources of a terminated signal. A separate function, so that a termination takes little stack on its
    /// way down a chain.
    @usableFromInline
    @inline(never)
    final func releaseAfterEnd() {
        if place.isDerived {
            resourcesOfDerived?.dispose()
            // A source that goes on is delivering.
            let goesOn = unsafe source?._withUnsafeGuaranteedRef { !$0.isTerminated } ?? false
            if !goesOn || !withStrand({ $0.remember(self) }) { followDelivery() }
        } else {
            unsafe ownResources?._withUnsafeGuaranteedRef { $0.dispose() }
        }
    }

    /// Leaves the source.
    @usableFromInline
    override final func followDelivery() { withState({ takeUpstream() })?.detach(self) }

    /// Whether this is the signal of a property that can be set.
    @usableFromInline
    var isOfProperty: Bool { false }

    /// Releases the closure of an operator that lies in this signal. Called after the source has removed this signal or has
    /// ended.
    @usableFromInline
    func releaseClosure() {}

    /// Marks the signal as terminated; false if it already was.
    @inlinable
    final func markTerminated() -> Bool {
        if isTerminated { return false }
        // release: see `isTerminated`. A store suffices, because only the strand's owner writes this state.
        end.store(.ended, .release)
        return true
    }

    /// Marks the signal as terminated and returns its observers; nil if it was already terminated.
    @usableFromInline
    final func takeObserversAtEnd() -> TakenObservers? { markTerminated() ? observers.takeAll() : nil }

    /// Terminates a signal that is neither reachable nor observed (law S3), without an event.
    @usableFromInline
    final func terminateIfUnused() -> DetachedResources {
        if place.isReachable || !observers.isEmpty || !markTerminated() { return DetachedResources() }
        return DetachedResources(upstream: takeUpstream(), resources: resources)
    }

    // MARK: Holding

    /// The signal at the start of the chain.
    @usableFromInline
    final var root: SignalState {
        var signal = self
        while let source = unsafe signal.source?.takeUnretainedValue() { signal = source }
        return signal
    }

    /// Has the signal at the start of the chain deliver what it holds, because the first observer has been added here. Called by the
    /// owner of that one's strand.
    @usableFromInline
    final func endHolding(for observation: Observation) {
        var signal = self
        while true {
            // relaxed: only this owner changes it from holding.
            if signal.end.load(.relaxed) == .holding { signal.end.store(.open, .relaxed) }
            guard let source = unsafe signal.source?.takeUnretainedValue() else { break }
            signal = source
        }
        signal.deliverHeld(to: observation)
    }

    /// Delivers the values that were kept for the first observer. Called by the strand's owner.
    @usableFromInline
    func deliverHeld(to observation: Observation) {}

    /// Called when the ``Signal`` is deinitialised: no further observer can be added.
    @usableFromInline
    final func becomeUnreachable() {
        if isTerminated { return }
        if let edit = beginEdit() {
            place.isReachable = false
            let detached = terminateIfUnused()
            endEdit(edit)
            detached.release(self)
        } else {
            strand.enqueueEdit {
                self.place.isReachable = false
                self.terminateIfUnused().release(self)
            }
        }
    }

    // MARK: Moves and removal

    /// Moves an observer behind those that were added while it received its first value.
    @usableFromInline
    final func moveToEnd(_ observation: Observation) {
        // relaxed: both were written by this thread, or by the owner before it let this one send. An observer without a slot is
        // still queued, perhaps before others.
        if observation.slot != 0, !place.hasSeveral { return }
        if let edit = beginEdit() {
            move(observation)
            endEdit(edit)
        } else {
            strand.enqueueEdit { self.move(observation) }
        }
    }

    private final func move(_ observation: Observation) {
        if observation.slot != 0 { observation.slot = observers.moveToEnd(observation.slot) }
    }

    /// Removes the observer of an observation that was disposed of: in place if the strand is idle, otherwise the strand's owner
    /// removes it before it leaves. An observer that is still queued has no place yet and won't be added.
    ///
    /// Called once for an observation.
    @usableFromInline
    final func remove(_ observation: Observation) -> DetachedResources {
        if isTerminated { return DetachedResources() }
        if let edit = beginEdit() { return end(edit, removing: observation.takeSlot()) }
        return leaveToOwner(observation)
    }

    /// The same, while another thread, or a callback, owns the strand.
    @inline(never)
    private final func leaveToOwner(_ observation: Observation) -> DetachedResources {
        let unused = unused(without: observation)
        observation.leave(to: self)
        // Of those left to it, the first one notifies the owner, once for all later ones.
        if withStrand({ $0.removals.push(observation) }) {
            let strand = strand
            strand.enqueueEdit { SignalState.removeDisposed(on: strand) }
        }
        return unused?.abandon() ?? DetachedResources()
    }

    /// The signal from which this one derives, if nobody can get an event of it any more without this observation, which is
    /// disposed of. nil also if it isn't known: the owner finds out when it removes the observation. Called by any thread.
    private final func unused(without observation: Observation) -> SignalState? {
        // relaxed: once nothing refers to a signal, it gets no further observer. So a word that says that, and that it has had only
        // one observer, isn't too old; and an observer that has a slot is that one.
        if observation.slot == 0 || !place.hasOneUser { return nil }
        var signal = self
        while let source = unsafe signal.source?.takeUnretainedValue() {
            if signal.place.slot == 0 || !source.place.hasOneUser { return nil }
            signal = source
        }
        return signal
    }

    /// Ends the waits for this signal and of it, because nobody gets what is queued. Its owner ends it later.
    ///
    /// - Returns: The resources, which needn't wait for the owner either.
    private final func abandon() -> DetachedResources {
        // relaxed: as in `dropsQueued`.
        if end.tryUpdate(from: .open, .relaxed, { $0.queuingInterruption() }).won { strand.endWaits() }
        return DetachedResources(resources: resources)
    }

    /// Removes all observers that were disposed of while the strand was owned. Called by its owner.
    private static func removeDisposed(on strand: Strand) {
        var rest: Observation? = strand.removals.takeAll()
        while let observation = rest {
            rest = observation.takeNextRemoved()
            guard let signal = observation.takeLeft() else { continue }
            // Its captures are released when no state change is in progress.
            _ = signal.observers.remove(observation.takeSlot())
            signal.terminateIfUnused().release(signal)
        }
    }

    /// Removes a derived signal.
    fileprivate final func remove(_ slot: UInt64, of derived: Unmanaged<SignalState>) -> DetachedResources {
        // Whoever terminates this signal also ends the derived one, which releases its closure then.
        if isTerminated { return DetachedResources() }
        if let edit = beginEdit() {
            let detached = end(edit, removing: slot)
            unsafe derived._withUnsafeGuaranteedRef { $0.releaseClosure() }
            return detached
        }
        let derived = unsafe derived.takeUnretainedValue()
        strand.enqueueEdit {
            _ = self.observers.remove(slot)
            derived.releaseClosure()
            self.terminateIfUnused().release(self)
        }
        return DetachedResources()
    }

    /// Removes an observer, ends the edit, and ends the signal if it has no observer left and can't be observed any more.
    private final func end(_ edit: consuming Edit, removing slot: UInt64) -> DetachedResources {
        // Its closures are released after the change, when no state change is in progress.
        let observer = observers.remove(slot)
        let detached = terminateIfUnused()
        endEdit(edit)
        _ = consume observer
        return detached
    }

    /// The resources of a signal that terminates without an event. The caller releases them when no state change is in
    /// progress.
    @frozen
    @usableFromInline
    @safe struct DetachedResources: ~Copyable {
        @usableFromInline var upstream: Upstream?

        /// Retained. Not a strong reference, because unspecialised code would destroy it even if there is none.
        @usableFromInline let resources: Unmanaged<CompositeDisposable>?

        @inlinable @inline(__always)
        init(upstream: consuming Upstream? = nil, resources: CompositeDisposable? = nil) {
            self.upstream = upstream
            unsafe self.resources = resources.map { unsafe Unmanaged.passRetained($0) }
        }

        /// - Parameter signal: The signal that has terminated.
        @inlinable @inline(__always)
        consuming func release(_ signal: SignalState) {
            // Takes over the reference of `init`.
            if let resources = unsafe resources?.takeRetainedValue() { SignalState.dispose(of: resources) }
            upstream?.detach(signal)
        }
    }
}

extension SignalState {
    /// Calls `body` with the strand, without counting a reference.
    @inlinable @inline(__always)
    func withStrand<Result: ~Copyable>(_ body: (Strand) -> Result) -> Result {
        unsafe strandReference.withStrand(body)
    }

    // MARK: Parts of a delivery. Functions of their own, so that without optimisation they take no stack while events are
    // delivered further.

    /// Takes the strand for a value sent from outside: see ``Strand/enterToSend()``.
    @inlinable @inline(__always)
    func enterToSend() -> Owned? { withStrand { $0.enterToSend() } }

    /// Leaves the strand after a delivery.
    @inlinable @inline(__always)
    func leave(_ owned: consuming Owned) { unsafe strandReference.leave(owned) }

    @inlinable @inline(__always)
    func beginEdit() -> Edit? { withStrand { $0.beginEdit() } }

    @inlinable @inline(__always)
    func endEdit(_ edit: consuming Edit) {
        edit.end()
        withStrand { $0.endEdit(Edit()) }
    }

    /// Reads or changes the state.
    @inlinable @inline(__always)
    func withState<Result: ~Copyable>(_ body: () -> Result) -> Result {
        Strand.isShared ? body() : strand.withState(body)
    }

    /// Begins and ends a derived signal's part of a delivery.
    @inlinable @inline(__always)
    func enterDerived() {
        if !Strand.isShared { strand.enterDerived() }
    }

    @inlinable @inline(__always)
    func leaveDerived() {
        if !Strand.isShared { strand.leaveDerived() }
    }

    /// Tells tracers about a value that isn't delivered.
    @inlinable @inline(__always)
    func probeDrop() {
        withStrand { Probe.drop($0) }
    }
}

/// Of a signal in one word: its place in its source, if it derives from one, and who uses it.
///
///      63 … 8                           7 … 3   2             1            0
///     | identifier in the source's list | depth | has several | is derived | is reachable |
@frozen
@usableFromInline
struct SignalPlace: WordState {
    @usableFromInline var bits: UInt64

    @inlinable @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    @inlinable @inline(__always)
    init() { bits = 1 }

    /// The bits of the depth.
    @inlinable @inline(__always)
    static var depths: UInt64 { 31 &<< 3 }

    /// That of a new signal derived from the one of this place.
    @inlinable @inline(__always)
    var below: SignalPlace { SignalPlace(bits: (bits &+ 8) & SignalPlace.depths | 3) }

    /// Whether this derived signal is one of every 32 in a chain.
    @inlinable
    var isCheckpoint: Bool {
        @inline(__always)
        get { bits & SignalPlace.depths == 0 }
    }

    /// The identifier in the source's list.
    @inlinable
    var slot: UInt64 {
        @inline(__always)
        get { bits &>> 8 }
        @inline(__always)
        set { bits = newValue &<< 8 | bits & 255 }
    }

    /// Whether the signal derives from another one. Constant.
    @inlinable
    var isDerived: Bool {
        @inline(__always)
        get { bits & 2 != 0 }
    }

    /// Whether the signal has had several observers since it had none.
    @inlinable
    var hasSeveral: Bool {
        @inline(__always)
        get { bits & 4 != 0 }
    }

    /// After an observer was added. The only one has the identifier 1.
    @inlinable @inline(__always)
    func inserting(_ slot: UInt64) -> SignalPlace {
        SignalPlace(bits: slot == 1 ? bits & ~4 : bits | 4)
    }

    /// After the first observer was added to a signal that held values for it: it ends with its last observer. A thread that
    /// disposes of an observation leaves that to the strand's owner, because another observer may come meanwhile.
    @usableFromInline
    func endingWithObservers() -> SignalPlace { SignalPlace(bits: bits & ~1 | 4) }

    /// Whether at most one observer or derived signal uses it, and there will be no other one.
    var hasOneUser: Bool { !isReachable && !hasSeveral }

    @inlinable
    var isReachable: Bool {
        @inline(__always)
        get { bits & 1 != 0 }
        @inline(__always)
        set { bits = bits & ~1 | (newValue ? 1 : 0) }
    }
}

/// A derived signal's place that was taken from it. Not copyable, so that moves need no reference counting.
@frozen
@usableFromInline
@safe struct Upstream: ~Copyable {
    /// Not retained: the derived signal keeps its source alive.
    @usableFromInline let source: Unmanaged<SignalState>
    @usableFromInline let slot: UInt64

    @inlinable @inline(__always)
    init(source: Unmanaged<SignalState>, slot: UInt64) {
        unsafe self.source = unsafe source
        self.slot = slot
    }

    /// Removes the place of `derived`, and all places above it that existed only for it. A loop, so that chains may be long.
    ///
    /// - Parameter derived: The caller keeps it alive during the call, and thereby all signals above it.
    @usableFromInline
    consuming func detach(_ derived: SignalState) {
        var derived = unsafe Unmanaged.passUnretained(derived)
        var next: Upstream? = consume self
        while let place = next.take() {
            var detached = SignalState.DetachedResources()
            unsafe place.source._withUnsafeGuaranteedRef { detached = unsafe $0.remove(place.slot, of: derived) }
            // Takes over the reference, as in `release(_:)`.
            if let resources = unsafe detached.resources?.takeRetainedValue() { SignalState.dispose(of: resources) }
            next = detached.upstream.take()
            unsafe derived = place.source
        }
    }
}
