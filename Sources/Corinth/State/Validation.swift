/// What is between a validating property and its inner one.
///
/// A proposal holds the inner cell while it is validated, and while verdict and value are stored and their notifications
/// put in order: so both are always of the same proposal, whoever else makes one. They are delivered after it, the verdict
/// first.
///
/// Where the inner property is set directly, the verdict follows when that is delivered; unless a proposal was stored
/// meanwhile, whose notification is then still to come.
final class Validation<Value, ValidationError: Error>: @unchecked Sendable {  // As said at each field.
    typealias Result = ValidatingProperty<Value, ValidationError>.Result
    typealias Decision = ValidatingProperty<Value, ValidationError>.Decision

    private let inner: PropertyEngine<Value>
    private let validator: (Value) -> Decision
    private let result: MutableProperty<Result>
    private let observation: Observation

    /// How many proposals have been stored. Guarded by the inner cell.
    private var stored = 0

    /// How many of them have been delivered. Owned by whoever owns the inner strand.
    private var delivered = 0

    /// Whether the value that is being delivered was proposed here. Owned by whoever owns the inner strand.
    private var deliversProposal = false

    init(of inner: PropertyEngine<Value>, by validator: @escaping (Value) -> Decision) {
        self.inner = inner
        self.validator = validator
        let observation = inner.makeObservation()
        self.observation = observation
        let own = WeakValidation<Value, ValidationError>()
        let monitor = Sink<Value, Never>(
            value: { own.validation?.innerDidChange(to: $0) },
            termination: { _ in })
        result = inner.attach(monitor, observation) { MutableProperty(Result($0, validator($0))) }
        own.validation = self
    }

    deinit { observation.dispose() }

    /// The verdicts, for whoever wants to read them: keeps this.
    var view: Property<Result> { Property(of: result, reading: { self.result.value }) }

    func propose(_ value: Value) {
        let strand = inner.core.strand
        let began = inner.cell.begin(on: strand, as: MutableProperty<Value>.self)
        ThreadState.beginHolding()
        let verdict = Result(value, validator(value))
        stored += 1
        let (oldVerdict, deliversVerdict) = place(verdict)
        let oldValue = verdict.value.map { inner.cell.replace($0) }
        ThreadState.endHolding()
        let isOwner = inner.cell.end(began, on: strand) { WorkNode { self.deliverProposal(verdict.value) } }
        // What was replaced is let go of with nothing held.
        withExtendedLifetime((oldVerdict, oldValue)) {}
        if deliversVerdict { deliver(verdict) }
        if isOwner {
            deliverProposal(verdict.value)
            strand.leave()
        }
    }

    /// Tells of a value that was proposed and taken. Called by the owner of the inner strand.
    private func deliverProposal(_ value: Value?) {
        delivered += 1
        guard let value else { return }
        deliversProposal = true
        inner.core.deliver(value)
        deliversProposal = false
    }

    /// The inner property delivers a change. Called by the owner of its strand.
    private func innerDidChange(to value: Value) {
        if deliversProposal { return }
        let strand = inner.core.strand
        let began = inner.cell.begin(on: strand, as: MutableProperty<Value>.self)
        guard stored == delivered else {
            inner.cell.abandon(began, on: strand)
            return
        }
        ThreadState.beginHolding()
        let verdict = Result(value, validator(value))
        let (oldVerdict, deliversVerdict) = place(verdict)
        ThreadState.endHolding()
        inner.cell.abandon(began, on: strand)
        withExtendedLifetime(oldVerdict) {}
        if deliversVerdict { deliver(verdict) }
    }

    /// Stores a verdict and puts its notification in order. Returns the old one, and whether the caller has to deliver.
    private func place(_ verdict: Result) -> (Result, Bool) {
        let engine = result.engine
        let began = engine.cell.begin(on: engine.core.strand, as: Property<Result>.self)
        let old = engine.cell.replace(verdict)
        return (old, engine.cell.end(began, on: engine.core.strand) { engine.node(verdict) })
    }

    private func deliver(_ verdict: Result) {
        result.engine.core.deliver(verdict)
        result.engine.core.strand.leave()
    }
}

/// Set before the inner property can deliver anything to it, or before it matters.
private final class WeakValidation<Value, ValidationError: Error> {
    weak var validation: Validation<Value, ValidationError>?
}

/// The same on top of a property whose inside is not known: verdict and value are of one proposal only as far as that
/// property keeps others out of its `withValue`.
final class ForeignValidation<Value, ValidationError: Error>: @unchecked Sendable {  // As said at each field.
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
