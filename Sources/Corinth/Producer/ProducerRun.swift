/// One start of a producer: whether it still runs, and what ends with it.
///
/// A recipe looks at ``isDisposed`` where it loops, and adds what it has to release. Most starts have nothing to release, so
/// the composite is only made when somebody asks for it.
@usableFromInline
final class ProducerRun: Disposable, @unchecked Sendable {  // The word settles who may touch the composite.
    /// 0 while it runs, 1 while it runs and has a composite, 2 when it has ended.
    @usableFromInline var stateStorage: UInt64 = 0

    /// Written by the thread that starts, before the word says that it is there; immutable from then on.
    @safe @exclusivity(unchecked)
    private var composite: CompositeDisposable?

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

    private static let running: UInt64 = 0
    private static let holding: UInt64 = 1
    private static let ended: UInt64 = 2

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
        // release: what was done before is seen by whoever finds it ended. acquire: sees the composite.
        if state.exchange(ProducerRun.ended, .acquireRelease) == ProducerRun.holding {
            // On the trampoline, as runs may be nested as deep as producers are.
            Trampoline.run(on: self, with: ()) { run, _ in run.composite?.dispose() }
        }
    }

    /// What ends with this start. Asked for by the thread that starts, and by no other.
    @usableFromInline
    var resources: CompositeDisposable {
        if let composite { return composite }
        let made = CompositeDisposable()
        composite = made
        // release: publishes the composite to whoever disposes.
        if !state.compareExchange(ProducerRun.running, ProducerRun.holding, .release).won { made.dispose() }
        return made
    }
}
