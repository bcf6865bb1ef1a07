import Corinth

extension OperatorRegistry {
    mutating func addJoining() {
        addTriggers()
        addSampling()
        add(
            "merge(with:)", others: 1, [.treatsInterruptionAsCompletion, .outlives],
            signal: { s, b in s.merge(with: b.signals[0]) },
            producer: { p, b in p.merge(with: b.producers[0]) })
        add(
            "merge(with:)", "convertible", others: 1, [.treatsInterruptionAsCompletion, .outlives],
            producer: { p, b in p.merge(with: b.convertible(0)) })
        add(
            "combineLatest(with:)", others: 1, [.waitsForOther, .outlives],
            signal: { s, b in s.combineLatest(with: b.signals[0]).map { $0.0 } },
            producer: { p, b in p.combineLatest(with: b.producers[0]).map { $0.0 } })
        add(
            "combineLatest(with:)", "convertible", others: 1, [.waitsForOther, .outlives],
            producer: { p, b in p.combineLatest(with: b.convertible(0)).map { $0.0 } })
        add(
            "zip(with:)", others: 1, [.mayWait, .outlives],
            signal: { s, b in s.zip(with: b.signals[0]).map { $0.0 } },
            producer: { p, b in p.zip(with: b.producers[0]).map { $0.0 } })
        add(
            "zip(with:)", "convertible", others: 1, [.mayWait, .outlives],
            producer: { p, b in p.zip(with: b.convertible(0)).map { $0.0 } })
        add(
            "zip(with:bufferingPolicy:statistics:)", others: 1, [.mayWait, .outlives],
            signal: { s, b in s.zip(with: b.signals[0], bufferingPolicy: .dropOldest(capacity: 2)).map { $0.0 } },
            producer: { p, b in p.zip(with: b.producers[0], bufferingPolicy: .dropOldest(capacity: 2)).map { $0.0 } })
        addBooleans()
    }

    private mutating func addTriggers() {
        add(
            "take(until:)", "trigger", others: 1, .endsWithOther,
            signal: { s, b in s.take(until: b.trigger(0)) },
            producer: { p, b in
                let trigger: SignalProducer<(), Never> = b.trigger(0)
                return p.take(until: trigger)
            })
        add(
            "take(until:)", "convertible trigger", others: 1, .endsWithOther,
            producer: { p, b in
                let trigger = Convertible<(), Never>(producer: b.trigger(0))
                return p.take(until: trigger)
            })
        add(
            "skip(until:)", "trigger", others: 1, .waitsForOther,
            signal: { s, b in s.skip(until: b.trigger(0)) },
            producer: { p, b in
                let trigger: SignalProducer<(), Never> = b.trigger(0)
                return p.skip(until: trigger)
            })
        add(
            "skip(until:)", "convertible trigger", others: 1, .waitsForOther,
            producer: { p, b in
                let trigger = Convertible<(), Never>(producer: b.trigger(0))
                return p.skip(until: trigger)
            })
        add(
            "take(untilReplacement:)", others: 1, [.endsWithOther, .outlives],
            signal: { s, b in s.take(untilReplacement: b.signals[0]) },
            producer: { p, b in p.take(untilReplacement: b.producers[0]) })
        add(
            "take(untilReplacement:)", "convertible", others: 1, [.endsWithOther, .outlives],
            producer: { p, b in p.take(untilReplacement: b.convertible(0)) })
    }

    private mutating func addSampling() {
        add(
            "sample(with:)", others: 1, [.mayWait, .outlives],
            signal: { s, b in s.sample(with: b.infallible(0) as Signal).map { $0.0 } },
            producer: { p, b in p.sample(with: b.infallible(0) as SignalProducer).map { $0.0 } })
        add(
            "sample(with:)", "convertible", others: 1, [.mayWait, .outlives],
            producer: { p, b in p.sample(with: Convertible(producer: b.infallible(0))).map { $0.0 } })
        add(
            "sample(on:)", others: 1, [.mayWait, .outlives],
            signal: { s, b in s.sample(on: b.trigger(0) as Signal) },
            producer: { p, b in p.sample(on: b.trigger(0) as SignalProducer) })
        add(
            "sample(on:)", "convertible", others: 1, [.mayWait, .outlives],
            producer: { p, b in p.sample(on: Convertible(producer: b.trigger(0))) })
        add(
            "withLatest(from:)", "signal", others: 1, .waitsForOther,
            signal: { s, b in s.withLatest(from: b.infallible(0) as Signal).map { $0.0 } })
        add(
            "withLatest(from:)", "producer", others: 1, .waitsForOther,
            signal: { s, b in s.withLatest(from: b.infallible(0) as SignalProducer).map { $0.0 } },
            producer: { p, b in p.withLatest(from: b.infallible(0) as SignalProducer).map { $0.0 } })
        add(
            "withLatest(from:)", "convertible", others: 1, .waitsForOther,
            signal: { s, b in s.withLatest(from: Convertible(producer: b.infallible(0))).map { $0.0 } },
            producer: { p, b in p.withLatest(from: Convertible(producer: b.infallible(0))).map { $0.0 } })
        add(
            "withLatest(from:_:)", others: 2, .waitsForOther,
            signal: { s, b in s.withLatest(from: b.source(0), b.source(1)).map { $0.0 } },
            producer: { p, b in p.withLatest(from: b.source(0), b.source(1)).map { $0.0 } })
        add(
            "withLatest(from:_:_:)", others: 3, .waitsForOther,
            signal: { s, b in s.withLatest(from: b.source(0), b.source(1), b.source(2)).map { $0.0 } },
            producer: { p, b in p.withLatest(from: b.source(0), b.source(1), b.source(2)).map { $0.0 } })
        add(
            "withLatest(from:_:_:_:)", others: 4, .waitsForOther,
            signal: { s, b in
                s.withLatest(from: b.source(0), b.source(1), b.source(2), b.source(3)).map { $0.0 }
            },
            producer: { p, b in
                p.withLatest(from: b.source(0), b.source(1), b.source(2), b.source(3)).map { $0.0 }
            })
    }

    private mutating func addBooleans() {
        add(
            "and(_:)", others: 1, [.waitsForOther, .outlives, .changesValues],
            signal: { s, b in s.isEven.and(b.signals[0].isEven).map { Item($0 ? 1 : 0) } },
            producer: { p, b in p.isEven.and(b.producers[0].isEven).map { Item($0 ? 1 : 0) } })
        add(
            "and(_:)", "convertible", others: 1, [.waitsForOther, .outlives, .changesValues],
            producer: { p, b in p.isEven.and(Convertible(producer: b.producers[0].isEven)).map { Item($0 ? 1 : 0) } })
        add(
            "or(_:)", others: 1, [.waitsForOther, .outlives, .changesValues],
            signal: { s, b in s.isEven.or(b.signals[0].isEven).map { Item($0 ? 1 : 0) } },
            producer: { p, b in p.isEven.or(b.producers[0].isEven).map { Item($0 ? 1 : 0) } })
        add(
            "or(_:)", "convertible", others: 1, [.waitsForOther, .outlives, .changesValues],
            producer: { p, b in p.isEven.or(Convertible(producer: b.producers[0].isEven)).map { Item($0 ? 1 : 0) } })
        add(
            "all(_:)", "collection", others: 2, [.waitsForOther, .outlives, .changesValues],
            signal: { s, b in Signal.all([s.isEven] + b.signals.map(\.isEven)).map { Item($0 ? 1 : 0) } },
            producer: { p, b in
                SignalProducer.all([p.isEven] + b.producers.map(\.isEven)).map { Item($0 ? 1 : 0) }
            })
        add(
            "all(_:)", "variadic", others: 1, [.waitsForOther, .outlives, .changesValues],
            signal: { s, b in Signal.all(s.isEven, b.signals[0].isEven).map { Item($0 ? 1 : 0) } },
            producer: { p, b in SignalProducer.all(p.isEven, b.producers[0].isEven).map { Item($0 ? 1 : 0) } })
        add(
            "any(_:)", "collection", others: 2, [.waitsForOther, .outlives, .changesValues],
            signal: { s, b in Signal.any([s.isEven] + b.signals.map(\.isEven)).map { Item($0 ? 1 : 0) } },
            producer: { p, b in
                SignalProducer.any([p.isEven] + b.producers.map(\.isEven)).map { Item($0 ? 1 : 0) }
            })
        add(
            "any(_:)", "variadic", others: 1, [.waitsForOther, .outlives, .changesValues],
            signal: { s, b in Signal.any(s.isEven, b.signals[0].isEven).map { Item($0 ? 1 : 0) } },
            producer: { p, b in SignalProducer.any(p.isEven, b.producers[0].isEven).map { Item($0 ? 1 : 0) } })
    }
}

extension Signal where Value == Item {
    var isEven: Signal<Bool, Error> { map { $0.isEven } }
}

extension SignalProducer where Value == Item {
    var isEven: SignalProducer<Bool, Error> { map { $0.isEven } }
}

extension HarnessInputs {
    /// Another source of those that can't fail.
    func source(_ index: Int) -> SignalProducer<Item, Never> { infallible(index) }
}
