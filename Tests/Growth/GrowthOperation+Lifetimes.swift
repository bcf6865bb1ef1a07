import Corinth

extension GrowthOperation {
    /// Disposables, lifetimes and bags.
    static let disposables = [
        GrowthOperation("a composite, disposed of") { count in
            let composite = CompositeDisposable()
            for _ in 0..<count { composite.add(AnyDisposable {}) }
            composite.dispose()
        },
        GrowthOperation("a composite, emptied in order") { count in
            let composite = CompositeDisposable()
            let handles = (0..<count).map { _ in composite.add(AnyDisposable {}) }
            for handle in handles { handle?.dispose() }
        },
        GrowthOperation("a composite, emptied backwards") { count in
            let composite = CompositeDisposable()
            let handles = (0..<count).map { _ in composite.add(AnyDisposable {}) }
            for handle in handles.reversed() { handle?.dispose() }
        },
        GrowthOperation("a composite, entries that end themselves") { count in
            let composite = CompositeDisposable()
            composite.add(AnyDisposable {})
            for _ in 0..<count { composite.add(AnyDisposable {})?.dispose() }
            composite.dispose()
        },
        GrowthOperation("a serial disposable") { count in
            let serial = SerialDisposable()
            for _ in 0..<count { serial.inner = AnyDisposable {} }
            serial.dispose()
        },
        GrowthOperation("a lifetime that ends") { count in
            let (lifetime, token) = Lifetime.make()
            for _ in 0..<count { lifetime.observeEnded {} }
            token.dispose()
            check(lifetime.hasEnded)
        },
        GrowthOperation("observations of a lifetime that are disposed of") { count in
            let (lifetime, token) = Lifetime.make()
            let observations = (0..<count).map { _ in lifetime.observeEnded {} }
            for observation in observations { observation?.dispose() }
            token.dispose()
        },
        GrowthOperation("signals that a lifetime ends") { count in
            let (lifetime, token) = Lifetime.make()
            let pipes = pipes(count)
            for pipe in pipes { pipe.output.take(during: lifetime).observeValues { _ in } }
            token.dispose()
        },
        GrowthOperation("a bag, emptied in order", .logarithmic) { count in
            let bag = Bag<Int>()
            let tokens = (0..<count).map { bag.insert($0) }
            check(bag.reduce(0, +) == count * (count - 1) / 2)
            for token in tokens { bag.remove(using: token) }
            check(bag.isEmpty)
        },
        GrowthOperation("a bag, emptied backwards", .logarithmic) { count in
            let bag = Bag<Int>()
            let tokens = (0..<count).map { bag.insert($0) }
            for token in tokens.reversed() { bag.remove(using: token) }
            check(bag.isEmpty)
        },
    ]

    /// Properties and actions.
    static let properties = [
        GrowthOperation("a chain of properties", from: 100) { count in
            let source = MutableProperty(0)
            var chain = Property(source)
            for _ in 0..<count { chain = chain.map { $0 + 1 } }
            source.value = 1
            check(chain.value == count + 1)
        },
        GrowthOperation("properties that follow one") { count in
            let source = MutableProperty(0)
            let followers = (0..<count).map { index in source.map { $0 + index } }
            source.value = 1
            check(followers[count - 1].value == count)
        },
        GrowthOperation("changes of a property") { count in
            let (source, sum) = (MutableProperty(0), Atomic(0))
            source.signal.observeValues { value in sum.modify { $0 += value } }
            for value in 0..<count { source.value = value }
            check(sum.value == count * (count - 1) / 2)
        },
        GrowthOperation("bindings to one property") { count in
            let (target, pipes) = (MutableProperty(0), pipes(count))
            for pipe in pipes { target <~ pipe.output }
            for (index, pipe) in pipes.enumerated() { pipe.input.send(value: index) }
            check(target.value == count - 1)
        },
        GrowthOperation("combineLatest of properties, one change") { count in
            let sources = (0..<count).map { MutableProperty($0) }
            let sum = Property<Int>.combineLatest(sources, emptySentinel: []).map { $0.reduce(0, +) }
            sources[0].value = 1
            check(sum.value == count * (count - 1) / 2 + 1)
        },
        GrowthOperation("executions of an action") { count in
            let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
            let sum = Atomic(0)
            action.values.observeValues { value in sum.modify { $0 += value } }
            for value in 0..<count { action.apply(value).start() }
            check(sum.value == count * (count - 1) / 2)
        },
    ]
}
