import ReactiveSwift

extension EndingPrograms {
    mutating func addJoining() {
        add("take(until:) (trigger)") { source, stage in source.take(until: stage.trigger) }
        add("skip(until:) (trigger)") { source, stage in source.skip(until: stage.trigger) }
        add("take(untilReplacement:)") { source, stage in source.take(untilReplacement: stage.other) }
        add("sample(with:)") { source, stage in source.sample(with: stage.infallibleOther) }
        add("sample(on:)") { source, stage in source.sample(on: stage.trigger) }
        add("withLatest(from:) (producer)") { source, stage in source.withLatest(from: stage.infallibleOther) }
        add("merge(with:)") { source, stage in source.merge(with: stage.other) }
        add("combineLatest(with:)") { source, stage in source.combineLatest(with: stage.other) }
        add("zip(with:)") { source, stage in source.zip(with: stage.other) }
        add("and(_:)") { source, stage in source.map { $0 > 0 }.and(stage.other.map { $0 > 0 }) }
        add("combineLatest(_:)") { source, stage in NumberProducer.combineLatest([source, stage.other]) }
        add("zip(_:)") { source, stage in NumberProducer.zip([source, stage.other]) }
        add("merge(_:) (sequence)") { source, stage in NumberProducer.merge([source, stage.other]) }
        add("combineLatest(_:_:_:)") { source, stage in
            NumberProducer.combineLatest(source, stage.other, stage.other)
        }
        add("zip(_:_:_:)") { source, stage in NumberProducer.zip(source, stage.other, stage.other) }
        add("merge(_:_:)") { source, stage in NumberProducer.merge(source, stage.other) }
    }

    mutating func addFlattening() {
        let strategies: [(String, FlattenStrategy)] = [
            ("merge", .merge), ("concat", .concat), ("concurrent", .concurrent(limit: 2)), ("latest", .latest),
            ("race", .race), ("throttle", .throttle),
        ]
        for (name, strategy) in strategies {
            add("flatMap(_:_:) (\(name) of arrays)") {
                $0.flatMap(strategy) { value in NumberProducer([value, value]) }
            }
            add("flatMap(_:_:) (\(name) of single values)") {
                $0.flatMap(strategy) { value in NumberProducer(value: value) }
            }
            add("flatMap(_:_:) (\(name) of another source)") { source, stage in
                let other = stage.other
                return source.flatMap(strategy) { _ in other }
            }
        }
    }

    mutating func addFollowing() {
        add("concat(_:) (producer)") { source, stage in source.concat(stage.other) }
        add("concat(value:)") { $0.concat(value: 8) }
        add("concat(error:)") { $0.concat(error: Failure(number: 7)) }
        add("prefix(_:) (producer)") { $0.prefix(NumberProducer(value: 1)) }
        add("prefix(value:)") { $0.prefix(value: 1) }
        add("then(_:) (producer)") { source, stage in source.then(stage.other) }
        add("then(_:) (infallible producer)") { source, stage in source.then(stage.infallibleOther) }
    }
}
