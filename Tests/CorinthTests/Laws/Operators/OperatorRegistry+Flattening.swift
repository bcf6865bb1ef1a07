import Corinth

extension OperatorRegistry {
    mutating func addFlattening() {
        let strategies: [(name: String, strategy: FlattenStrategy)] = [
            ("merge", .merge), ("concat", .concat), ("concurrent", .concurrent(limit: 2)), ("latest", .latest),
            ("race", .race), ("throttle", .throttle), ("concatEager", .concatEager()),
            ("concatEager(limit: 2)", .concatEager(limit: 2)),
        ]
        for (name, strategy) in strategies {
            addAtOnce(name, strategy)
            addOpenEnded(name, strategy)
        }
        addOverloads()
        addFlattens()
    }

    /// Registers strategies with inner streams that end at once.
    private mutating func addAtOnce(_ name: String, _ strategy: FlattenStrategy) {
        add(
            "flatMap(_:_:)", "\(name) of arrays", name == "race" ? .mayWait : [],
            signal: { s, b in s.flatMap(strategy, b.twice) },
            producer: { p, b in p.flatMap(strategy, b.twice) })
        add(
            "flatMap(_:_:)", "\(name) of single values", name == "race" ? .mayWait : [],
            signal: { s, b in s.flatMap(strategy, b.once) },
            producer: { p, b in p.flatMap(strategy, b.once) })
    }

    /// Registers strategies with inner streams that stay open: another source, started several times.
    private mutating func addOpenEnded(_ name: String, _ strategy: FlattenStrategy) {
        var facts: OperatorEntry.Facts = [.mayWait, .outlives, .restarts, .fansOut]
        // The values of an earlier start of the source are emitted before the values of a later start.
        if name.hasPrefix("concatEager") { facts.insert(.changesValues) }
        add(
            "flatMap(_:_:)", "\(name) of another source", others: 1, facts,
            signal: { s, b in s.flatMap(strategy, b.other) },
            producer: { p, b in p.flatMap(strategy, b.other) })
    }

    private mutating func addOverloads() {
        add(
            "flatMap(_:_:)", "convertible", others: 1, [.mayWait, .outlives, .restarts, .fansOut],
            signal: { s, b in s.flatMap(.merge, b.hook { [other = b.signals[0]] (_: Item) in other }) },
            producer: { p, b in p.flatMap(.merge, b.hook { [other = b.convertible(0)] (_: Item) in other }) })
        add(
            "flatMap(_:_:)", "inner that can't fail",
            signal: { s, b in s.flatMap(.merge, b.infallibleTwice) },
            producer: { p, b in p.flatMap(.merge, b.infallibleTwice) })
        add(
            "flatMap(_:_:)", "outer that can't fail", .recovers,
            signal: { s, b in s.infallible { $0 }.flatMap(.merge, b.twice) },
            producer: { p, b in p.infallible { $0 }.flatMap(.merge, b.twice) })
        add(
            "flatMap(_:_:)", "neither can fail", .recovers,
            signal: { s, b in
                let inner: Signal<Item, Never> = s.infallible { $0 }.flatMap(.merge, b.infallibleTwice)
                return inner.promoteError(TestError.self)
            },
            producer: { p, b in
                let inner: SignalProducer<Item, Never> = p.infallible { $0 }.flatMap(.merge, b.infallibleTwice)
                return inner.promoteError(TestError.self)
            })
    }

    private mutating func addFlattens() {
        add(
            "flatMap(_:bufferingPolicy:statistics:_:)", others: 1, [.mayWait, .outlives, .restarts, .fansOut],
            signal: { s, b in s.flatMap(.concat, bufferingPolicy: .dropNewest(capacity: 2), b.other) },
            producer: { p, b in p.flatMap(.concat, bufferingPolicy: .dropNewest(capacity: 2), b.other) })
        add(
            "flatten(_:)", "both may fail",
            signal: { s, b in s.map(b.twice).flatten(.concat) },
            producer: { p, b in p.map(b.twice).flatten(.concat) })
        add(
            "flatten(_:)", "inner that can't fail",
            signal: { s, b in s.map(b.infallibleTwice).flatten(.latest) },
            producer: { p, b in p.map(b.infallibleTwice).flatten(.latest) })
        add(
            "flatten(_:)", "outer that can't fail", .recovers,
            signal: { s, b in s.infallible(b.twice).flatten(.merge) },
            producer: { p, b in p.infallible(b.twice).flatten(.merge) })
        add(
            "flatten(_:)", "neither can fail", .recovers,
            signal: { s, b in
                let inner: Signal<Item, Never> = s.infallible(b.infallibleTwice).flatten(.merge)
                return inner.promoteError(TestError.self)
            },
            producer: { p, b in
                let inner: SignalProducer<Item, Never> = p.infallible(b.infallibleTwice).flatten(.merge)
                return inner.promoteError(TestError.self)
            })
    }
}

/// Inner streams that end at once, and another source.
extension HarnessInputs {
    fileprivate var once: @Sendable (Item) -> SignalProducer<Item, TestError> { hook { SignalProducer(value: $0) } }

    var twice: @Sendable (Item) -> SignalProducer<Item, TestError> { hook { SignalProducer([$0, $0]) } }

    fileprivate var infallibleTwice: @Sendable (Item) -> SignalProducer<Item, Never> {
        hook { SignalProducer([$0, $0]) }
    }

    fileprivate var other: @Sendable (Item) -> StreamProducer { hook { [other = producers[0]] _ in other } }
}
