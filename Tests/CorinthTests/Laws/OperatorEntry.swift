import Testing

/// An operator, as the laws look at it: how to put it between streams of items, and what is special about it.
struct OperatorEntry: Sendable, CustomTestStringConvertible {
    /// As in the list of names, such as `take(first:)`.
    let name: String

    /// Tells the overloads and uses of an operator apart.
    let variant: String

    let category: Category

    /// How many sources it has beside the one that it is applied to.
    let others: Int

    let facts: Facts
    let signal: (@Sendable (Stream, Bench) -> Stream)?
    let producer: (@Sendable (StreamProducer, Bench) -> StreamProducer)?

    var faces: [Face] { (signal == nil ? [] : [.signal]) + (producer == nil ? [] : [.producer]) }

    var testDescription: String { variant.isEmpty ? name : "\(name), \(variant)" }

    enum Face: String, Sendable {
        case signal, producer
    }

    enum Category: String, Sendable, CaseIterable {
        case elementwise, ending, collecting, errors, effects, joining, flattening, timed, producing
    }

    /// What sets an operator apart from one that passes each value on at once and ends as its source does.
    struct Facts: OptionSet, Sendable {
        let rawValue: Int

        /// It may end before its source, without being told to.
        static let endsEarly = Facts(rawValue: 1 << 0)
        /// A failure of the source isn't passed on as a failure.
        static let recovers = Facts(rawValue: 1 << 1)
        /// An interruption of the source isn't passed on as an interruption.
        static let absorbsInterruption = Facts(rawValue: 1 << 2)
        /// It starts sources one after the other, so that completing each once may not be enough.
        static let restarts = Facts(rawValue: 1 << 3)
        /// A value may be dropped, or wait for something else than the scheduler.
        static let mayWait = Facts(rawValue: 1 << 4)
        /// Values wait for the scheduler, or in a buffer.
        static let holds = Facts(rawValue: 1 << 5)
        /// The latest of the values that wait comes before the completion.
        static let keepsLast = Facts(rawValue: 1 << 6)
        /// Ends are delivered by the scheduler.
        static let hopsEnd = Facts(rawValue: 1 << 7)
        /// What comes out can't be compared with what went in.
        static let changesValues = Facts(rawValue: 1 << 8)
        /// What another source sends ends it, or takes the source's place.
        static let endsWithOther = Facts(rawValue: 1 << 9)
        /// Starts share something, which is its purpose.
        static let shares = Facts(rawValue: 1 << 10)
        /// The source is started by the scheduler.
        static let startsLater = Facts(rawValue: 1 << 11)
        /// It uses the scheduler.
        static let timed = Facts(rawValue: 1 << 12)

        /// It goes on until other sources have ended, or for ever.
        static let outlives = Facts(rawValue: 1 << 14)
        /// It passes on what the source sends only after another source has sent something, or ended.
        static let waitsForOther = Facts(rawValue: 1 << 15)
        /// One event of another source may reach it several times.
        static let fansOut = Facts(rawValue: 1 << 16)
        /// It shows an end as a value, before the end.
        static let showsEnds = Facts(rawValue: 1 << 17)
    }
}

/// The operators, in the order in which they are registered.
struct OperatorRegistry {
    private(set) var entries: [OperatorEntry] = []
    private var category = OperatorEntry.Category.elementwise

    /// Every operator.
    static let all: [OperatorEntry] = {
        var registry = OperatorRegistry()
        registry.register(.elementwise) { $0.addElementwise() }
        registry.register(.ending) { $0.addEnding() }
        registry.register(.collecting) { $0.addCollecting() }
        registry.register(.errors) { $0.addErrors() }
        registry.register(.effects) { $0.addEffects() }
        registry.register(.joining) { $0.addJoining() }
        registry.register(.joining) { $0.addVariadic() }
        registry.register(.flattening) { $0.addFlattening() }
        registry.register(.timed) { $0.addTimed() }
        registry.register(.timed) { $0.addPools() }
        registry.register(.producing) { $0.addProducing() }
        return registry.entries
    }()

    private mutating func register(_ category: OperatorEntry.Category, _ add: (inout OperatorRegistry) -> Void) {
        self.category = category
        add(&self)
    }

    mutating func add(
        _ name: String, _ variant: String, others: Int = 0, _ facts: OperatorEntry.Facts = [],
        signal: (@Sendable (Stream, Bench) -> Stream)? = nil,
        producer: (@Sendable (StreamProducer, Bench) -> StreamProducer)? = nil
    ) {
        entries.append(
            OperatorEntry(
                name: name, variant: variant, category: category, others: others, facts: facts, signal: signal,
                producer: producer))
    }

    mutating func add(
        _ name: String, others: Int = 0, _ facts: OperatorEntry.Facts = [],
        signal: (@Sendable (Stream, Bench) -> Stream)? = nil,
        producer: (@Sendable (StreamProducer, Bench) -> StreamProducer)? = nil
    ) {
        add(name, "", others: others, facts, signal: signal, producer: producer)
    }
}
