/// The state of an action: whether it may be started, and the value that it is started with.
///
/// Law A1 requires one order of all changes of the state. The cell of `isEnabled` provides it. A thread that changes the state
/// holds this cell, and queues the notifications of both properties before it releases the cell. They are delivered afterwards.
/// No user code runs while the cell is held.
@usableFromInline
final class ActionState<Value>: @unchecked Sendable {  // See above.
    @usableFromInline let isEnabled = MutableProperty(true)
    @usableFromInline let isExecuting = MutableProperty(false)

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
        let change = isEnabled.begin()
        // The first signal is made while no change is in progress: see `makeObservable(with:)`.
        if isExecuting.lazySignal.address.known != 0 { return changeObserved(change, body) }
        // Nobody can tell whether both change at once, so that one cell guards both.
        let result = body(self)
        isExecuting.store(executes, change)
        isEnabled.end(change, unobserved: mayExecute && !executes)
        return result
    }

    @inlinable
    @inline(never)
    func changeObserved<Result>(_ enabledChange: consuming PropertyChange, _ body: (ActionState) -> Result) -> Result {
        // In LIFO order: the cell that begins last ends first, and the strand that is entered first is left last. In the
        // lock-based build, this order prevents a deadlock of two threads.
        let executingChange = isExecuting.begin()
        let holding = ThreadState.beginHolding()
        let result = body(self)
        let isExecutingNow = executes
        let isEnabledNow = mayExecute && !executes

        let deliversExecuting = isExecuting.end(executingChange, storing: isExecutingNow)
        let deliversEnabled = isEnabled.end(enabledChange, storing: isEnabledNow)
        ThreadState.endHolding(holding)

        if deliversEnabled != nil { isEnabled.deliver(isEnabledNow) }
        if let owned = deliversExecuting {
            isExecuting.deliver(isExecutingNow)
            isExecuting.leave(owned)
        }
        if let owned = deliversEnabled { isEnabled.leave(owned) }
        Strand.waitForDeferred()
        return result
    }
}

extension MutableProperty where Value == Bool {
    /// Makes the signals of an action's properties, before either is used. That of `isExecuting`, which is this, is made last, while
    /// no change is in progress. So a change that doesn't find it has nobody to notify.
    func makeObservable(with isEnabled: MutableProperty) {
        if lazySignal.address.known != 0 { return }
        _ = isEnabled.signal
        let change = isEnabled.begin()
        _ = signal
        isEnabled.cell.abandon(change, on: nil)
    }

    // Methods of the property, which otherwise would be retained for the call.

    @inlinable @inline(__always)
    func begin() -> PropertyChange { cell.begin(on: signal.core.strand, as: Property<Value>.self) }

    /// Stores a value in a change of another property, while nobody can observe either.
    @inlinable @inline(__always)
    func store(_ newValue: Value, _ change: borrowing PropertyChange) { _ = cell.replace(newValue, change) }

    @inlinable @inline(__always)
    func end(_ change: consuming PropertyChange, unobserved newValue: Value) {
        store(newValue, change)
        cell.abandon(change, on: nil)
    }

    /// Stores a value, ends the change, and queues the notification if the value differs.
    ///
    /// - Returns: The strand, if the caller is to deliver the notification.
    @inlinable @inline(__always)
    func end(_ change: consuming PropertyChange, storing newValue: Value) -> Owned? {
        let differs = cell.replace(newValue, change) != newValue
        // A closure can't consume what it captures.
        var rest: PropertyChange? = change
        var owned: Owned?
        withCore { core in
            guard let change = rest.take() else { return }
            if differs {
                owned = core.end(change, of: cell) { core.changeNode(newValue) }
            } else {
                cell.abandon(change, on: core.strand)
            }
        }
        return owned
    }

    @inlinable @inline(__always)
    func deliver(_ newValue: Value) { withCore { $0.deliver(newValue) } }

    @inlinable @inline(__always)
    func leave(_ owned: consuming Owned) {
        // As above.
        owned.end()
        withCore { $0.leave(Owned()) }
    }

    /// Passes the core of the signal to `body`, without retaining it.
    @inlinable @inline(__always)
    func withCore(_ body: (SignalCore<Value, Never>) -> Void) {
        lazySignal.withKnown { signal in unsafe Unmanaged.passUnretained(signal.core)._withUnsafeGuaranteedRef(body) }
    }
}
