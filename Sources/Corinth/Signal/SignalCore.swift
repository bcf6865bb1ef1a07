/// The engine of a signal: its observers, its state, and the strand that serialises both.
///
/// A ``Signal`` is a handle on it, so that a core knows when nobody can observe it any more. The observer at the signal's
/// input and, for a derived signal, the source's list keep the core alive; the core keeps its observers.
@usableFromInline
final class SignalCore<Value, Error: Swift.Error>: SignalState, @unchecked Sendable {  // As its superclass.
    /// Owned by whoever owns the strand.
    @safe @exclusivity(unchecked)
    @usableFromInline var observers = ObserverList<Value, Error>()

    // Written out: an inherited one would be unspecialised code.
    @inlinable
    override init(strand: Strand, resources: CompositeDisposable?) {
        super.init(strand: strand, resources: resources)
    }

    @inlinable
    deinit {
        // Unspecialised code, and slow: most signals have released their list when they ended.
        if hasList { observers.release() }
    }

    // MARK: Events, from any thread

    @inlinable @inline(__always)
    func send(_ value: Value) {
        if strand.tryEnterToSend() {
            deliver(value)
            strand.leave()
        } else {
            strand.queue(value, for: self) { core, value in core.deliver(value) }
        }
    }

    @inlinable
    @inline(never)
    func send(_ termination: Termination<Error>) {
        strand.perform(on: self, with: termination) { core, termination in core.terminate(termination) }
    }

    // MARK: Events, from the owner of the strand

    /// Delivers a value. After the end the list is empty, and nothing happens.
    @inlinable @inline(__always)
    func deliver(_ value: Value) {
        let observers = strand.withState { self.observers }
        if !observers.send(value) { Probe.drop(strand) }
    }

    /// Settles the end, tells the observers, and lets go of everything: observers first (law S3).
    @inlinable
    func terminate(_ termination: Termination<Error>) {
        strand.enterDerived()
        if let observers = strand.withState({ settle() }) {
            observers.terminate(termination)
            letGo()
        }
        strand.leaveDerived()
    }

    /// Turns to terminated, and returns whom to tell; nil if it was before.
    @inlinable
    func settle() -> ObserverList<Value, Error>? {
        guard markTerminated() else { return nil }
        observerCount = 0
        hasList = false
        return observers.takeAll()
    }
}
