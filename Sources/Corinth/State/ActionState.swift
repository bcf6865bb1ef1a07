/// Whether an action may be started, and the value that it is started with.
///
/// Law A1 needs one order of all that happens to it: the cell of `isEnabled` keeps it. Whoever changes the state holds that cell
/// meanwhile, and puts the notifications of both properties in order before letting go; they are delivered after it.
/// No code of the user's runs while it is held.
@usableFromInline
final class ActionState<Value>: @unchecked Sendable {  // As said.
    @usableFromInline let isEnabled = MutableProperty(true)
    @usableFromInline let isExecuting = MutableProperty(false)

    // What the properties are inside, by itself: reached through them, each would be retained for each change.
    @usableFromInline let enabled: PropertyEngine<Bool>
    @usableFromInline let enabledStrand: Strand
    @usableFromInline let executing: PropertyEngine<Bool>
    @usableFromInline let executingStrand: Strand

    /// Guarded by the cell of `isEnabled`, as all that follows.
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
        enabledStrand = isEnabled.engine.core.strand
        executing = isExecuting.engine
        executingStrand = isExecuting.engine.core.strand
    }

    /// The value to execute with; nil if the action is not enabled.
    @inlinable
    func beginExecuting() -> Value? {
        change {
            guard mayExecute, !executes else { return nil }
            executes = true
            return value
        }
    }

    @inlinable
    func endExecuting() {
        change { executes = false }
    }

    /// The state changed.
    @inlinable
    func update(_ newValue: Value, mayExecute newMayExecute: Bool) {
        let old = change {
            let old = value
            value = newValue
            mayExecute = newMayExecute
            return old
        }
        // The old value is let go of with nothing held.
        withExtendedLifetime(old) {}
    }

    @inlinable
    func change<Result>(_ body: () -> Result) -> Result {
        // What is begun last ends first, and the strand that is entered first is left last: on mutexes, that is what keeps two
        // threads from waiting for each other.
        let enabledBegan = enabled.cell.begin(on: enabledStrand, as: Property<Bool>.self)
        let executingBegan = executing.cell.begin(on: executingStrand, as: Property<Bool>.self)
        ThreadState.beginHolding()
        let result = body()
        let isExecutingNow = executes
        let isEnabledNow = mayExecute && !executes

        var deliversExecuting = false
        if executing.cell.valueWhileHeld != isExecutingNow {
            _ = executing.cell.replace(isExecutingNow)
            deliversExecuting = executing.cell.end(executingBegan, on: executingStrand) {
                executing.node(isExecutingNow)
            }
        } else {
            executing.cell.abandon(executingBegan, on: executingStrand)
        }
        var deliversEnabled = false
        if enabled.cell.valueWhileHeld != isEnabledNow {
            _ = enabled.cell.replace(isEnabledNow)
            deliversEnabled = enabled.cell.end(enabledBegan, on: enabledStrand) { enabled.node(isEnabledNow) }
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
        Strand.settle()
        return result
    }
}
