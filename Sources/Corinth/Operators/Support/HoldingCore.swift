/// The core of an inner stream that an operator makes, such as a group or a window: it keeps its values until its first observer,
/// and is hot from then on (law S6). It ends when its last observer leaves, and drops what comes later.
///
/// A signal that derives from it waits too, until it has an observer: see ``SignalState/endHolding(for:)``. Otherwise
/// `window.map(…)` would lose what was sent before it is observed.
@usableFromInline
final class HoldingCore<Value, Error: Swift.Error>: SignalCore<Value, Error>, @unchecked Sendable {  // See it.
    /// This and the properties below are owned by the strand's owner.
    @safe @exclusivity(unchecked)
    @usableFromInline var held: Buffer<Value>

    /// What follows the held values.
    @safe @exclusivity(unchecked)
    @usableFromInline var heldEnd: Termination<Error>?

    /// Called when a value was dropped and the policy is to fail.
    @usableFromInline let overflow: (() -> Void)?

    /// - Parameters:
    ///   - overflow: Called when the policy has the result fail. nil if it doesn't.
    ///   - left: Called when this has ended, also if only because nobody observes it any more.
    @inlinable
    init(_ bound: BufferBound, counting statistics: BufferStatistics?, overflow: (() -> Void)?, left: (() -> Void)?) {
        held = Buffer(bound, counting: statistics)
        self.overflow = overflow
        let resources = CompositeDisposable()
        super.init(strand: Strand(), resources: resources)
        // relaxed: nobody knows it yet.
        end.store(.holding, .relaxed)
        // Released at the end, which comes at the latest when nobody can observe this any more.
        nonisolated(unsafe) let left = left
        resources.add {
            self.strand.performAtOnce(on: self, with: ()) { core, _ in core.held.dropAll() }
            unsafe left?()
        }
    }

    @inlinable @inline(__always)
    func accept(_ value: Value) {
        if let owned = enterToSend() {
            receive(value)
            leave(owned)
        } else {
            withStrand { $0.queue(value, for: self) { core, value in core.receive(value) } }
        }
    }

    @inlinable @inline(__always)
    func receive(_ value: Value) {
        // relaxed: this owner has written it, but for hints.
        let mark = end.load(.relaxed)
        if mark == .holding { return hold(value) }
        if mark.dropsQueued {
            held.refuse()
            probeDrop()
        } else {
            held.pass()
            deliver(value)
        }
    }

    @inlinable
    @inline(never)
    func hold(_ value: Value) {
        if held.append(value) != nil { overflow?() }
    }

    /// Ends the stream: behind the held values, unless it is interrupted.
    @inlinable
    func finish(_ termination: Termination<Error>) {
        if case .interrupted = termination { return interrupt() }
        strand.perform(on: self, with: termination) { core, termination in
            // relaxed: as in `receive(_:)`.
            if core.end.load(.relaxed) == .holding {
                if core.heldEnd == nil { core.heldEnd = termination }
            } else {
                core.terminate(termination)
            }
        }
    }

    @inlinable
    override func deliverHeld(to observation: Observation) {
        withState { place = place.endingWithObservers() }
        // An observer may leave before it has got all.
        while !observation.hasEnded, let value = held.popFirst() { deliver(value) }
        held.dropAll()
        if let termination = heldEnd.take() { terminate(termination) }
    }
}
