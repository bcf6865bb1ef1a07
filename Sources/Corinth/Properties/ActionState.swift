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
        let enabledBegan = enabled.cell.begin(on: enabledStrand, as: Property<Bool>.self)
        let executingBegan = executing.cell.begin(on: executingStrand, as: Property<Bool>.self)
        ThreadState.beginHolding()
        let result = body(self)
        let isExecutingNow = executes
        let isEnabledNow = mayExecute && !executes

        var deliversExecuting = false
        if executing.cell.valueWhileHeld != isExecutingNow {
            _ = executing.cell.replace(isExecutingNow)
            deliversExecuting = executing.cell.end(executingBegan, on: executingStrand) {
                executing.core.changeNode(isExecutingNow)
            }
        } else {
            executing.cell.abandon(executingBegan, on: executingStrand)
        }
        var deliversEnabled = false
        if enabled.cell.valueWhileHeld != isEnabledNow {
            _ = enabled.cell.replace(isEnabledNow)
            deliversEnabled = enabled.cell.end(enabledBegan, on: enabledStrand) {
                enabled.core.changeNode(isEnabledNow)
            }
        } else {
            enabled.cell.abandon(enabledBegan, on: enabledStrand)
        }
        ThreadState.endHolding()

        if deliversEnabled { enabled.core.deliver(isEnabledNow) }
        if deliversExecuting {
            executing.core.deliver(isExecutingNow)
            executingStrand.leave()
        }
        if deliversEnabled { enabledStrand.leave() }
        Strand.waitForDeferred()
        return result
    }
}
