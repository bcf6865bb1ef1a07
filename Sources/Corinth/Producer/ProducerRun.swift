/// One start of a producer: whether it still runs, and what ends with it.
///
/// A recipe looks at ``isDisposed`` where it loops, and adds what it has to release. Most starts have nothing to release, so
/// the composite is only made when somebody asks for it.
@usableFromInline
final class ProducerRun: Disposable, @unchecked Sendable {  // The word settles who may touch the composite.
    /// 2 when it has ended; until then, the sum of what it holds: 1 for a composite, 4 for one disposable alone.
    @usableFromInline var stateStorage: UInt64 = 0

    /// Written by the thread that starts, before the word says that it is there; immutable from then on.
    @safe @exclusivity(unchecked)
    private var composite: CompositeDisposable?

    /// Written by the thread that starts, before the word says that it is there; from then on, owned by whoever ends this.
    @safe @exclusivity(unchecked)
    private var alone: (any Disposable)?

    @usableFromInline
    init() {
        LiveCounts.add(.starts)
    }

    #if DEBUG && !Exploration
        deinit { LiveCounts.remove(.starts) }
    #endif

    @inlinable
    var state: AtomicWord {
        @inline(__always)
        get { AtomicWord(of: self) }
    }

    /// Tells this run from every other that is alive: for what a thread notes of a start that it is in.
    @inlinable
    var address: UnsafeMutableRawPointer {
        @inline(__always)
        get { unsafe Unmanaged.passUnretained(self).toOpaque() }
    }

    private static let running: UInt64 = 0
    private static let holdsComposite: UInt64 = 1
    private static let ended: UInt64 = 2
    private static let holdsOneAlone: UInt64 = 4

    /// Whether it has ended, by itself or not.
    @inlinable
    var isDisposed: Bool {
        // acquire: what was done before it was disposed of is seen.
        @inline(__always)
        get { state.load(.acquire) == 2 }
    }

    /// Ends it: the work is cancelled, what observes it is interrupted, and what it holds is released. Nothing happens if it
    /// has ended.
    @usableFromInline
    func dispose() {
        // release: what was done before is seen by whoever finds it ended. acquire: sees what it holds.
        let held = state.exchange(ProducerRun.ended, .acquireRelease)
        if held & (ProducerRun.holdsOneAlone | ProducerRun.holdsComposite) != 0 {
            // On the trampoline, as runs may be nested as deep as producers are.
            Trampoline.dispose(of: self, with: held) { run, held in run.disposeOf(held) }
        }
    }

    private func disposeOf(_ held: UInt64) {
        if held & ProducerRun.holdsOneAlone != 0 {
            PlainAccess.write(self)
            alone.take()?.dispose()
        }
        if held & ProducerRun.holdsComposite != 0 { composite?.dispose() }
    }

    /// What ends with this start. Asked for by the thread that starts, and by no other.
    @usableFromInline
    var resources: CompositeDisposable {
        if let composite { return composite }
        let made = CompositeDisposable()
        composite = made
        if !holdsMore(ProducerRun.holdsComposite) { made.dispose() }
        return made
    }

    /// Disposes of `disposable` when this start ends, or at once if it has. Without an allocation, for the first one; nothing
    /// takes it out again. Called by the thread that starts, and by no other.
    @usableFromInline
    func hold(_ disposable: any Disposable) {
        // relaxed: what the run holds, only this thread changes.
        guard state.load(.relaxed) == ProducerRun.running else {
            resources.add(disposable)
            return
        }
        PlainAccess.write(self)
        alone = disposable
        if !holdsMore(ProducerRun.holdsOneAlone) { alone.take()?.dispose() }
    }

    /// Says that it holds something that has been written; false if it has ended.
    private func holdsMore(_ what: UInt64) -> Bool {
        // relaxed: as in `hold(_:)`; that it may end at any time, the compare-exchange sees.
        let seen = state.load(.relaxed)
        // release: publishes what was written to whoever disposes. Pairs with the acquire in `dispose()`.
        return seen != ProducerRun.ended && state.compareExchange(seen, seen | what, .release).won
    }
}
