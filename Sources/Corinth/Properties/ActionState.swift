/// The state of an action: whether it may be started, and the value that it is started with.
///
/// Law A1 requires one order of all changes of the state. The cell of `isEnabled` provides it. A thread that changes the state
/// holds this cell, and queues the notifications of both properties before it releases the cell. They are delivered afterwards.
/// No user code runs while the cell is held.
@usableFromInline
final class ActionState<Value>: @unchecked Sendable {  // See above.
    @usableFromInline let isEnabled = MutableProperty(true)
    @usableFromInline let isExecuting = MutableProperty(false)

    // The parts of the properties, stored separately: if reached through the properties, each would be retained for each
    // change.
    @usableFromInline let enabled: PropertyEngine<Bool>
    @usableFromInline let enabledStrand: Strand
    @usableFromInline let executing: PropertyEngine<Bool>
    @usableFromInline let executingStrand: Strand

    /// Guarded by the cell of `isEnabled`, as are all properties below.
    @safe @exclusivity(unchecked)
    @usableFromInline var mayExecute = true

    @safe @exclusivity(unchecked)
    @usableFromInline var executes = false

    @safe @exclusivity(unchecked)
    @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
        enabled = isEnabled.engine
        enabledStrand = enabled.core.strand
        executing = isExecuting.engine
        executingStrand = executing.core.strand
    }

    /// Begins an execution. Returns the value to execute with, or nil if the action isn't enabled.
    @inlinable
    func beginExecuting() -> Value? {
        change { state in
            guard state.mayExecute, !state.executes else { return nil }
            state.executes = true
            return state.value
        }
    }

    @inlinable
    func endExecuting() {
        change { $0.executes = false }
    }

    /// Updates the state.
    @inlinable
    func update(_ newValue: Value, mayExecute newMayExecute: Bool) {
        let old = change { state in
            let old = state.value
            state.value = newValue
            state.mayExecute = newMayExecute
            return old
        }
        // The old value is released while no cell is held.
        withExtendedLifetime(old) {}
    }

    /// - Parameter body: Receives this instead of capturing it: a closure would retain what it captures.
    @inlinable
    func change<Result>(_ body: (ActionState) -> Result) -> Result {
        // In LIFO order: the cell that begins last ends first, and the strand that is entered first is left last. In the
        // lock-based build, this order prevents a deadlock of two threads.
        let enabledChange = enabled.cell.begin(on: enabledStrand, as: Property<Bool>.self)
        let executingChange = executing.cell.begin(on: executingStrand, as: Property<Bool>.self)
        let holding = ThreadState.beginHolding()
        let result = body(self)
        let isExecutingNow = executes
        let isEnabledNow = mayExecute && !executes

        let deliversExecuting = end(executingChange, of: executing, on: executingStrand, isExecutingNow)
        let deliversEnabled = end(enabledChange, of: enabled, on: enabledStrand, isEnabledNow)
        ThreadState.endHolding(holding)

        if let owned = deliversEnabled {
            enabled.core.deliver(isEnabledNow)
            deliver(deliversExecuting, isExecutingNow)
            enabledStrand.leave(owned)
        } else {
            deliver(deliversExecuting, isExecutingNow)
        }
        Strand.waitForDeferred()
        return result
    }

    /// Ends a change of a property, which queues the notification if the value differs.
    ///
    /// - Returns: The property's strand, if the caller is to deliver the notification.
    @inlinable @inline(__always)
    func end(
        _ change: consuming PropertyChange, of property: PropertyEngine<Bool>, on strand: Strand, _ now: Bool
    ) -> Owned? {
        if property.cell.valueWhileHeld == now {
            property.cell.abandon(change, on: strand)
            return nil
        }
        _ = property.cell.replace(now, change)
        return property.cell.end(change, on: strand) { property.core.changeNode(now) }
    }

    @inlinable @inline(__always)
    func deliver(_ owned: consuming Owned?, _ isExecutingNow: Bool) {
        if let owned {
            executing.core.deliver(isExecutingNow)
            executingStrand.leave(owned)
        }
    }
}
