/// Connects a validating property to its inner property.
///
/// A proposal holds the inner cell while it is validated, while result and value are stored, and while their notifications are
/// queued. So both always belong to the same proposal. Their notifications are delivered afterwards, the result first.
///
/// If the inner property is set directly, the result is updated when that change is delivered. It isn't updated if a proposal
/// was stored in the meantime, whose notification is still queued.
final class Validation<Value, ValidationError: Error>: @unchecked Sendable {  // See each property.
    typealias Result = ValidatingProperty<Value, ValidationError>.Result
    typealias Decision = ValidatingProperty<Value, ValidationError>.Decision

    private let inner: PropertyEngine<Value>
    private let validator: (Value) -> Decision
    private let observation: Observation

    /// Written while the inner cell is held, before the first change is delivered here.
    private var stored: MutableProperty<Result>?

    /// The number of proposals that have been stored. Guarded by the inner cell.
    private var storedCount = 0

    /// The number of proposals that have been delivered. Owned by the owner of the inner strand.
    private var deliveredCount = 0

    /// Whether the value that is being delivered was proposed here. Owned by the owner of the inner strand.
    private var deliversProposal = false

    init(of inner: PropertyEngine<Value>, by validator: @escaping (Value) -> Decision) {
        self.inner = inner
        self.validator = validator
        let observation = inner.makeObservation()
        self.observation = observation
        let monitor = Sink<Value, Never>(
            value: { [weak self] in self?.innerDidChange(to: $0) },
            termination: { _ in })
        inner.attach(monitor, observation) { stored = MutableProperty(Result($0, validator($0))) }
    }

    deinit { observation.dispose() }

    private var result: MutableProperty<Result> {
        guard let stored else { preconditionFailure("a validation was used before its first result") }
        return stored
    }

    /// A view of the results that keeps this object.
    var view: Property<Result> { Property(of: result, reading: { self.result.value }) }

    func propose(_ value: Value) {
        let strand = inner.core.strand
        let change = inner.cell.begin(on: strand, as: MutableProperty<Value>.self)
        let holding = ThreadState.beginHolding()
        let verdict = Result(value, validator(value))
        storedCount += 1
        var oldVerdict: Result?
        let ownsVerdict = place(verdict, replacing: &oldVerdict)
        let oldValue = verdict.value.map { inner.cell.replace($0, change) }
        ThreadState.endHolding(holding)
        let owned = inner.cell.end(change, on: strand) {
            WorkNode(takesPermit: true) { self.deliverProposal(verdict.value) }
        }
        // The replaced values are released while no cell is held.
        withExtendedLifetime((oldVerdict, oldValue)) {}
        if let ownsVerdict { deliver(verdict, ownsVerdict) }
        if let owned {
            deliverProposal(verdict.value)
            strand.leave(owned)
        }
    }

    /// Delivers a value that was proposed and accepted. Called by the owner of the inner strand.
    private func deliverProposal(_ value: Value?) {
        deliveredCount += 1
        guard let value else { return }
        deliversProposal = true
        inner.core.deliver(value)
        deliversProposal = false
    }

    /// Handles a delivered change of the inner property. Called by the owner of the inner strand.
    private func innerDidChange(to value: Value) {
        if deliversProposal { return }
        let strand = inner.core.strand
        let change = inner.cell.begin(on: strand, as: MutableProperty<Value>.self)
        guard storedCount == deliveredCount else { return inner.cell.abandon(change, on: strand) }
        let holding = ThreadState.beginHolding()
        let verdict = Result(value, validator(value))
        var oldVerdict: Result?
        let ownsVerdict = place(verdict, replacing: &oldVerdict)
        ThreadState.endHolding(holding)
        inner.cell.abandon(change, on: strand)
        withExtendedLifetime(oldVerdict) {}
        if let ownsVerdict { deliver(verdict, ownsVerdict) }
    }

    /// Stores a result and queues its notification.
    ///
    /// - Parameter old: Receives the replaced result.
    /// - Returns: The strand of the result, if the caller must deliver the new one.
    private func place(_ verdict: Result, replacing old: inout Result?) -> Owned? {
        let engine = result.engine
        let change = engine.cell.begin(on: engine.core.strand, as: Property<Result>.self)
        old = engine.cell.replace(verdict, change)
        return engine.cell.end(change, on: engine.core.strand) { engine.core.changeNode(verdict) }
    }

    private func deliver(_ verdict: Result, _ owned: consuming Owned) {
        result.engine.core.deliver(verdict)
        result.engine.core.strand.leave(owned)
    }
}

/// A validation for an inner property of unknown type. Result and value belong to the same proposal only if that property
/// excludes other changes during `withValue`.
final class ForeignValidation<Value, ValidationError: Error>: @unchecked Sendable {  // See each property.
    typealias Result = ValidatingProperty<Value, ValidationError>.Result
    typealias Decision = ValidatingProperty<Value, ValidationError>.Decision

    let result: MutableProperty<Result>
    private let validator: (Value) -> Decision

    /// Whether a change of the inner property comes from a proposal.
    private let isTaking = Atomic(false)

    init<Inner: ComposableMutablePropertyProtocol>(
        of inner: Inner, by validator: @escaping (Value) -> Decision
    ) where Inner.Value == Value {
        self.validator = validator
        let isTaking = isTaking
        result = inner.withValue { value in
            let result = MutableProperty(Result(value, validator(value)))
            let verdicts = result.bindingTarget
            let observation = inner.signal.observe(
                into: Sink(
                    value: { value in
                        if !isTaking.value { verdicts.action(Result(value, validator(value))) }
                    },
                    termination: { _ in }))
            result.lifetime += observation
            return result
        }
    }

    func propose<Inner: ComposableMutablePropertyProtocol>(_ value: Value, to inner: Inner)
    where Inner.Value == Value {
        inner.withValue { _ in
            let verdict = Result(value, validator(value))
            result.value = verdict
            if let taken = verdict.value {
                isTaking.value = true
                inner.value = taken
                isTaking.value = false
            }
        }
    }
}
