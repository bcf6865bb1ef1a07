import Corinth
import Testing

/// An operator as the laws see it: how to apply it to streams of items, and how it differs from the default behaviour.
struct OperatorEntry: Sendable {
    /// The name as in the list of names, such as `take(first:)`.
    let name: String

    /// Distinguishes the overloads and uses of an operator.
    let variant: String

    let category: Category

    /// How many sources the operator has besides the one it is applied to.
    let others: Int

    let facts: Facts
    let signal: (@Sendable (Stream, HarnessInputs) -> Stream)?
    let producer: (@Sendable (StreamProducer, HarnessInputs) -> StreamProducer)?

    var overloads: [Overload] { (signal == nil ? [] : [.signal]) + (producer == nil ? [] : [.producer]) }

    var testDescription: String { variant.isEmpty ? name : "\(name), \(variant)" }

    enum Overload: String, Sendable {
        case signal, producer
    }

    enum Category: String, Sendable, CaseIterable {
        case elementwise, ending, collecting, errors, effects, joining, flattening, timed, producing
    }

    /// The differences from an operator that passes each value on at once and ends as its source does.
    struct Facts: OptionSet, Sendable {
        let rawValue: Int

        /// It may end before its source, on its own.
        static let endsEarly = Facts(rawValue: 1 << 0)
        /// A failure of the source isn't passed on as a failure.
        static let recovers = Facts(rawValue: 1 << 1)
        /// An interruption of the source isn't passed on as an interruption.
        static let treatsInterruptionAsCompletion = Facts(rawValue: 1 << 2)
        /// It starts sources one after another, so that completing each source once may not complete the result.
        static let restarts = Facts(rawValue: 1 << 3)
        /// It may drop a value, or hold it until something other than the scheduler releases it.
        static let mayWait = Facts(rawValue: 1 << 4)
        /// It holds values until the scheduler runs, or in a buffer.
        static let holds = Facts(rawValue: 1 << 5)
        /// It emits the latest held value before the completion.
        static let keepsLast = Facts(rawValue: 1 << 6)
        /// It delivers terminating events on the scheduler.
        static let hopsEnd = Facts(rawValue: 1 << 7)
        /// Its output can't be compared with its input.
        static let changesValues = Facts(rawValue: 1 << 8)
        /// An event of another source ends it or replaces the source.
        static let endsWithOther = Facts(rawValue: 1 << 9)
        /// Its starts share state on purpose.
        static let shares = Facts(rawValue: 1 << 10)
        /// The scheduler starts the source.
        static let startsLater = Facts(rawValue: 1 << 11)
        /// It uses the scheduler.
        static let timed = Facts(rawValue: 1 << 12)

        /// It stays active until other sources have ended, or forever.
        static let outlives = Facts(rawValue: 1 << 14)
        /// It passes the source's events on only after another source has emitted or ended.
        static let waitsForOther = Facts(rawValue: 1 << 15)
        /// One event of another source may reach it several times, or let several held values go.
        static let fansOut = Facts(rawValue: 1 << 16)
        /// It emits a value that represents the terminating event, before that event.
        static let showsEnds = Facts(rawValue: 1 << 17)
    }
}

/// The operators, in registration order.
struct OperatorRegistry {
    private(set) var entries: [OperatorEntry] = []
    private(set) var innerStreams: [InnerStreams] = []
    private var category = OperatorEntry.Category.elementwise

    /// Every operator.
    static let all = complete.entries

    /// Those that make inner streams.
    static let innerStreams = complete.innerStreams

    private static let complete: OperatorRegistry = {
        var registry = OperatorRegistry()
        registry.register(.elementwise) { $0.addElementwise() }
        registry.register(.elementwise) { $0.addLazy() }
        registry.register(.ending) { $0.addEnding() }
        registry.register(.collecting) { $0.addCollecting() }
        registry.register(.errors) { $0.addErrors() }
        registry.register(.effects) { $0.addEffects() }
        registry.register(.joining) { $0.addJoining() }
        registry.register(.joining) { $0.addVariadic() }
        registry.register(.flattening) { $0.addFlattening() }
        registry.register(.timed) { $0.addTimed() }
        registry.register(.timed) { $0.addPools() }
        registry.register(.timed) { $0.addServices() }
        registry.register(.producing) { $0.addProducing() }
        return registry
    }()

    private mutating func register(_ category: OperatorEntry.Category, _ add: (inout OperatorRegistry) -> Void) {
        self.category = category
        add(&self)
    }

    mutating func add(
        _ name: String, _ variant: String, others: Int = 0, _ facts: OperatorEntry.Facts = [],
        signal: (@Sendable (Stream, HarnessInputs) -> Stream)? = nil,
        producer: (@Sendable (StreamProducer, HarnessInputs) -> StreamProducer)? = nil
    ) {
        entries.append(
            OperatorEntry(
                name: name, variant: variant, category: category, others: others, facts: facts, signal: signal,
                producer: producer))
    }

    mutating func add(
        _ name: String, others: Int = 0, _ facts: OperatorEntry.Facts = [],
        signal: (@Sendable (Stream, HarnessInputs) -> Stream)? = nil,
        producer: (@Sendable (StreamProducer, HarnessInputs) -> StreamProducer)? = nil
    ) {
        add(name, "", others: others, facts, signal: signal, producer: producer)
    }

    /// Adds an operator that makes inner streams. The laws see it with `flatten(.merge)`, and `InnerStreamsTests` try it with every
    /// strategy.
    mutating func addInner(
        _ name: String, _ facts: OperatorEntry.Facts = [], signal: @escaping InnerStreams.OfSignal,
        producer: @escaping InnerStreams.OfProducer
    ) {
        innerStreams.append(InnerStreams(name: name, signal: signal, producer: producer))
        add(
            name, facts, signal: { s, b in signal(s, b, .unbounded, nil).flatten(.merge) },
            producer: { p, b in producer(p, b, .unbounded, nil).flatten(.merge) })
    }
}

/// An operator that makes inner streams, with a policy for the values that one keeps until it is observed.
struct InnerStreams: Sendable, CustomTestStringConvertible {
    typealias OfSignal =
        @Sendable (Stream, HarnessInputs, BufferingPolicy<TestError>, BufferStatistics?) -> Signal<
            StreamProducer, TestError
        >
    typealias OfProducer =
        @Sendable (StreamProducer, HarnessInputs, BufferingPolicy<TestError>, BufferStatistics?) -> SignalProducer<
            StreamProducer, TestError
        >

    let name: String
    let signal: OfSignal
    let producer: OfProducer

    var testDescription: String { name }
}
