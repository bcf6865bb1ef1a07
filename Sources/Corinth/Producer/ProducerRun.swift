/// One start of a producer: whether it still runs, and the resources that end with it.
///
/// A recipe checks ``isDisposed`` in its loops, and adds resources to release. Most starts have none, so the composite is
/// made on first use.
@usableFromInline
class ProducerRun: Disposable, @unchecked Sendable {  // The word decides which thread may access the resources.
    @usableFromInline final var stateStorage = ProducerRunState.running.bits

    /// Written by the starting thread before the word publishes it. Immutable afterwards.
    @safe @exclusivity(unchecked)
    private final var composite: CompositeDisposable?

    /// Written by the starting thread before the word publishes it. Then owned by the thread that ends this.
    @safe @exclusivity(unchecked)
    private final var alone: (any Disposable)?

    @usableFromInline
    init() {
        LiveCounts.add(.starts)
        assert(state.isStored(in: &stateStorage))
    }

    #if DEBUG && !Exploration
        deinit { LiveCounts.remove(.starts) }
    #endif

    @inlinable
    final var state: AtomicState<ProducerRunState> {
        @inline(__always)
        get { AtomicState(of: self) }
    }

    /// Identifies this run among all live runs. A thread records it for the start in progress.
    @inlinable
    final var address: UnsafeMutableRawPointer {
        @inline(__always)
        get { unsafe Unmanaged.passUnretained(self).toOpaque() }
    }

    /// Whether the run has ended, for any reason.
    @inlinable
    final var isDisposed: Bool {
        // acquire: sees what was done before the disposal. Pairs with the release in `dispose()`.
        @inline(__always)
        get { state.load(.acquire).isEnded }
    }

    /// Ends the run: cancels the work, interrupts the observer, and disposes of the resources. Idempotent.
    @usableFromInline
    final func dispose() {
        // Most runs are disposed of twice: at their end, and by whoever holds them.
        if isDisposed { return }
        // release: publishes what was done before. Pairs with the acquire in `isDisposed`. acquire: sees the resources.
        // Pairs with the release in `holdsMore(_:)`.
        let held = state.exchange(.ended, .acquireRelease)
        if held.holdsAny {
            // On the trampoline: runs are nested as deeply as producers are.
            Trampoline.dispose(of: self, with: held) { run, held in run.disposeOf(held) }
        }
    }

    // Inlined: both paths of the trampoline call it, and a call costs ten instructions for each run.
    @inline(__always)
    private final func disposeOf(_ held: ProducerRunState) {
        if held.holds(.oneAlone) {
            PlainAccess.write(self)
            alone.take()?.dispose()
        }
        if held.holds(.composite) { composite?.dispose() }
    }

    /// The resources that end with this start. Called only by the starting thread.
    @usableFromInline
    final var resources: CompositeDisposable {
        if let composite { return composite }
        let made = CompositeDisposable()
        composite = made
        if !holdsMore(.composite) { made.dispose() }
        return made
    }

    /// Disposes of `disposable` when this start ends, or at once if it has ended. The first one needs no allocation. It
    /// can't be removed again. Called only by the starting thread.
    @usableFromInline
    final func hold(_ disposable: any Disposable) {
        // relaxed: only this thread changes what the run holds.
        guard state.load(.relaxed) == .running else {
            resources.add(disposable)
            return
        }
        PlainAccess.write(self)
        alone = disposable
        if !holdsMore(.oneAlone) { alone.take()?.dispose() }
    }

    /// Publishes a resource that has been written. Returns false if the run has ended.
    private final func holdsMore(_ resource: ProducerRunState.Resource) -> Bool {
        // relaxed: as in `hold(_:)`. The compare-exchange detects an end at any time.
        let seen = state.load(.relaxed)
        // release: publishes the resource to the thread that disposes of it. Pairs with the acquire in `dispose()`.
        return state.tryUpdate(from: seen, .release) { $0.holding(resource) }.won
    }
}
