/// One start of a producer: whether it still runs, and the resources that end with it.
///
/// A recipe checks ``isDisposed`` in its loops, and adds resources to release. Most starts have none, so the composite is
/// made on first use.
@usableFromInline
class ProducerRun: Disposable, @unchecked Sendable {  // The word decides which thread may access the resources.
    @usableFromInline final let state = AtomicState<ProducerRunState>(.running)

    /// Written by the starting thread before the word publishes it. Immutable afterwards.
    @safe @exclusivity(unchecked)
    private final var composite: CompositeDisposable?

    /// Written by the starting thread before the word publishes it. Then owned by the thread that ends this or releases it.
    @safe @exclusivity(unchecked)
    private final var alone: (any Disposable)?

    #if DEBUG && !Exploration
        /// The call that blocks a thread until this start has ended, while it is known what every event comes through. Accessed by
        /// the thread that starts.
        @safe @exclusivity(unchecked)
        @usableFromInline final var blocks: BlockingCall?
    #endif

    @usableFromInline
    init() {
        if Registry.isOn { Registry.enter(self, .start) }
    }

    deinit { if Registry.mayContainAny { Registry.leave(self) } }

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

    /// Disposes of `disposable` when this start ends, or at once if it has ended. Called by one thread at a time.
    ///
    /// - Parameter handOver: Receives the argument for ``release(_:)`` before another thread may dispose of `disposable`. The
    ///   first disposable needs no allocation, and has no entry: then it isn't called, and the argument is nil.
    @usableFromInline
    final func hold(_ disposable: any Disposable, handOver: (__owned CompositeEntry) -> Void) {
        // relaxed: only this thread adds to what the run holds, and it has added nothing yet in this state.
        guard state.load(.relaxed) == .running else { return resources.add(disposable, handOver: handOver) }
        PlainAccess.write(self)
        alone = disposable
        if !holdsMore(.oneAlone) { alone.take()?.dispose() }
    }

    /// The same, and returns the argument for ``release(_:)``.
    @usableFromInline
    @discardableResult
    final func hold(_ disposable: any Disposable) -> CompositeEntry? {
        var entry: CompositeEntry?
        hold(disposable) { entry = $0 }
        return entry
    }

    /// Releases a disposable that ``hold(_:handOver:)`` has taken, without disposing of it. Called on any thread.
    ///
    /// - Parameter entry: The entry that `hold` has given; nil if it has given none.
    @usableFromInline
    final func release(_ entry: CompositeEntry?) {
        if let entry { return entry.dispose() }
        // acquire: sees the disposable. Pairs with the release in `holdsMore(_:)`. Whoever changes the word owns it.
        guard state.update(.acquire, { $0.releasingOneAlone() }).new != nil else { return }
        PlainAccess.write(self)
        alone = nil
    }

    /// Publishes a resource that has been written. Returns false if the run has ended.
    private final func holdsMore(_ resource: ProducerRunState.Resource) -> Bool {
        // release: publishes the resource to the thread that disposes of it or releases it. Pairs with the acquire in
        // `dispose()` and in `release(_:)`.
        state.update(.release) { $0.holding(resource) }.new != nil
    }
}
