/// The engine of the signal of a ``MutableProperty``, which also knows whether the property is bound.
@usableFromInline
final class PropertyCore<Value>: SignalCore<Value, Never>, @unchecked Sendable {  // See the superclass.
    /// Of which assignment the value is; ``ChangeStamp/none`` unless the property is the target of a binding. Written while the cell
    /// is held.
    // relaxed: the cell orders the changes.
    @usableFromInline let stamp = AtomicState<ChangeStamp>(.none)

    @inlinable
    init() { super.init(strand: Strand(), resources: nil) }

    @usableFromInline
    override var isOfProperty: Bool { true }

    /// The core of the signal of a ``MutableProperty``.
    @inlinable @inline(__always)
    static func of(_ core: Unmanaged<SignalCore<Value, Never>>) -> Unmanaged<PropertyCore> {
        unsafe Unmanaged.fromOpaque(core.toOpaque())
    }

    /// From now on, the property tells assignments from what bindings hand on.
    func bind() {
        _ = stamp.tryUpdate(from: .none, .relaxed) { _ in .unassigned }
    }

    /// Whether an assignment needs no stamp: the property isn't bound, and isn't assigned in the delivery of a bound one's change.
    @inlinable
    var isPlain: Bool {
        @inline(__always)
        get { stamp.load(.relaxed).bits | ThreadState.current.change.bits == 0 }
    }

    /// Ends an assignment that isn't plain, and delivers it as a change of its own.
    @usableFromInline
    @inline(never)
    func endAssignment(_ change: consuming PropertyChange, of cell: PropertyCell<Value>, _ newValue: Value) {
        let stamp = self.stamp.load(.relaxed) == .none ? ChangeStamp.none : .next()
        if stamp != .none { self.stamp.store(stamp, .relaxed) }
        end(change, of: cell, newValue, as: stamp)
    }

    /// Assigns the value that a binding hands on in the delivery of a change, unless the property has a newer one, or that very
    /// one.
    func assign(_ newValue: Value, of arriving: ChangeStamp, to cell: PropertyCell<Value>) {
        StackSpace.require()
        let change = cell.begin(on: strand, as: MutableProperty<Value>.self)
        if stamp.load(.relaxed).refuses(arriving) { return cell.abandon(change, on: strand) }
        let next = arriving.afterBinding
        stamp.store(next, .relaxed)
        let old = cell.replace(newValue, change)
        end(change, of: cell, newValue, as: next)
        // The old value is released while no cell is held.
        withExtendedLifetime(old) {}
    }

    private func end(
        _ change: consuming PropertyChange, of cell: PropertyCell<Value>, _ newValue: Value, as stamp: ChangeStamp
    ) {
        // A closure can't consume what it captures.
        var rest: PropertyChange? = change
        ThreadState.current.during(stamp) {
            if let change = rest.take() { end(change, of: cell, newValue) }
        }
    }
}
